package net.ipmasq.netlink;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** The group of nf_tables' events. */
final class EventSocket implements RulesetEvents {
    static final int NFNLGRP_NFTABLES = 7;

    /** Some ten thousand rules in one transaction; the kernel allocates nothing before it is needed. */
    static final int ROOM = 4 * 1024 * 1024;

    private final NetlinkSocket socket;
    private final EventDecoder decoder = new EventDecoder();

    EventSocket(NetlinkSocket socket) {
        this.socket = socket;
    }

    @Override
    public List<RulesetEvent> next(Duration limit) throws IOException {
        long end = System.nanoTime() + limit.toNanos();
        while (true) {
            long left = Math.max(0, end - System.nanoTime());
            switch (socket.receive(Duration.ofNanos(left))) {
                case NetlinkSocket.Datagram datagram -> {
                    List<RulesetEvent> events = decoder.decode(datagram.bytes());
                    // the end of a transaction comes in a datagram of its own, after what it touched
                    if (!events.isEmpty()) {
                        return events;
                    }
                }
                case NetlinkSocket.Overflow overflow -> {
                    return List.of(decoder.lost("more events than the socket could hold"));
                }
                case NetlinkSocket.Nothing nothing -> {
                    if (left == 0) {
                        return List.of();
                    }
                }
            }
        }
    }

    @Override
    public void close() {
        socket.close();
    }
}
