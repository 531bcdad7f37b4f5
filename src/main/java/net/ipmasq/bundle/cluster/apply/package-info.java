/** Puts rendered manifests into a cluster without Helm, by server-side apply, and says whose fields stand in the way. */
@NullMarked
package net.ipmasq.bundle.cluster.apply;

import org.jspecify.annotations.NullMarked;
