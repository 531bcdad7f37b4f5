package net.ipmasq.bundle.cluster.preflight;

import java.util.List;

/** One question to a cluster. */
@FunctionalInterface
interface Check {
    List<PreflightFinding> look(ClusterReader cluster);
}
