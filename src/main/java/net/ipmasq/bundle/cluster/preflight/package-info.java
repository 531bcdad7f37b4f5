/** Checks of a cluster before the add-on is installed. */
@NullMarked
package net.ipmasq.bundle.cluster.preflight;

import org.jspecify.annotations.NullMarked;
