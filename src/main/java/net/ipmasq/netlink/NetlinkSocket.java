package net.ipmasq.netlink;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.time.Duration;

/**
 * A socket to the kernel's netfilter or to its routing. It belongs to the network namespace of the thread that opened it,
 * wherever it is used. For one thread at a time.
 */
public final class NetlinkSocket implements AutoCloseable {
    private static final int AF_NETLINK = 16;
    private static final int SOCK_RAW_CLOEXEC = 3 | 0x80000;
    private static final int NETLINK_ROUTE = 0;
    private static final int NETLINK_NETFILTER = 12;
    private static final int SOL_NETLINK = 270;
    private static final int NETLINK_ADD_MEMBERSHIP = 1;
    private static final int SOL_SOCKET = 1;
    private static final int SO_RCVBUFFORCE = 33;
    private static final int MSG_TRUNC = 0x20;
    private static final int MSG_DONTWAIT = 0x40;
    private static final short POLLIN = 1;

    /** The kernel packs events into datagrams of a page or two, and a page can be 64 KiB. */
    private static final int DATAGRAM = 128 * 1024;

    private static final int SOCKADDR_NL = 12;
    private static final int POLLFD = 8;

    // freed by the garbage collector, so never while a thread is still inside a call
    private final ByteBuffer space = direct(DATAGRAM);
    private final ByteBuffer entry = direct(POLLFD);
    private final int fd;
    private boolean open = true;

    public sealed interface Received {}

    /** One datagram, which can hold several messages; valid until the next {@link #receive}. */
    public record Datagram(ByteBuffer bytes) implements Received {}

    /** Nothing came within the limit. */
    public record Nothing() implements Received {}

    /** The kernel sent more than the socket could hold, so messages are lost. */
    public record Overflow() implements Received {}

    private NetlinkSocket(int fd) {
        this.fd = fd;
        entry.putInt(0, fd).putShort(4, POLLIN);
    }

    /** Zeros that C can read and write. */
    static ByteBuffer direct(int size) {
        return ByteBuffer.allocateDirect(size).order(ByteOrder.nativeOrder());
    }

    /**
     * Opens one to netfilter.
     *
     * @throws IOException if the kernel, or this Java, gives none
     */
    public static NetlinkSocket open() throws IOException {
        return open(NETLINK_NETFILTER);
    }

    /** Opens one to the routing: routes, addresses, devices. Needs no privilege. */
    public static NetlinkSocket openRouting() throws IOException {
        return open(NETLINK_ROUTE);
    }

    private static NetlinkSocket open(int protocol) throws IOException {
        try {
            int fd = Libc.socket(AF_NETLINK, SOCK_RAW_CLOEXEC, protocol);
            NetlinkSocket socket = new NetlinkSocket(fd);
            try {
                Libc.bind(fd, direct(SOCKADDR_NL).putShort(0, (short) AF_NETLINK));
            } catch (IOException | RuntimeException | Error e) {
                socket.close();
                throw e;
            }
            return socket;
        } catch (IllegalCallerException | UnsupportedOperationException | Error e) {
            // no C library to link with, a JVM that was started with native access denied, an image without what it
            // needs
            // for calls: each of them throws something else
            throw new IOException("the C library cannot be called: " + e, e);
        }
    }

    /**
     * This socket, which from now on receives the events of a group; closed where that fails.
     *
     * @param room bytes of events that may wait; asking for more than is allowed is not an error
     * @throws IOException without CAP_NET_ADMIN, or without such a group
     */
    NetlinkSocket joining(int group, int room) throws IOException {
        try {
            setOption(SOL_SOCKET, SO_RCVBUFFORCE, room);
        } catch (Libc.CallFailed e) {
            // an overflow comes earlier then; it is treated like any other change
            System.getLogger(NetlinkSocket.class.getName()).log(System.Logger.Level.DEBUG, "default room", e);
        }
        try {
            setOption(SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, group);
            return this;
        } catch (IOException e) {
            close();
            throw e;
        }
    }

    private void setOption(int level, int name, int value) throws Libc.CallFailed {
        Libc.setOption(fd, level, name, direct(Integer.BYTES).putInt(0, value));
    }

    /** Sends one message; the kernel has processed it when this returns. */
    public void send(byte[] message) throws IOException {
        demandOpen();
        Libc.send(fd, direct(message.length).put(0, message));
    }

    /** The next datagram, waiting for it up to {@code limit}, which is rounded up to milliseconds. */
    public Received receive(Duration limit) throws IOException {
        demandOpen();
        try {
            long millis = limit.plusNanos(999_999).toMillis();
            if (!Libc.poll(entry, Math.clamp(millis, 0, Integer.MAX_VALUE))) {
                return new Nothing();
            }
            long length = Libc.receive(fd, space, MSG_DONTWAIT | MSG_TRUNC);
            // a datagram that did not fit is lost
            return length > DATAGRAM
                    ? new Overflow()
                    : new Datagram(space.slice(0, (int) length).order(ByteOrder.nativeOrder()));
        } catch (Libc.CallFailed e) {
            return switch (e.errno()) {
                case Libc.ENOBUFS -> new Overflow();
                case Libc.EAGAIN, Libc.EINTR -> new Nothing();
                default -> throw e;
            };
        }
    }

    private void demandOpen() throws IOException {
        if (!open) {
            throw new IOException("the socket is closed");
        }
    }

    @Override
    public void close() {
        if (open) {
            open = false;
            try {
                Libc.close(fd);
            } catch (IOException e) {
                // Linux frees the descriptor whatever close returns
                System.getLogger(NetlinkSocket.class.getName()).log(System.Logger.Level.DEBUG, "close", e);
            }
        }
    }
}
