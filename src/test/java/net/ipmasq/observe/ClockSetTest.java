package net.ipmasq.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.Heartbeat;
import net.ipmasq.agent.NodeTime;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.StateStore;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Hooked;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.lab.TextRunner;
import net.ipmasq.policy.PodNetwork;
import org.eclipse.microprofile.health.HealthCheckResponse;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Probes, counters and times while the node's clock is set forward and back, and what liveness goes by. */
class ClockSetTest {
    private static final Duration LONGEST_CALL = Duration.ofSeconds(30);

    @TempDir
    private Path dir;

    private final NodeTime time = new NodeTime();
    private final Heartbeat life = new Heartbeat(time.clock());
    private final InMemoryDataplane kernel = new InMemoryDataplane();
    private AgentLoop loop;
    private Health.Live live;
    private Health.Ready ready;

    @BeforeEach
    void firstPass() {
        loop = loop(kernel);
        live = new Health.Live(loop, time.clock());
        ready = new Health.Ready(loop, time.clock());
        loop.pass();
    }

    private AgentLoop loop(Dataplane dataplane) {
        return new AgentLoop(
                new Reconciler(
                        dataplane,
                        new FileSource(dir.resolve("none"), Duration.ofSeconds(10)),
                        Profiles.named("cce"),
                        new StateStore(dir),
                        time.clock(),
                        time.clock().instant()),
                life);
    }

    private static boolean up(HealthCheckResponse response) {
        return response.getStatus() == HealthCheckResponse.Status.UP;
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "P3650D", "-PT1H", "-P3650D"})
    void aClockThatIsSetKeepsNobodyFromPasses(String by) {
        time.set(Duration.parse(by));
        assertThat(up(live.call())).isTrue();
        assertThat(up(ready.call())).isTrue();
        // an interval of a minute each
        time.pass(Duration.ofMinutes(4));
        assertThat(up(ready.call())).as("out of date").isFalse();
        assertThat(up(live.call())).isTrue();
        time.pass(Duration.ofMinutes(2));
        assertThat(up(live.call())).as("no pass for six minutes").isFalse();
        loop.pass();
        assertThat(up(live.call())).isTrue();
        assertThat(up(ready.call())).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"PT1H", "-PT1H"})
    void countersAreAsFreshAsAskedForWhateverTheClockSays(String by) {
        AtomicInteger reads = new AtomicInteger();
        Hooked counting = new Hooked(kernel, () -> {}, reads::incrementAndGet);
        KernelCounters counters = new KernelCounters(counting, time.clock());
        AgentStatus status = loop.status().orElseThrow();
        counters.read(status, Duration.ofSeconds(15));
        time.set(Duration.parse(by));
        counters.read(status, Duration.ofSeconds(15));
        assertThat(reads).as("nothing has passed").hasValue(1);
        time.pass(Duration.ofSeconds(16));
        counters.read(status, Duration.ofSeconds(15));
        assertThat(reads).hasValue(2);
    }

    @Test
    void timesForPeopleAreTheNodesAsItIsSetNow() {
        AgentStatus status = loop.status().orElseThrow();
        assertThat(lastPass(status)).isEqualTo(time.timeOfDay().instant());
        // a node that boots in 1970 and learns the time of day later
        time.set(Duration.ofDays(20_000));
        assertThat(lastPass(status)).isEqualTo(time.timeOfDay().instant());
        Instant then = time.timeOfDay().instant();
        time.pass(Duration.ofSeconds(10));
        assertThat(lastPass(status)).as("it does not move with time").isEqualTo(then);
        assertThat(live.call().getData().orElseThrow()).containsEntry("lastPass", then.toString());
    }

    private Instant lastPass(AgentStatus status) {
        Map<String, Object> document =
                StatusDocument.of(status, new Observed(Map.of()), PodNetwork.UNKNOWN, time.clock()::shown);
        return Instant.parse(String.valueOf(((Map<?, ?>) document.get("passes")).get("last")));
    }

    /** Forty calls that each take as long as a call may: twenty minutes in which the agent does what it can. */
    @Test
    void aPassThatGetsOnIsAliveHoweverManyCallsItMakes() {
        CommandRunner tools = life.heard(new SlowTools());
        loop.passIf(() -> {
            // between two passes nothing is a sign
            time.pass(Duration.ofMinutes(6));
            tools.run(List.of("iptables-save"), "", LONGEST_CALL);
            assertThat(up(live.call())).isFalse();
            return Optional.empty();
        });
        Hooked slowly = new Hooked(
                kernel,
                () -> {
                    for (int call = 0; call < 40; call++) {
                        tools.run(List.of("iptables-save"), "", LONGEST_CALL);
                        assertThat(up(live.call())).isTrue();
                    }
                },
                () -> {});
        AgentLoop slow = loop(slowly);
        slow.pass();
        assertThat(up(live.call())).isTrue();
        time.pass(Duration.ofMinutes(6));
        assertThat(up(live.call())).isFalse();
    }

    private final class SlowTools implements TextRunner {
        @Override
        public Outcome run(List<String> argv, String stdin, Duration limit) {
            time.pass(limit);
            return new TimedOut(limit);
        }

        @Override
        public boolean has(String program) {
            return true;
        }
    }
}
