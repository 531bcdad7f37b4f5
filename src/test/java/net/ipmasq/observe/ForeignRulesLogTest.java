package net.ipmasq.observe;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.InMemoryTable.BaseRule;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is logged of others' rules on a node where they come and go, as with a CNI that has a chain for each pod. */
class ForeignRulesLogTest {
    private static final int PODS = 110;

    @TempDir
    private Path dir;

    private final InMemoryDataplane kernel = new InMemoryDataplane();
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final List<Integer> pods = new ArrayList<>();
    private AgentLoop loop;

    @BeforeEach
    void agent() {
        SteadyClock clock = SteadyClock.system();
        loop = new AgentLoop(new Reconciler(
                kernel,
                new FileSource(dir.resolve("none"), Duration.ofSeconds(10)),
                Profiles.named("cce"),
                new StateStore(dir),
                clock,
                clock.instant()));
        loop.onPass(new StatusLog(
                new LineLog(new PrintStream(out, true, StandardCharsets.UTF_8), false, Clock.systemUTC())));
        loop.pass();
        lines();
    }

    /** The newest pod's rule comes first, as CNI plug-ins insert theirs. */
    private List<String> start(int pod) {
        pods.addFirst(pod);
        return passOver();
    }

    private List<String> passOver() {
        kernel.edit(IPV4, table -> {
            List<BaseRule> base = new ArrayList<>(pods.stream()
                    .map(pod -> BaseRule.masquerade("-s 10.0.0." + pod + "/32 -j CNI-" + pod, true))
                    .toList());
            base.addAll(table.base().stream()
                    .filter(rule -> rule.narrowed().isEmpty())
                    .toList());
            return table.withBase(base);
        });
        loop.pass();
        return lines();
    }

    private List<String> lines() {
        List<String> lines = out.toString(StandardCharsets.UTF_8).lines().toList();
        out.reset();
        return lines;
    }

    @Test
    void eachPodsStartIsOneLineOfItsOwnRule() {
        for (int pod = 1; pod <= PODS; pod++) {
            String rule = pod <= 100 ? "-j CNI-" + pod : "1 more rule of others, the first 100 of all in status";
            assertThat(start(pod)).singleElement().asString().contains("may-shadow", rule);
        }
        assertThat(loop.status().orElseThrow().families().get(IPV4).shadows())
                .as("the first hundred are in status, and how many more there are")
                .hasSize(101)
                .last()
                .extracting(Shadow::text)
                .isEqualTo("(and 10 more rules of others)");
        pods.remove(Integer.valueOf(50));
        assertThat(passOver()).as("one that goes").isEmpty();
    }

    @Test
    void manyAtOnceAreCounted() {
        for (int pod = PODS; pod > 1; pod--) {
            pods.add(pod);
        }
        assertThat(passOver())
                .singleElement()
                .asString()
                .contains(
                        "may-shadow: " + (PODS - 1) + " more rules of others, the first 100 of all in status",
                        "-j CNI-110");
        assertThat(start(1)).hasSize(1);
        assertThat(passOver()).isEmpty();
        pods.remove(Integer.valueOf(PODS));
        assertThat(passOver()).as("one that goes, and lets one move up").isEmpty();
        pods.clear();
        assertThat(passOver()).singleElement().asString().contains("no rules of others overrule ours any more");
    }

    /** Nobody has seen them go. */
    @Test
    void anUnreadableMomentIsNoReasonToListThemAgain() {
        start(1);
        start(2);
        kernel.failReads(IPV4, Optional.of(new Failure(FailureCode.LOCK_HELD, "held", "wait")));
        loop.pass();
        assertThat(loop.status().orElseThrow().families().get(IPV4).shadows()).hasSize(2);
        lines();
        kernel.failReads(IPV4, Optional.empty());
        assertThat(start(3)).filteredOn(line -> line.contains("may-shadow")).hasSize(1);
    }
}
