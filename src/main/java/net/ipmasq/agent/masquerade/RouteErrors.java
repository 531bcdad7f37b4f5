package net.ipmasq.agent.masquerade;

import java.util.function.IntFunction;
import net.ipmasq.net.IpAddress;
import net.ipmasq.netlink.Route;

/** Why the kernel does not route a packet, in words. */
final class RouteErrors {
    private static final int EACCES = 13;
    private static final int EXDEV = 18;
    private static final int ENODEV = 19;
    private static final int EINVAL = 22;
    private static final int ENETUNREACH = 101;
    private static final int EHOSTUNREACH = 113;

    private RouteErrors() {}

    /**
     * A part of a sentence.
     *
     * @param name the name of a device by its number
     */
    static String why(int errno, Route.Packet packet, IntFunction<String> name) {
        return "the kernel does not route a packet " + from(packet, name) + "to "
                + IpAddress.ofBytes(packet.destination().getAddress()) + ": " + cause(errno);
    }

    private static String from(Route.Packet packet, IntFunction<String> name) {
        return switch (packet) {
            case Route.Own own -> "";
            case Route.From from -> "from " + IpAddress.ofBytes(from.source().getAddress()) + " ";
            case Route.Forwarded on ->
                "from " + IpAddress.ofBytes(on.source().getAddress()) + " on " + name.apply(on.device()) + " ";
        };
    }

    /** Since Linux 6.13 or so a refused IPv4 packet that came in is EINVAL, whatever the reason. */
    private static String cause(int errno) {
        return switch (errno) {
            case ENETUNREACH -> "no route";
            case EHOSTUNREACH -> "an unreachable route, or forwarding is off";
            case EACCES -> "a prohibit route";
            case EXDEV -> "rp_filter refuses it, since the route back uses another device";
            case EINVAL -> "rp_filter or a blackhole route drops it, or its addresses are not valid there";
            case ENODEV -> "the device no longer exists";
            default -> "errno " + errno;
        };
    }
}
