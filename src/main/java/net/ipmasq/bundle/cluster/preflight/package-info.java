/** What stands in the way of the add-on in a cluster, found before anything is installed. */
@NullMarked
package net.ipmasq.bundle.cluster.preflight;

import org.jspecify.annotations.NullMarked;
