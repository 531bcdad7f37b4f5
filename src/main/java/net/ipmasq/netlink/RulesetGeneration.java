package net.ipmasq.netlink;

import java.io.IOException;
import java.time.Duration;
import java.util.OptionalLong;
import net.ipmasq.netlink.Messages.Message;

/**
 * Asks for the generation of the ruleset, a number that the kernel changes with every committed transaction of any nf_tables
 * table in the namespace. Costs two system calls.
 */
public final class RulesetGeneration implements AutoCloseable {
    private static final int NFT_MSG_NEWGEN = 10 << 8 | 15;
    private static final int NFT_MSG_GETGEN = 10 << 8 | 16;
    private static final int GEN_ID = 1;

    /** The answer is ready when sending returns; this is for a kernel that behaves otherwise. */
    private static final Duration LIMIT = Duration.ofMillis(200);

    private final NetlinkSocket socket;
    private int sequence;

    private RulesetGeneration(NetlinkSocket socket) {
        this.socket = socket;
    }

    /**
     * Opens a socket to the namespace of this thread.
     *
     * @throws IOException if that is not possible
     */
    public static RulesetGeneration open() throws IOException {
        return new RulesetGeneration(NetlinkSocket.open());
    }

    /**
     * The generation now, 1 to 4294967295; empty if the kernel does not report it, for example without nf_tables or
     * CAP_NET_ADMIN.
     */
    public synchronized OptionalLong current() {
        sequence++;
        try {
            socket.send(Messages.request(NFT_MSG_GETGEN, sequence));
            while (socket.receive(LIMIT) instanceof NetlinkSocket.Datagram datagram) {
                for (Message message : Messages.in(datagram.bytes())) {
                    if (message.sequence() == sequence) {
                        return answer(message);
                    }
                }
            }
        } catch (IOException | Messages.OddBytes e) {
            System.getLogger(RulesetGeneration.class.getName())
                    .log(System.Logger.Level.DEBUG, "the kernel does not tell the generation", e);
        }
        return OptionalLong.empty();
    }

    private static OptionalLong answer(Message message) {
        long generation = message.type() == NFT_MSG_NEWGEN ? message.number(GEN_ID) : -1;
        return generation < 0 ? OptionalLong.empty() : OptionalLong.of(generation);
    }

    @Override
    public synchronized void close() {
        socket.close();
    }
}
