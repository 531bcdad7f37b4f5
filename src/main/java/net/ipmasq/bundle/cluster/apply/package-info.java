/** Puts rendered manifests into a cluster without Helm, by server-side apply, and reports conflicting field managers. */
@NullMarked
package net.ipmasq.bundle.cluster.apply;

import org.jspecify.annotations.NullMarked;
