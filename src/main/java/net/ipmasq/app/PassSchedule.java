package net.ipmasq.app;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.quarkus.scheduler.Scheduler;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import net.ipmasq.agent.AgentLoop;

/** Lets the scheduler drive the passes; a changed interval, or a retry, replaces the job at once. */
@Singleton
public class PassSchedule {
    private static final String JOB = "pass";

    private final Scheduler scheduler;
    private final AgentLoop loop;
    private Duration delay = Duration.ZERO;

    @Inject
    PassSchedule(Scheduler scheduler, AgentLoop loop) {
        this.scheduler = scheduler;
        this.loop = loop;
    }

    void start(@Observes StartupEvent event) {
        loop.onPass((before, after) -> follow());
        follow();
    }

    void stop(@Observes ShutdownEvent event) {
        loop.stop();
    }

    private synchronized void follow() {
        Duration wanted = loop.nextDelay();
        if (wanted.equals(delay)) {
            return;
        }
        delay = wanted;
        scheduler.unscheduleJob(JOB);
        scheduler
                .newJob(JOB)
                .setInterval("PT" + wanted.toMillis() / 1000.0 + "S")
                .setDelayed("PT" + wanted.toMillis() / 1000.0 + "S")
                .setConcurrentExecution(ConcurrentExecution.SKIP)
                .setTask(execution -> loop.pass())
                .schedule();
    }
}
