/** The ConfigMap's text becomes a {@link net.ipmasq.config.ConfigOutcome}, with every problem located and explained. */
@NullMarked
package net.ipmasq.config;

import org.jspecify.annotations.NullMarked;
