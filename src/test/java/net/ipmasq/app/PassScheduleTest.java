package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.Slow;
import net.ipmasq.observe.LineLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Passes come one after the other, whatever one of them ends with. */
@Slow
class PassScheduleTest {
    @TempDir
    private Path dir;

    @Test
    void aPassThatThrowsIsFollowedByAnother() throws IOException {
        AgentLoop loop = loopWithAFailingSecondPass();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        PassSchedule schedule = new PassSchedule(loop, log(out));
        schedule.start(new StartupEvent());
        Eventually.holds(
                "a third pass", () -> loop.status().orElseThrow().passes().count(), value -> value >= 3);
        schedule.stop(new ShutdownEvent());
        assertThat(out.toString(StandardCharsets.UTF_8)).contains("a pass ended early", "stopping; the rules stay");
    }

    /** With no memory even for the line about it, the thread's job is over; the framework's scheduler begins it anew. */
    @Test
    void aScheduleThatHasEndedBeginsAnew() throws IOException {
        AgentLoop loop = loopWithAFailingSecondPass();
        PassSchedule schedule = new PassSchedule(loop, log(new OutputStream() {
            private boolean thrown;

            @Override
            public void write(int b) {
                if (!thrown) {
                    thrown = true;
                    throw new OutOfMemoryError("of a test, for the line");
                }
            }
        }));
        schedule.start(new StartupEvent());
        Eventually.passes("a third pass", () -> {
            schedule.keepGoing();
            assertThat(loop.status().orElseThrow().passes().count()).isGreaterThanOrEqualTo(3);
        });
        schedule.stop(new ShutdownEvent());
    }

    private static LineLog log(OutputStream out) {
        return new LineLog(new PrintStream(out, true, StandardCharsets.UTF_8), false, Clock.systemUTC());
    }

    private AgentLoop loopWithAFailingSecondPass() throws IOException {
        Path config = Files.writeString(dir.resolve("config"), "resyncInterval: 1s\n");
        SteadyClock clock = SteadyClock.system();
        AgentLoop loop = new AgentLoop(new Reconciler(
                new InMemoryDataplane(),
                new FileSource(config, Duration.ofSeconds(10)),
                Profiles.named("cce"),
                new StateStore(dir.resolve("state")),
                clock,
                clock.instant()));
        loop.pass();
        loop.onPass((before, after) -> {
            if (after.passes().count() == 2) {
                throw new OutOfMemoryError("of a test");
            }
        });
        return loop;
    }
}
