package net.ipmasq.agent.masquerade;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import net.ipmasq.net.IpFamily;
import net.ipmasq.netlink.DeviceAddress;
import net.ipmasq.netlink.DeviceOrder;
import net.ipmasq.netlink.Link;
import net.ipmasq.netlink.RouteSocket;

/**
 * The devices of this node with the addresses of one family, as they are at one moment.
 *
 * @param addresses in the kernel's order of devices and, within one, of addresses
 */
record Devices(Map<Integer, Link> links, List<DeviceAddress> addresses) {

    static Devices of(RouteSocket socket, IpFamily family, InetAddress like) throws IOException {
        Map<Integer, Link> links =
                socket.links().stream().collect(Collectors.toMap(Link::index, Function.identity(), (a, b) -> b));
        List<DeviceAddress> addresses = socket.addresses(like);
        List<DeviceAddress> sorted = new ArrayList<>();
        for (int device : order(family, addresses)) {
            addresses.stream().filter(one -> one.device() == device).forEach(sorted::add);
        }
        return new Devices(links, List.copyOf(sorted));
    }

    /** Devices that the kernel's list does not have come last, by number. */
    private static Set<Integer> order(IpFamily family, List<DeviceAddress> addresses) {
        Set<Integer> order = new LinkedHashSet<>();
        try {
            switch (family) {
                case IPV6 -> order.addAll(DeviceOrder.v6());
                case IPV4 -> {
                    for (DeviceOrder.Labelled entry : DeviceOrder.v4()) {
                        addresses.stream()
                                .filter(one -> one.own().equals(entry.address())
                                        && one.label().equals(entry.label()))
                                .forEach(one -> order.add(one.device()));
                    }
                }
            }
        } catch (IOException e) {
            // the numbers of devices follow the same order but for those that were moved here
            System.getLogger(Devices.class.getName()).log(System.Logger.Level.DEBUG, "order of devices", e);
        }
        addresses.stream().map(DeviceAddress::device).sorted().forEach(order::add);
        return order;
    }

    String name(int device) {
        Link link = links.get(device);
        return link == null ? "device " + device : link.name();
    }

    /**
     * Addresses that count for packets through a device: its own first, then those of its VRF, then those of the other
     * devices of the same VRF, or of none.
     */
    List<DeviceAddress> candidates(int outgoing) {
        int domain = domain(outgoing);
        List<DeviceAddress> candidates = new ArrayList<>(of(outgoing));
        if (domain != 0 && domain != outgoing) {
            candidates.addAll(of(domain));
        }
        addresses.stream()
                .filter(one -> one.device() != outgoing && one.device() != domain && domain(one.device()) == domain)
                .forEach(candidates::add);
        return candidates;
    }

    /** Those of one device only. */
    List<DeviceAddress> of(int device) {
        return addresses.stream().filter(one -> one.device() == device).toList();
    }

    private int domain(int device) {
        Link link = links.get(device);
        return link == null ? 0 : link.domain();
    }
}
