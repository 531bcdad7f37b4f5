package net.ipmasq.netlink;

import java.net.InetAddress;
import java.util.List;
import java.util.Optional;

/**
 * Where the kernel would send a packet.
 *
 * @param type RTN_*: what happens to the packet
 * @param hops the next hops; several where the kernel chooses one for each connection
 */
public record Route(int type, List<Hop> hops) {
    private static final int UNICAST = 1;
    private static final int LOCAL = 2;

    public Route {
        hops = List.copyOf(hops);
    }

    /**
     * A next hop.
     *
     * @param device number of the device that the packet leaves through; 0 if the kernel names none
     * @param gateway the router that the packet is sent to; empty without one, or with one of the other family
     */
    public record Hop(int device, Optional<InetAddress> gateway) {}

    public record Prefix(InetAddress address, int length) {}

    /** A line of a routing table, other than a default route. */
    public record Entry(Prefix prefix, Route route) {}

    public sealed interface Packet {
        InetAddress destination();
    }

    /** A packet that this node sends itself, from an address that the kernel is to choose. */
    public record Own(InetAddress destination) implements Packet {}

    /** A packet from an address. IPv4 answers only if the address is one of this node's. */
    public record From(InetAddress source, InetAddress destination) implements Packet {}

    /** A packet that has come in and is passed on. */
    public record Forwarded(InetAddress source, int device, InetAddress destination) implements Packet {}

    public sealed interface Answer {}

    public record Found(Route route) implements Answer {}

    /** There is no route: an errno of Linux. */
    public record Refused(int errno) implements Answer {}

    /** Whether it is sent on to one receiver. */
    public boolean isUnicast() {
        return type == UNICAST;
    }

    /** Whether it is for this node itself. */
    public boolean isLocal() {
        return type == LOCAL;
    }
}
