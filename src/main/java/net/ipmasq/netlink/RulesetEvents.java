package net.ipmasq.netlink;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

/** Listens to changes of nf_tables. For one thread at a time. */
public interface RulesetEvents extends AutoCloseable {

    /**
     * What has happened since the last call; waits for that up to {@code limit}. Empty if nothing has.
     *
     * @throws IOException if listening is no longer possible
     */
    List<RulesetEvent> next(Duration limit) throws IOException;

    @Override
    void close();

    /**
     * Begins to listen in the network namespace of this thread. The kernel loads nf_tables for it.
     *
     * @throws IOException if that is not possible here, for example without CAP_NET_ADMIN
     */
    static RulesetEvents open() throws IOException {
        return new EventSocket(NetlinkSocket.open().joining(EventSocket.NFNLGRP_NFTABLES, EventSocket.ROOM));
    }
}
