package net.ipmasq.netlink;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.netlink.Messages.Message;
import net.ipmasq.netlink.Messages.OddBytes;
import org.jspecify.annotations.Nullable;

/** Encodes and decodes rtnetlink's messages. Does no I/O. */
final class RouteMessages {
    static final int RTMSG = 12;
    static final int IFADDRMSG = 8;
    static final int IFINFOMSG = 16;
    static final int IFADDRLBLMSG = 12;
    static final int FIB_RULE = 12;
    static final int NEWLINK = 16;
    static final int NEWADDR = 20;
    static final int NEWROUTE = 24;
    static final int NEWRULE = 32;
    static final int NEWADDRLABEL = 72;

    /** The route as it stands in its table, with all its next hops, not only the chosen one. */
    static final int FIB_MATCH = 0x2000;

    private static final int RTA_DST = 1;
    private static final int RTA_SRC = 2;
    private static final int RTA_IIF = 3;
    private static final int RTA_OIF = 4;
    private static final int RTA_GATEWAY = 5;
    private static final int RTA_MULTIPATH = 9;
    private static final int RTNEXTHOP = 8;
    private static final int RTNH_F_DEAD = 1;
    private static final int IFA_ADDRESS = 1;
    private static final int IFA_LOCAL = 2;
    private static final int IFA_LABEL = 3;
    private static final int IFA_FLAGS = 8;
    private static final int IFLA_IFNAME = 3;
    private static final int IFLA_MASTER = 10;
    private static final int IFLA_LINKINFO = 18;
    private static final int IFLA_EXT_MASK = 29;
    private static final int SKIP_STATS = 1 << 3;
    private static final int INFO_KIND = 1;
    private static final int INFO_SLAVE_KIND = 4;
    private static final int FRA_SRC = 2;
    private static final int FRA_IIFNAME = 3;
    private static final int IFAL_ADDRESS = 1;
    private static final int IFAL_LABEL = 2;
    private static final byte AF_INET = 2;
    private static final byte AF_INET6 = 10;

    private RouteMessages() {}

    static byte family(InetAddress address) {
        return address.getAddress().length == 4 ? AF_INET : AF_INET6;
    }

    /** The body of RTM_GETROUTE. */
    static byte[] routeOf(Route.Packet packet, int flags) {
        ByteBuffer body = ByteBuffer.allocate(128).order(ByteOrder.nativeOrder());
        byte bits = (byte) (packet.destination().getAddress().length * 8);
        body.put(family(packet.destination()))
                .put(bits)
                .put(packet instanceof Route.Own ? 0 : bits)
                .put(new byte[5])
                .putInt(flags);
        put(body, RTA_DST, packet.destination().getAddress());
        switch (packet) {
            case Route.Own own -> {
                return done(body);
            }
            case Route.From from -> put(body, RTA_SRC, from.source().getAddress());
            case Route.Forwarded on -> {
                put(body, RTA_SRC, on.source().getAddress());
                put(body, RTA_IIF, number(on.device()));
            }
        }
        return done(body);
    }

    /** The body of RTM_GETLINK for all. */
    static byte[] allLinks() {
        ByteBuffer body = ByteBuffer.allocate(32).order(ByteOrder.nativeOrder()).put(new byte[IFINFOMSG]);
        put(body, IFLA_EXT_MASK, number(SKIP_STATS));
        return done(body);
    }

    private static byte[] done(ByteBuffer body) {
        byte[] bytes = new byte[body.position()];
        body.flip().get(bytes);
        return bytes;
    }

    private static void put(ByteBuffer body, int attribute, byte[] value) {
        body.putShort((short) (4 + value.length)).putShort((short) attribute).put(value);
    }

    private static byte[] number(int number) {
        return ByteBuffer.allocate(4)
                .order(ByteOrder.nativeOrder())
                .putInt(number)
                .array();
    }

    private static int number(byte @Nullable [] bytes) {
        return bytes == null || bytes.length != 4
                ? 0
                : ByteBuffer.wrap(bytes).order(ByteOrder.nativeOrder()).getInt();
    }

    private static InetAddress address(byte[] bytes) throws OddBytes {
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new OddBytes("an address of " + bytes.length + " bytes");
        }
    }

    static Route route(Message message) throws OddBytes {
        byte[] several = message.attributes().get(RTA_MULTIPATH);
        List<Route.Hop> hops = several == null ? List.of(hop(0, message.attributes())) : hops(several);
        return new Route(Byte.toUnsignedInt(message.head().get(7)), hops);
    }

    private static List<Route.Hop> hops(byte[] several) throws OddBytes {
        ByteBuffer bytes = ByteBuffer.wrap(several).order(ByteOrder.nativeOrder());
        List<Route.Hop> hops = new ArrayList<>();
        while (bytes.hasRemaining()) {
            int length = bytes.remaining() < 2 ? 0 : Short.toUnsignedInt(bytes.getShort(bytes.position()));
            ByteBuffer one = Messages.take(bytes, RTNEXTHOP, length);
            if ((one.get(2) & RTNH_F_DEAD) == 0) {
                hops.add(hop(one.getInt(4), Messages.attributes(one.position(RTNEXTHOP))));
            }
        }
        return hops;
    }

    private static Route.Hop hop(int device, Map<Integer, byte[]> attributes) throws OddBytes {
        byte[] gateway = attributes.get(RTA_GATEWAY);
        return new Route.Hop(
                device == 0 ? number(attributes.get(RTA_OIF)) : device,
                gateway == null ? Optional.empty() : Optional.of(address(gateway)));
    }

    /** The prefix that a route is for; empty for a default route. */
    static Optional<Route.Prefix> prefix(Message message) throws OddBytes {
        byte[] destination = message.attributes().get(RTA_DST);
        return destination == null
                ? Optional.empty()
                : Optional.of(new Route.Prefix(
                        address(destination), Byte.toUnsignedInt(message.head().get(1))));
    }

    static DeviceAddress deviceAddress(Message message) throws OddBytes {
        ByteBuffer head = message.head();
        byte[] subnet = message.attributes().get(IFA_ADDRESS);
        byte[] own = message.attributes().getOrDefault(IFA_LOCAL, subnet);
        if (own == null) {
            throw new OddBytes("a device's address without the address");
        }
        byte[] flags = message.attributes().get(IFA_FLAGS);
        return new DeviceAddress(
                head.getInt(4),
                address(own),
                address(subnet == null ? own : subnet),
                Byte.toUnsignedInt(head.get(1)),
                Byte.toUnsignedInt(head.get(3)),
                // the eight bits of the head do not hold all of them
                flags == null ? Byte.toUnsignedInt(head.get(2)) : number(flags),
                message.text(IFA_LABEL));
    }

    static Link link(Message message) throws OddBytes {
        int index = message.head().getInt(4);
        byte[] info = message.attributes().get(IFLA_LINKINFO);
        Map<Integer, byte[]> kinds = info == null
                ? Map.of()
                : Messages.attributes(ByteBuffer.wrap(info).order(ByteOrder.nativeOrder()));
        int domain = 0;
        if (is("vrf", kinds.get(INFO_KIND))) {
            domain = index;
        } else if (is("vrf", kinds.get(INFO_SLAVE_KIND))) {
            domain = number(message.attributes().get(IFLA_MASTER));
        }
        return new Link(index, message.text(IFLA_IFNAME), domain);
    }

    private static boolean is(String kind, byte @Nullable [] text) {
        return text != null && Messages.text(text).equals(kind);
    }

    static boolean looksAtOrigin(Message rule) {
        String device = rule.text(FRA_IIFNAME);
        // packets of the node itself match as coming in through the loopback
        return rule.attributes().containsKey(FRA_SRC) || !device.isEmpty() && !device.equals("lo");
    }

    static AddressLabel label(Message message) throws OddBytes {
        byte[] prefix = message.attributes().get(IFAL_ADDRESS);
        if (prefix == null) {
            throw new OddBytes("a label without a prefix");
        }
        return new AddressLabel(
                address(prefix),
                Byte.toUnsignedInt(message.head().get(2)),
                message.head().getInt(4),
                Integer.toUnsignedLong(number(message.attributes().get(IFAL_LABEL))));
    }
}
