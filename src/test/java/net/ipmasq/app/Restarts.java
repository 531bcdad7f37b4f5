package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.function.IntConsumer;
import net.ipmasq.lab.PacketStream;

/** Restarts of the agent under a stream of flows, none of which may be lost or leave with the wrong address. */
final class Restarts {
    private static final int RESTARTS = 20;

    /** A native binary has restarted twenty times before that many have come: it goes on until they have. */
    private static final int FLOWS = 500;

    private static final Duration LIMIT = Duration.ofMinutes(8);

    private Restarts() {}

    /**
     * Ends the stream, too.
     *
     * @param restart starts the agent, waits for its rules and ends it; gets 0, 1, 2 and so on
     */
    static void under(PacketStream stream, String what, IntConsumer restart) {
        long begin = System.nanoTime();
        int restarts = 0;
        while (restarts < RESTARTS || stream.flows() < FLOWS) {
            restart.accept(restarts);
            restarts++;
            if (System.nanoTime() - begin > LIMIT.toNanos()) {
                throw new AssertionError(
                        restarts + " restarts and " + stream.flows() + " flows in " + LIMIT.toMinutes() + " minutes");
            }
        }
        // those that came while it was down for the last time
        stream.awaitFlows(100, Duration.ofSeconds(30));
        PacketStream.Report report = stream.stop();
        System.out.println(what + ", restarts: " + restarts + ", flows: " + report.flows() + ", wrong sources: "
                + report.wrong().size() + ", lost: " + report.lost().size());
        assertThat(report.wrong()).isEmpty();
        assertThat(report.lost()).isEmpty();
    }
}
