/** Removes the agent's rules from every node of a cluster, where that is requested. */
@NullMarked
package net.ipmasq.bundle.cluster.uninstall;

import org.jspecify.annotations.NullMarked;
