package net.ipmasq.dataplane;

import java.util.Map;
import net.ipmasq.net.IpFamily;

/**
 * What this node can do.
 *
 * @param backend the backend in use
 * @param reason why that one, for people
 * @param impossible families that cannot be managed here, with the reason
 */
public record Probe(Backend backend, String reason, Map<IpFamily, Failure> impossible) {
    public Probe {
        impossible = Map.copyOf(impossible);
    }

    public String oneLine() {
        return backend.key() + " (" + reason + ")";
    }
}
