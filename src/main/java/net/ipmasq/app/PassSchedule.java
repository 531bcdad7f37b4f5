package net.ipmasq.app;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import io.quarkus.scheduler.Scheduled.ConcurrentExecution;
import io.quarkus.scheduler.Scheduler;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.Map;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.observe.LineLog;

/** Lets the scheduler drive the passes; a changed interval, or a retry, replaces the job at once. */
@Singleton
public class PassSchedule {
    private static final String JOB = "pass";

    private final Scheduler scheduler;
    private final AgentLoop loop;
    private final LineLog log;
    private Duration delay = Duration.ZERO;

    @Inject
    PassSchedule(Scheduler scheduler, AgentLoop loop, LineLog log) {
        this.scheduler = scheduler;
        this.loop = loop;
        this.log = log;
    }

    void start(@Observes StartupEvent event) {
        loop.onPass((before, after) -> follow());
        follow();
    }

    void stop(@Observes ShutdownEvent event) {
        loop.stop();
        log.log(LineLog.Level.INFO, "stopping; the rules stay", Map.of());
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
