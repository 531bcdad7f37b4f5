package net.ipmasq.observe;

import java.util.Map;
import java.util.Optional;

/** What the cluster reports about this node, for {@code /status}. */
public interface NodeDescription {
    /** Name, podCIDRs and addresses; empty outside a cluster or before it has answered. */
    Optional<Map<String, Object>> node();
}
