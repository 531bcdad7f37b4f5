package net.ipmasq.netlink;

import java.io.IOException;
import java.time.Duration;

/** Listens to IPv6 addresses that come and go; needs no right. For one thread at a time. */
public final class AddressEvents implements AutoCloseable {
    private static final int RTNLGRP_IPV6_IFADDR = 9;
    private static final int ROOM = 256 * 1024;

    /** A limit, so that {@link #next} returns even if the kernel never stops sending. */
    private static final int MOST = 1000;

    private final NetlinkSocket socket;

    private AddressEvents(NetlinkSocket socket) {
        this.socket = socket;
    }

    /**
     * Begins to listen in the network namespace of this thread.
     *
     * @throws IOException if that is not possible here
     */
    public static AddressEvents open() throws IOException {
        return new AddressEvents(NetlinkSocket.openRouting().joining(RTNLGRP_IPV6_IFADDR, ROOM));
    }

    /**
     * Whether any address came or went since the last call; waits for that up to {@code limit}.
     *
     * @throws IOException if listening is no longer possible
     */
    public boolean next(Duration limit) throws IOException {
        // lost messages are reported too, as an overflow
        boolean any = !(socket.receive(limit) instanceof NetlinkSocket.Nothing);
        int more = any ? MOST : 0;
        while (more > 0 && !(socket.receive(Duration.ZERO) instanceof NetlinkSocket.Nothing)) {
            more--;
        }
        return any;
    }

    @Override
    public void close() {
        socket.close();
    }
}
