package net.ipmasq.agent;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import net.ipmasq.netlink.AddressEvents;

/**
 * Listens to IPv6 addresses, so that rules for IPv6 are there when a device gets it and not when the interval is over.
 * Where listening is not possible, every pass still checks, and the watch tries again.
 */
public final class AddressWatch implements AutoCloseable {
    private static final Duration RETRY = Duration.ofSeconds(10);

    /** Decides only how soon the thread notices that it has to end. */
    private static final Duration IDLE = Duration.ofSeconds(5);

    private final KernelWatch.Opener<AddressEvents> opener;
    private final TransitionLog transitions;
    private final Ipv6Trigger passes;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread;

    /**
     * To be made before the first pass, and started after it.
     *
     * @param possible whether the node has IPv6
     * @param log takes one line when listening fails, and one when it works again
     */
    public AddressWatch(
            AgentLoop loop,
            KernelWatch.Opener<AddressEvents> opener,
            BooleanSupplier possible,
            Clock clock,
            Consumer<String> log) {
        this.opener = opener;
        this.transitions = new TransitionLog(log, why -> loop.notFollowed("addresses", why));
        this.passes = new Ipv6Trigger(loop, possible, clock);
        this.thread = Thread.ofPlatform().daemon().name("address-watch").unstarted(this::watch);
    }

    public AddressWatch start() {
        thread.start();
        return this;
    }

    private void watch() {
        try {
            do {
                listen();
            } while (!end.await(RETRY.toMillis(), TimeUnit.MILLISECONDS));
        } catch (InterruptedException e) {
            // only the end of the process interrupts this thread
            Thread.currentThread().interrupt();
        }
    }

    private void listen() {
        try (AddressEvents events = opener.open()) {
            passes.begin();
            while (end.getCount() > 0) {
                passes.passIfDue();
                if (events.next(passes.due().orElse(IDLE))) {
                    passes.heard();
                }
                transitions.over("the kernel reports IPv6 addresses again");
            }
        } catch (IOException e) {
            transitions.issue("the kernel does not report IPv6 addresses (" + e.getMessage()
                    + "): whether the node has IPv6 is checked once per interval only");
        } catch (RuntimeException | Error e) {
            // a pass runs here with all its listeners; whatever it threw, or a lack of memory, may be over soon
            transitions.issue(
                    "IPv6 addresses are not followed (" + e + "): tried again every " + RETRY.toSeconds() + " s");
        }
    }

    /** Lets the thread end; it does so within seconds, or after the pass that it is in. */
    @Override
    public void close() {
        end.countDown();
    }
}
