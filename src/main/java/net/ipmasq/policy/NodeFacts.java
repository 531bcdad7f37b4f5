package net.ipmasq.policy;

import java.util.Set;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;

/**
 * What the policy needs to know of the node.
 *
 * @param localAddresses addresses that the kernel's local routing table delivers on the node
 */
public record NodeFacts(Set<IpAddress> localAddresses) {

    private static final Cidr LOOPBACK_V4 = Cidr.of("127.0.0.0/8");

    /** A node about which nothing is known: only loopback is local. */
    public static final NodeFacts UNKNOWN = new NodeFacts(Set.of(IpAddress.of("::1")));

    public NodeFacts {
        localAddresses = Set.copyOf(localAddresses);
    }

    /** Whether the kernel calls the address LOCAL (addrtype), so that our jump does not match. */
    public boolean isLocal(IpAddress address) {
        return LOOPBACK_V4.contains(address) || localAddresses.contains(address);
    }
}
