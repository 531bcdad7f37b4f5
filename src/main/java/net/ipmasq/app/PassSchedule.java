package net.ipmasq.app;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.observe.LineLog;
import org.jspecify.annotations.Nullable;

/**
 * Drives the passes; a changed interval, or a retry, applies at once. A thread of its own does it, since the
 * framework's scheduler goes by the time of day: a clock that is set back an hour would mean an hour without passes. The
 * scheduler looks after that thread (ADR 0016).
 */
@Singleton
public class PassSchedule {
    private final AgentLoop loop;
    private final LineLog log;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("passes").unstarted(task));
    private Duration delay = Duration.ZERO;
    private @Nullable ScheduledFuture<?> job;

    @Inject
    PassSchedule(AgentLoop loop, LineLog log) {
        this.loop = loop;
        this.log = log;
    }

    void start(@Observes StartupEvent event) {
        loop.onPass((before, after) -> follow());
        follow();
    }

    void stop(@Observes ShutdownEvent event) {
        synchronized (this) {
            thread.shutdown();
        }
        loop.stop();
        log.info("stopping; the rules stay");
    }

    private synchronized void follow() {
        Duration wanted = loop.nextDelay();
        if (wanted.equals(delay) || thread.isShutdown()) {
            return;
        }
        delay = wanted;
        ScheduledFuture<?> older = job;
        if (older != null) {
            // never the pass that this may be called from
            older.cancel(false);
        }
        job = thread.scheduleWithFixedDelay(this::pass, wanted.toMillis(), wanted.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Begins anew where the schedule has ended, as it does when even the line about a failed pass cannot be written. */
    @Scheduled(every = "30s", delayed = "30s", concurrentExecution = ConcurrentExecution.SKIP)
    synchronized void keepGoing() {
        ScheduledFuture<?> ended = job;
        if (ended != null && ended.isDone()) {
            delay = Duration.ZERO;
            follow();
        }
    }

    private void pass() {
        try {
            loop.pass();
        } catch (RuntimeException | Error e) {
            // rethrown, it would end the schedule; whatever it was, such as no memory or no thread, may be over soon
            log.error("a pass ended early (" + e + "): the next follows");
        }
    }
}
