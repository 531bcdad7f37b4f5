/** Takes the agent's rules away on every node of a cluster, where that is asked for. */
@NullMarked
package net.ipmasq.bundle.cluster.uninstall;

import org.jspecify.annotations.NullMarked;
