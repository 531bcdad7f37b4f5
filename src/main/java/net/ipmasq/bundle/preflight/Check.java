package net.ipmasq.bundle.preflight;

import java.util.List;

/** One question to a cluster. */
@FunctionalInterface
interface Check {
    List<Finding> look(ClusterReader cluster);
}
