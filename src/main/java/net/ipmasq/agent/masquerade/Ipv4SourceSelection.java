package net.ipmasq.agent.masquerade;

import java.util.List;
import java.util.Optional;
import net.ipmasq.net.IpAddress;
import net.ipmasq.netlink.DeviceAddress;

/**
 * The address that the kernel's inet_select_addr (net/ipv4/devinet.c) gives MASQUERADE, which asks for one with global
 * scope. The route's preferred source plays no part.
 */
final class Ipv4SourceSelection {
    private static final int EVERYWHERE = 0;

    private Ipv4SourceSelection() {}

    /**
     * The address, empty if no device has one.
     *
     * @param device number of the outgoing device
     * @param nextHop the gateway, or the destination where there is none
     * @param candidates addresses of the devices to choose from, in the kernel's order of devices and of addresses
     */
    static Optional<IpAddress> choose(int device, IpAddress nextHop, List<DeviceAddress> candidates) {
        List<DeviceAddress> fit = candidates.stream()
                .filter(one -> !one.isSecondary() && one.scope() == EVERYWHERE)
                .toList();
        List<DeviceAddress> own =
                fit.stream().filter(one -> one.device() == device).toList();
        return own.stream()
                .filter(one -> holds(one, nextHop))
                .findFirst()
                .or(() -> own.stream().findFirst())
                .or(() -> fit.stream().findFirst())
                .map(one -> IpAddress.ofBytes(one.own().getAddress()));
    }

    private static boolean holds(DeviceAddress one, IpAddress nextHop) {
        IpAddress subnet = IpAddress.ofBytes(one.subnet().getAddress());
        return subnet.masked(one.prefix()).equals(nextHop.masked(one.prefix()));
    }
}
