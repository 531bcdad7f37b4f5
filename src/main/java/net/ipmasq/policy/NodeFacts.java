package net.ipmasq.policy;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;

/**
 * What the policy needs to know of the node.
 *
 * @param localAddresses addresses that the kernel's local routing table delivers on the node
 * @param unavailable families that this node does not support, with the reason for people
 */
public record NodeFacts(Set<IpAddress> localAddresses, Map<IpFamily, String> unavailable) {

    private static final Cidr LOOPBACK_V4 = Cidr.of("127.0.0.0/8");

    /** A node about which nothing is known: every family possible, only loopback local. */
    public static final NodeFacts UNKNOWN = new NodeFacts(Set.of(IpAddress.of("::1")), Map.of());

    public NodeFacts {
        localAddresses = Set.copyOf(localAddresses);
        unavailable = Map.copyOf(unavailable);
    }

    /** Whether the kernel calls the address LOCAL (addrtype), so that our jump does not match. */
    public boolean isLocal(IpAddress address) {
        return LOOPBACK_V4.contains(address) || localAddresses.contains(address);
    }

    /** Why a family cannot be managed here; empty if it can. */
    public Optional<String> whyUnavailable(IpFamily family) {
        return Optional.ofNullable(unavailable.get(family));
    }
}
