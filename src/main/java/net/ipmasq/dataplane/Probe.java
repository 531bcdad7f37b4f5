package net.ipmasq.dataplane;

import java.util.Map;
import net.ipmasq.net.IpFamily;

/**
 * What this node can do.
 *
 * @param backend the backend in use, for example {@code iptables-nft}
 * @param reason why that one, for people
 * @param impossible families that cannot be managed here, with the reason
 */
public record Probe(String backend, String reason, Map<IpFamily, Failure> impossible) {
    public Probe {
        impossible = Map.copyOf(impossible);
    }
}
