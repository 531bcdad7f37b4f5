package net.ipmasq.agent;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.net.IpAddress;
import net.ipmasq.policy.NodeFacts;

/** What can be learned of this node without any program or right. */
public final class LocalNode {
    private LocalNode() {}

    /** Addresses of this node; empty sets where the system does not tell. */
    public static NodeFacts facts() {
        Set<IpAddress> local = new HashSet<>();
        try {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .forEach(address -> local.add(IpAddress.ofBytes(address.getAddress())));
        } catch (SocketException e) {
            // a system without interfaces: then no address is local
            return NodeFacts.UNKNOWN;
        }
        return new NodeFacts(local, Map.of());
    }

    /**
     * The address that the kernel's routes choose towards a destination, which is what MASQUERADE takes; empty without a
     * route. Connecting a datagram socket looks the route up and sends nothing.
     */
    public static Optional<IpAddress> sourceTowards(IpAddress destination) {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(destination.toBytes()), 9));
            InetAddress source = socket.getLocalAddress();
            return source.isAnyLocalAddress() ? Optional.empty() : Optional.of(IpAddress.ofBytes(source.getAddress()));
        } catch (IOException | java.io.UncheckedIOException e) {
            // no route, or the family is off: the caller says "node" instead of an address
            return Optional.empty();
        }
    }
}
