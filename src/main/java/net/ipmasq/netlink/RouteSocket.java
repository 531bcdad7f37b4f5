package net.ipmasq.netlink;

import java.io.IOException;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.netlink.Messages.Message;
import net.ipmasq.netlink.Messages.OddBytes;

/** Asks the kernel for routes, addresses and devices; needs no privilege. For one thread at a time. */
public final class RouteSocket implements AutoCloseable {
    private static final int GETLINK = 18;
    private static final int GETADDR = 22;
    private static final int GETROUTE = 26;
    private static final int GETRULE = 34;
    private static final int GETADDRLABEL = 74;
    private static final byte AF_INET6 = 10;

    /** Answers are ready when sending returns; this is for a kernel that behaves otherwise. */
    private static final Duration LIMIT = Duration.ofSeconds(2);

    /** A list that changed while it was made is asked for again, at most this often. */
    private static final int ATTEMPTS = 3;

    private final NetlinkSocket socket;
    private int sequence;

    @FunctionalInterface
    private interface Reader<T> {
        T read(Message message) throws OddBytes;
    }

    private RouteSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    /**
     * Opens a socket to the namespace of this thread.
     *
     * @throws IOException if that is not possible
     */
    public static RouteSocket open() throws IOException {
        return new RouteSocket(NetlinkSocket.openRouting());
    }

    /**
     * The route of a packet, with the one next hop that the kernel uses for it.
     *
     * @throws IOException if the kernel does not answer
     */
    public Route.Answer route(Route.Packet packet) throws IOException {
        return ask(packet, 0);
    }

    /** The route of a packet with all its next hops. */
    public Route.Answer ways(Route.Packet packet) throws IOException {
        return ask(packet, RouteMessages.FIB_MATCH);
    }

    private Route.Answer ask(Route.Packet packet, int flags) throws IOException {
        List<Message> answers = exchange(GETROUTE, 0, RouteMessages.routeOf(packet, flags), RouteMessages.RTMSG);
        for (Message message : answers) {
            if (message.type() == RouteMessages.NEWROUTE) {
                return new Route.Found(understood(RouteMessages::route, message));
            }
            if (message.error() > 0) {
                return new Route.Refused(message.error());
            }
        }
        throw new IOException("the kernel's answer holds no route");
    }

    public List<Link> links() throws IOException {
        return dump(
                GETLINK, RouteMessages.allLinks(), RouteMessages.IFINFOMSG, RouteMessages.NEWLINK, RouteMessages::link);
    }

    /** All addresses of the family of {@code like}, in the kernel's order within each device. */
    public List<DeviceAddress> addresses(InetAddress like) throws IOException {
        byte[] body = new byte[RouteMessages.IFADDRMSG];
        body[0] = RouteMessages.family(like);
        return dump(GETADDR, body, body.length, RouteMessages.NEWADDR, RouteMessages::deviceAddress);
    }

    /** All lines of all routing tables for the family of {@code like}, except default routes. */
    public List<Route.Entry> routes(InetAddress like) throws IOException {
        byte[] body = new byte[RouteMessages.RTMSG];
        body[0] = RouteMessages.family(like);
        List<Route.Entry> entries = new ArrayList<>();
        for (Message message : dumped(GETROUTE, body, body.length, RouteMessages.NEWROUTE)) {
            Optional<Route.Prefix> prefix = understood(RouteMessages::prefix, message);
            if (prefix.isPresent()) {
                entries.add(new Route.Entry(prefix.get(), understood(RouteMessages::route, message)));
            }
        }
        return entries;
    }

    /** Whether a rule looks at where packets come from: at their source, or at the device that they came in through. */
    public boolean routesByOrigin(InetAddress like) throws IOException {
        byte[] body = new byte[RouteMessages.FIB_RULE];
        body[0] = RouteMessages.family(like);
        return dumped(GETRULE, body, body.length, RouteMessages.NEWRULE).stream()
                .anyMatch(RouteMessages::looksAtOrigin);
    }

    /** The policy table for IPv6 addresses. */
    public List<AddressLabel> labels() throws IOException {
        byte[] body = new byte[RouteMessages.IFADDRLBLMSG];
        body[0] = AF_INET6;
        return dump(GETADDRLABEL, body, body.length, RouteMessages.NEWADDRLABEL, RouteMessages::label);
    }

    private <T> List<T> dump(int type, byte[] body, int head, int wanted, Reader<T> reader) throws IOException {
        List<T> all = new ArrayList<>();
        for (Message message : dumped(type, body, head, wanted)) {
            all.add(understood(reader, message));
        }
        return all;
    }

    private List<Message> dumped(int type, byte[] body, int head, int wanted) throws IOException {
        List<Message> answers = List.of();
        for (int i = 0; i < ATTEMPTS; i++) {
            answers = exchange(type, Messages.NLM_F_DUMP, body, head);
            if (answers.stream().noneMatch(message -> (message.flags() & Messages.NLM_F_DUMP_INTR) != 0)) {
                break;
            }
        }
        for (Message message : answers) {
            if (message.error() > 0) {
                throw new IOException("the kernel refuses the list: errno " + message.error());
            }
        }
        return answers.stream().filter(message -> message.type() == wanted).toList();
    }

    private List<Message> exchange(int type, int flags, byte[] body, int head) throws IOException {
        sequence++;
        socket.send(Messages.request(type, flags, sequence, body));
        List<Message> answers = new ArrayList<>();
        while (socket.receive(LIMIT) instanceof NetlinkSocket.Datagram datagram) {
            for (Message message : messages(datagram, head)) {
                if (message.sequence() == sequence) {
                    answers.add(message);
                }
            }
            if (isWhole(answers, flags)) {
                return answers;
            }
        }
        throw new IOException("the kernel does not answer");
    }

    private static boolean isWhole(List<Message> answers, int flags) {
        return !answers.isEmpty()
                && (flags == 0
                        || answers.getLast().type() == Messages.NLMSG_DONE
                        || answers.getLast().type() == Messages.NLMSG_ERROR);
    }

    private static List<Message> messages(NetlinkSocket.Datagram datagram, int head) throws IOException {
        try {
            return Messages.in(datagram.bytes(), head);
        } catch (OddBytes e) {
            throw new IOException("the kernel's answer is not understood", e);
        }
    }

    private static <T> T understood(Reader<T> reader, Message message) throws IOException {
        try {
            return reader.read(message);
        } catch (OddBytes e) {
            throw new IOException("the kernel's answer is not understood", e);
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
