package net.ipmasq.observe;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.NodeTime;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.StateStore;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.InMemoryTable;
import net.ipmasq.dataplane.InMemoryTable.BaseRule;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Counters;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Metrics that come from the kernel, while it cannot be read: Prometheus takes a fall to 0 for a new beginning. */
class LastKnownCountersTest {
    private static final Failure HELD = new Failure(FailureCode.LOCK_HELD, "held", "wait");
    private static final String CHAIN = "IP-MASQ-AGENT";

    @TempDir
    private Path dir;

    private final NodeTime time = new NodeTime();
    private final InMemoryDataplane kernel = new InMemoryDataplane();
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private AgentLoop loop;

    @BeforeEach
    void agent() {
        loop = new AgentLoop(new Reconciler(
                kernel,
                new FileSource(dir.resolve("none"), Duration.ofSeconds(10)),
                Profiles.named("cce"),
                new StateStore(dir),
                time.clock(),
                time.clock().instant()));
        loop.pass();
        new AgentMeters(loop, new KernelCounters(kernel, time.clock()), time.clock()).bindTo(registry);
    }

    @AfterEach
    void close() {
        registry.close();
    }

    /** Each rule has matched so many packets. */
    private void traffic(long packets) {
        kernel.edit(
                IPV4,
                table -> table.withChain(
                        CHAIN,
                        table.chains().get(CHAIN).stream()
                                .map(line -> new ObservedChain.Line(
                                        line.rule(), line.meaning(), line.text(), new Counters(packets, 100 * packets)))
                                .toList()));
    }

    /** A scrape later than the last one. */
    private double counted(String what) {
        time.pass(Duration.ofMinutes(1));
        return registry.get("ip.masq.agent." + what)
                .tags("family", "ipv4", "list", "masqOutBound")
                .functionCounter()
                .count();
    }

    @Test
    void aCounterKeepsItsValueWhileTheKernelCannotBeRead() {
        traffic(42);
        assertThat(counted("packets")).isEqualTo(42);
        assertThat(counted("bytes")).isEqualTo(4200);
        kernel.failReads(IPV4, Optional.of(HELD));
        loop.pass();
        assertThat(counted("packets")).isEqualTo(42);
        assertThat(counted("bytes")).isEqualTo(4200);
        kernel.failReads(IPV4, Optional.empty());
        traffic(50);
        loop.pass();
        assertThat(counted("packets")).isEqualTo(50);
    }

    @Test
    void aFamilyThatTheNodeLacksForAWhileIsNoNewBeginningEither() {
        traffic(42);
        assertThat(counted("packets")).isEqualTo(42);
        kernel.makeImpossible(IPV4, Optional.of(new Failure(FailureCode.TOOL_MISSING, "no iptables", "install it")));
        kernel.failReads(IPV4, Optional.of(HELD));
        loop.pass();
        assertThat(counted("packets")).isEqualTo(42);
    }

    @Test
    void rulesThatAreGoneCountFromNothing() {
        traffic(42);
        assertThat(counted("packets")).isEqualTo(42);
        kernel.edit(IPV4, table -> new InMemoryTable(List.of(), java.util.Map.of(), java.util.Map.of()));
        assertThat(counted("packets")).isZero();
    }

    @Test
    void othersRulesAreWhatTheyWereUntilTheyCanBeReadAgain() {
        kernel.edit(IPV4, table -> {
            List<BaseRule> base = new java.util.ArrayList<>(table.base());
            base.addFirst(BaseRule.masquerade("-j MASQUERADE", false));
            return table.withBase(base);
        });
        loop.pass();
        assertThat(shadowedBy()).isEqualTo(1);
        kernel.failReads(IPV4, Optional.of(HELD));
        loop.pass();
        assertThat(shadowedBy()).isEqualTo(1);
        kernel.failReads(IPV4, Optional.empty());
        for (IpFamily family : IpFamily.values()) {
            kernel.edit(
                    family,
                    table -> table.withBase(table.base().stream()
                            .filter(rule -> rule.narrowed().isEmpty())
                            .toList()));
        }
        loop.pass();
        assertThat(shadowedBy()).isZero();
    }

    private double shadowedBy() {
        return registry.get("ip.masq.agent.shadowed.by")
                .tags("family", "ipv4", "kind", "shadowed-by")
                .gauge()
                .value();
    }
}
