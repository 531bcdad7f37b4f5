package net.ipmasq.agent.masquerade;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.netlink.Route;

/** Derives addresses of pods from routes. Does no I/O. */
final class PodRoutes {
    /** Usually the first address of a subnet is unused and the second is the bridge's, so this is the third. */
    private static final int OFFSET = 2;

    private PodRoutes() {}

    static Cidr range(Route.Prefix prefix) {
        IpAddress address = IpAddress.ofBytes(prefix.address().getAddress());
        return new Cidr(address.masked(prefix.length()), prefix.length());
    }

    /** An address of the narrowest route: a route to a single address is a pod's. */
    static Optional<IpAddress> address(List<Route.Entry> inside) {
        return inside.stream()
                .map(entry -> range(entry.prefix()))
                .max(Comparator.comparingInt(Cidr::prefixLength))
                .map(PodRoutes::oneOf);
    }

    private static IpAddress oneOf(Cidr range) {
        IpAddress first = range.network();
        if (range.prefixLength() > first.family().bits() - 2) {
            return first;
        }
        return first.family() == IpFamily.IPV4
                ? new IpAddress(first.family(), first.hi() + ((long) OFFSET << 32), 0)
                : new IpAddress(first.family(), first.hi(), first.lo() + OFFSET);
    }
}
