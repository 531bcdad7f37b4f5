package net.ipmasq.bundle.cluster.preflight;

import java.util.List;

/** One question to a cluster. */
@FunctionalInterface
interface Check {
    List<Finding> look(ClusterReader cluster);
}
