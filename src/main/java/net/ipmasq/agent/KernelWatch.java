package net.ipmasq.agent;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.ipmasq.dataplane.Generation;
import net.ipmasq.dataplane.GenerationGate;
import net.ipmasq.netlink.RulesetEvents;

/**
 * Listens to the kernel, so that damage is put right when it happens and not when the interval is over; and gives the
 * dataplane the kernel's generation. Where the kernel cannot be listened to, the agent goes on as the interval says, and
 * the watch tries again.
 */
public final class KernelWatch implements AutoCloseable {
    private static final Duration RETRY = Duration.ofSeconds(10);

    /** Nothing depends on it but how soon the thread sees that it is to end. */
    private static final Duration IDLE = Duration.ofSeconds(5);

    private final AgentLoop loop;
    private final GenerationGate gate;
    private final Kernel kernel;
    private final SaidOnce said;
    private final EventPasses passes;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;
    private boolean hasGeneration;

    /** Opens something of the kernel's. */
    @FunctionalInterface
    public interface Opener<T> {
        /**
         * @throws IOException if it cannot be had
         */
        T open() throws IOException;
    }

    /** The ways to the kernel. Opened when they are needed first, on the watch's own thread. */
    public record Kernel(Opener<Generation> generation, Opener<RulesetEvents> events) {}

    /**
     * @param clock the agent's; times of healing are taken from it
     * @param log takes one line when listening cannot be had, and one when it can again
     */
    public KernelWatch(AgentLoop loop, GenerationGate gate, Kernel kernel, Clock clock, Consumer<String> log) {
        this.loop = loop;
        this.gate = gate;
        this.kernel = kernel;
        this.said = new SaidOnce(log);
        this.passes = new EventPasses(loop, gate, clock);
        this.thread = Thread.ofPlatform().daemon().name("kernel-watch").unstarted(this::watch);
    }

    /** To be called after the first pass. */
    public KernelWatch start() {
        thread.start();
        return this;
    }

    private void watch() {
        try {
            do {
                // on a node that uses legacy tables only, listening would load nf_tables
                if (loop.status().flatMap(Home::of).isPresent()) {
                    listen();
                }
            } while (!end.await(RETRY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            // nobody interrupts this thread but the end of the process
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        try {
            if (!hasGeneration) {
                gate.use(kernel.generation().open());
                hasGeneration = true;
            }
            try (RulesetEvents events = kernel.events().open()) {
                passes.begin();
                while (end.getCount() > 0) {
                    passes.passIfDue();
                    passes.heard(events.next(passes.due().orElse(IDLE)));
                    // not before: a pass and a wait have gone well now
                    said.over("the kernel tells of changes again");
                }
            }
        } catch (IOException e) {
            said.trouble("the kernel does not tell of changes (" + e.getMessage()
                    + "): rules are checked in every interval only");
        } catch (RuntimeException | OutOfMemoryError e) {
            // a pass runs here with all who listen to it; whatever it threw, or no thread to be had, may be over soon
            said.trouble("changes of the kernel's are not followed (" + e + "): tried again every " + RETRY.toSeconds()
                    + " s");
        }
    }

    /** Lets the thread end; it does so within seconds, or after the pass that it is in. */
    @Override
    public void close() {
        end.countDown();
    }
}
