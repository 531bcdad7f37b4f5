/** Configuration, profile and node facts become one {@link net.ipmasq.policy.MasqPolicy} that can explain itself. */
@NullMarked
package net.ipmasq.policy;

import org.jspecify.annotations.NullMarked;
