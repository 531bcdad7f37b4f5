package net.ipmasq.agent.masquerade;

import java.io.IOException;
import java.net.InetAddress;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import net.ipmasq.net.IpFamily;
import net.ipmasq.netlink.DeviceAddress;
import net.ipmasq.netlink.DeviceOrder;
import net.ipmasq.netlink.Link;
import net.ipmasq.netlink.RouteSocket;

/**
 * The devices of this node with the addresses of one family, as they are at one moment.
 *
 * @param addresses in the kernel's order within each device
 * @param order numbers of devices as the kernel goes through them; asked for only when it matters
 */
record Devices(Map<Integer, Link> links, List<DeviceAddress> addresses, Supplier<List<Integer>> order) {

    static Devices of(RouteSocket socket, IpFamily family, InetAddress like) throws IOException {
        Map<Integer, Link> links =
                socket.links().stream().collect(Collectors.toMap(Link::index, Function.identity(), (a, b) -> b));
        List<DeviceAddress> addresses = List.copyOf(socket.addresses(like));
        return new Devices(links, addresses, () -> order(family, addresses));
    }

    private static List<Integer> order(IpFamily family, List<DeviceAddress> addresses) {
        try {
            return switch (family) {
                case IPV6 -> DeviceOrder.v6();
                case IPV4 ->
                    DeviceOrder.v4().stream()
                            .flatMap(entry -> addresses.stream()
                                    .filter(one -> one.own().equals(entry.address())
                                            && one.label().equals(entry.label())))
                            .map(DeviceAddress::device)
                            .toList();
            };
        } catch (IOException e) {
            // device numbers have the same order, except for devices that were moved into this namespace
            System.getLogger(Devices.class.getName()).log(System.Logger.Level.DEBUG, "order of devices", e);
            return List.of();
        }
    }

    String name(int device) {
        Link link = links.get(device);
        return link == null ? "device " + device : link.name();
    }

    /**
     * Candidates for packets through a device: its own addresses first, then those of its VRF, then those of the other
     * devices of the same VRF, or of none.
     */
    List<DeviceAddress> candidates(int outgoing) {
        int domain = domain(outgoing);
        List<DeviceAddress> candidates = new ArrayList<>(of(outgoing));
        if (domain != 0 && domain != outgoing) {
            candidates.addAll(of(domain));
        }
        for (int device : inOrder()) {
            if (device != outgoing && device != domain && domain(device) == domain) {
                candidates.addAll(of(device));
            }
        }
        return candidates;
    }

    /** Devices that are missing in the kernel's list come last, by number. */
    private Set<Integer> inOrder() {
        Set<Integer> devices = new LinkedHashSet<>(order.get());
        addresses.stream().map(DeviceAddress::device).sorted().forEach(devices::add);
        return devices;
    }

    /** The addresses of one device. */
    List<DeviceAddress> of(int device) {
        return addresses.stream().filter(one -> one.device() == device).toList();
    }

    private int domain(int device) {
        Link link = links.get(device);
        return link == null ? 0 : link.domain();
    }
}
