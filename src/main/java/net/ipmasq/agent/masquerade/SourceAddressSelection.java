package net.ipmasq.agent.masquerade;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.netlink.AddressLabel;
import net.ipmasq.netlink.DeviceAddress;
import net.ipmasq.netlink.Route;
import net.ipmasq.netlink.RouteSocket;

/**
 * Finds the source address that MASQUERADE gives: asks the kernel for the route of the packet as it would be forwarded, then
 * chooses among the addresses of the outgoing device as the kernel does. Looks at devices and addresses once. For one
 * thread at a time.
 */
public final class SourceAddressSelection implements AutoCloseable {
    private static final String CONF = "/proc/sys/net/ipv6/conf/";
    private static final int PREFER_TEMPORARY = 2;

    private final RouteSocket socket;
    private final NodeFiles files;
    private final Map<IpFamily, Devices> devices = new EnumMap<>(IpFamily.class);

    private SourceAddressSelection(RouteSocket socket, NodeFiles files) {
        this.socket = socket;
        this.files = files;
    }

    /**
     * For the network namespace of this thread.
     *
     * @throws IOException if the kernel cannot be asked
     */
    public static SourceAddressSelection open(NodeFiles files) throws IOException {
        return new SourceAddressSelection(RouteSocket.open(), files);
    }

    /**
     * What a packet to this destination gets.
     *
     * @param pod where it comes from; without it, the answer is the one for a packet that the node sends itself, regardless
     *     of routing by source or by incoming device
     */
    public SourceAddress source(IpAddress destination, Optional<IpAddress> pod) {
        try {
            Optional<Route.Packet> packet = packet(destination, pod);
            if (packet.isEmpty()) {
                return new SourceAddress.NotKnown("the kernel has no route to "
                        + pod.map(IpAddress::toString).orElse("")
                        + ", so the device that its packets come in through is not known");
            }
            return switch (socket.route(packet.get())) {
                case Route.Refused(int errno) ->
                    new SourceAddress.NotKnown(RouteErrors.why(errno, packet.get(), this::name));
                case Route.Found(Route route) -> sourceOf(packet.get(), route, destination);
            };
        } catch (IOException e) {
            return new SourceAddress.NotKnown("the kernel cannot be asked for the route (" + e.getMessage() + ")");
        }
    }

    /** The device that packets of a pod come in through; empty without a route to the pod, or for this node itself. */
    public Optional<String> deviceOf(IpAddress pod) {
        try {
            return incoming(pod).filter(device -> device > 0).map(this::name);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Whether routes of this family depend on where a packet comes from, so that naming a pod changes the answer. */
    public boolean dependsOnOrigin(IpFamily family) {
        try {
            return socket.routesByOrigin(inet(any(family)));
        } catch (IOException e) {
            return false;
        }
    }

    /** The packet to ask for; empty if it is not known through which device the pod's packets come in. */
    private Optional<Route.Packet> packet(IpAddress destination, Optional<IpAddress> pod) throws IOException {
        InetAddress to = inet(destination);
        if (pod.isEmpty() || pod.get().family() != destination.family()) {
            return Optional.of(new Route.Own(to));
        }
        InetAddress from = inet(pod.get());
        return incoming(pod.get())
                .map(device -> device == 0 ? new Route.From(from, to) : new Route.Forwarded(from, device, to));
    }

    /** Number of the device, 0 for an address of this node; empty without a route to the pod. */
    private Optional<Integer> incoming(IpAddress pod) throws IOException {
        if (socket.route(new Route.Own(inet(pod))) instanceof Route.Found(Route route)) {
            return route.isLocal()
                    ? Optional.of(0)
                    : route.hops().stream()
                            .map(Route.Hop::device)
                            .filter(device -> device > 0)
                            .findFirst();
        }
        return Optional.empty();
    }

    private SourceAddress sourceOf(Route.Packet packet, Route route, IpAddress destination) throws IOException {
        if (!route.isUnicast()) {
            return new SourceAddress.NotKnown(
                    route.isLocal()
                            ? "the kernel delivers it on this node, where the agent's rules do not see it"
                            : "the kernel does not send it to one receiver (route type " + route.type() + ")");
        }
        List<Route.Hop> hops = route.hops();
        if (socket.ways(packet) instanceof Route.Found(Route all) && all.hops().size() > 1) {
            // for IPv6 the kernel lists first the one that it has chosen
            hops = all.hops().stream()
                    .sorted(Comparator.comparingInt(Route.Hop::device))
                    .toList();
        }
        Set<Optional<IpAddress>> addresses = new LinkedHashSet<>();
        for (Route.Hop hop : hops) {
            addresses.add(choose(hop, destination));
        }
        String names = hops.stream().map(hop -> name(hop.device())).distinct().collect(Collectors.joining(" or "));
        if (addresses.size() > 1) {
            String each = addresses.stream()
                    .map(one -> one.map(IpAddress::toString).orElse("none"))
                    .collect(Collectors.joining(" or "));
            return new SourceAddress.OfDevice(
                    names, "the route has several next hops, and the kernel chooses one for each connection: " + each);
        }
        return addresses
                .iterator()
                .next()
                .<SourceAddress>map(address -> new SourceAddress.Address(address, names))
                .orElseGet(() -> new SourceAddress.OfDevice(
                        names, "this node has no address to give, and the kernel drops such packets"));
    }

    private Optional<IpAddress> choose(Route.Hop hop, IpAddress destination) throws IOException {
        Devices all = devices(destination.family());
        return switch (destination.family()) {
            case IPV4 -> {
                Optional<IpAddress> gateway = hop.gateway().map(router -> IpAddress.ofBytes(router.getAddress()));
                // a gateway of the other family does not help to choose among addresses of this one
                IpAddress next = gateway.filter(router -> router.family() == IpFamily.IPV4)
                        .orElse(destination);
                // usually the device has an address, and then the other devices do not matter
                Optional<IpAddress> own = Ipv4SourceSelection.choose(hop.device(), next, all.of(hop.device()));
                yield own.isPresent()
                        ? own
                        : Ipv4SourceSelection.choose(hop.device(), next, all.candidates(hop.device()));
            }
            case IPV6 -> {
                List<AddressLabel> labels = socket.labels();
                Ipv6SourceSelection choice = new Ipv6SourceSelection(
                        labels, device -> setting(name(device), "use_tempaddr") >= PREFER_TEMPORARY);
                boolean onLink = Ipv6SourceSelection.isOnLinkOnly(destination)
                        || setting("all", "use_oif_addrs_only") != 0
                        || setting(name(hop.device()), "use_oif_addrs_only") != 0;
                List<DeviceAddress> candidates = onLink ? all.of(hop.device()) : all.candidates(hop.device());
                yield choice.choose(hop.device(), destination, candidates);
            }
        };
    }

    private int setting(String device, String name) {
        return files.read(CONF + device + "/" + name)
                .map(String::strip)
                .filter(text -> text.matches("\\d{1,9}"))
                .map(Integer::valueOf)
                .orElse(0);
    }

    /**
     * An address that a pod of this node has or could have: of a route to a device inside one of these ranges.
     *
     * @param ranges the node's podCIDRs
     */
    public Optional<IpAddress> podAddress(List<Cidr> ranges, IpFamily family) {
        List<Cidr> own =
                ranges.stream().filter(range -> range.family() == family).toList();
        if (own.isEmpty()) {
            return Optional.empty();
        }
        try {
            List<Route.Entry> inside = new ArrayList<>();
            for (Route.Entry entry : socket.routes(inet(own.getFirst().network()))) {
                if (leadsToADevice(entry.route())
                        && own.stream().anyMatch(range -> range.contains(PodRoutes.range(entry.prefix())))) {
                    inside.add(entry);
                }
            }
            return PodRoutes.address(inside);
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    /** Without a router in between, behind which there are no pods of this node. */
    private static boolean leadsToADevice(Route route) {
        return route.isUnicast()
                && route.hops().stream()
                        .anyMatch(hop -> hop.device() > 0 && hop.gateway().isEmpty());
    }

    private Devices devices(IpFamily family) throws IOException {
        Devices known = devices.get(family);
        if (known == null) {
            known = Devices.of(socket, family, inet(any(family)));
            devices.put(family, known);
        }
        return known;
    }

    private String name(int device) {
        try {
            return devices(IpFamily.IPV4).name(device);
        } catch (IOException e) {
            return "device " + device;
        }
    }

    private static IpAddress any(IpFamily family) {
        return IpAddress.of(family == IpFamily.IPV4 ? "0.0.0.0" : "::");
    }

    private static InetAddress inet(IpAddress address) throws UnknownHostException {
        return InetAddress.getByAddress(address.toBytes());
    }

    @Override
    public void close() {
        socket.close();
    }
}
