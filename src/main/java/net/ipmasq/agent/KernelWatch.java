package net.ipmasq.agent;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.ipmasq.dataplane.CachingDataplane;
import net.ipmasq.dataplane.Generation;
import net.ipmasq.netlink.RulesetEvents;

/**
 * Listens to the kernel, so that damage is repaired when it happens and not when the interval is over; and gives the
 * dataplane the kernel's generation. Where listening is not possible, passes run at the interval only, and the watch
 * tries again.
 */
public final class KernelWatch implements AutoCloseable {
    private static final Duration RETRY = Duration.ofSeconds(10);

    /** Decides only how soon the thread notices that it has to end. */
    private static final Duration IDLE = Duration.ofSeconds(5);

    private final AgentLoop loop;
    private final CachingDataplane dataplane;
    private final Kernel kernel;
    private final TransitionLog transitions;
    private final EventTrigger passes;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;
    private boolean hasGeneration;

    /** Opens a connection to the kernel. */
    @FunctionalInterface
    public interface Opener<T> {
        /**
         * @throws IOException if that fails
         */
        T open() throws IOException;
    }

    /** The ways to the kernel. Opened when they are needed first, on the watch's own thread. */
    public record Kernel(Opener<Generation> generation, Opener<RulesetEvents> events) {}

    /**
     * @param clock the agent's; times of healing are taken from it
     * @param log takes one line when listening fails, and one when it works again
     */
    public KernelWatch(AgentLoop loop, CachingDataplane dataplane, Kernel kernel, Clock clock, Consumer<String> log) {
        this.loop = loop;
        this.dataplane = dataplane;
        this.kernel = kernel;
        this.transitions = new TransitionLog(log, why -> loop.notFollowed("rules", why));
        this.passes = new EventTrigger(loop, dataplane, clock);
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
                if (loop.status().flatMap(RuleLocation::of).isPresent()) {
                    listen();
                }
            } while (!end.await(RETRY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            // only the end of the process interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        try {
            if (!hasGeneration) {
                dataplane.use(kernel.generation().open());
                hasGeneration = true;
            }
            try (RulesetEvents events = kernel.events().open()) {
                passes.begin();
                while (end.getCount() > 0) {
                    passes.passIfDue();
                    passes.heard(events.next(passes.due().orElse(IDLE)));
                    // not earlier: only now have a pass and a wait succeeded
                    transitions.over("the kernel reports changes again");
                }
            }
        } catch (IOException e) {
            transitions.issue("the kernel does not report changes (" + e.getMessage()
                    + "): rules are checked once per interval only");
        } catch (RuntimeException | Error e) {
            // a pass runs here with all its listeners; whatever it threw, or a lack of threads, may be over soon. What
            // this Java or image cannot do at all is an Error too, and the thread must not die of it unseen
            transitions.issue("changes in the kernel are not followed (" + e + "): tried again every "
                    + RETRY.toSeconds() + " s");
        }
    }

    /** Lets the thread end; it does so within seconds, or after the pass that it is in. */
    @Override
    public void close() {
        end.countDown();
    }
}
