package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.InMemoryTable;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import net.ipmasq.observe.Conditions;
import net.ipmasq.observe.StatusDocument;
import net.ipmasq.rules.Drift;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Another program keeps the xtables lock longer than the tool waits for it. */
class LockHeldTest {
    @TempDir
    private Path state;

    /** Holds the lock until {@link #close}. */
    private record Holder(Process process) implements AutoCloseable {
        static Holder of(NodeKernel node) throws IOException {
            List<String> argv = List.of("flock", node.ns().lockFile().toString(), "sh", "-c", "echo held; cat");
            Process process = new ProcessBuilder(node.ns().enter(argv)).start();
            assertThat(process.inputReader().readLine()).isEqualTo("held");
            return new Holder(process);
        }

        @Override
        public void close() throws IOException {
            process.getOutputStream().close();
            process.onExit().join();
        }
    }

    @Test
    @NeedsKernel(tools = {"ip", "flock", "iptables-legacy", "ip6tables-legacy"})
    void thePassFailsSaysSoAndTheNextOneLands() throws IOException {
        try (NodeKernel node = NodeKernel.create(Variant.LEGACY)) {
            AgentRig agent = new AgentRig(node.dataplane(), state);
            agent.pass();
            List<String> before = node.nat(IPV4);
            node.hand(IPV4, "-F IP-MASQ-AGENT");
            try (Holder holder = Holder.of(node)) {
                AgentStatus status = agent.pass();
                assertThat(holder.process().isAlive()).isTrue();
                assertThat(AgentRig.failure(status, IPV4)).hasValue("lock-held");
                assertThat(AgentRig.family(status, IPV4).failure().orElseThrow().oneLine())
                        .contains("exit code 4", "xtables lock", "fuser");
                assertThat(AgentRig.family(status, IpFamily.IPV6).inSync()).isTrue();
                assertThat(AgentRig.family(status, IPV4).driftTotals()).isEmpty();
                assertThat(status.node().failureTotals()).isEqualTo(Map.of("lock-held", 1L));
                assertThat(status.passes().failuresInARow()).isOne();
                assertThat(Conditions.degraded(status).reason()).isEqualTo("LockHeld");
                assertThat(agent.loop().nextDelay()).isEqualTo(Duration.ofSeconds(1));
                assertThat(StatusDocument.of(
                                status,
                                agent.dataplane()
                                        .observe(AgentRig.CHAIN, Map.of(IPV4, 1).keySet())))
                        .containsEntry("failures", Map.of("lock-held", 1L));
            }
            AgentStatus landed = agent.pass();
            assertThat(landed.inSync()).isTrue();
            assertThat(node.nat(IPV4)).isEqualTo(before);
            assertThat(AgentRig.family(landed, IPV4).driftTotals()).isEqualTo(Map.of(Drift.Kind.RULE_MISSING, 6L));
            assertThat(landed.node().failureTotals()).isEqualTo(Map.of("lock-held", 1L));
            assertThat(landed.passes().failuresInARow()).isZero();
            assertThat(agent.loop().nextDelay()).isEqualTo(landed.passes().interval());
        }
    }

    @Test
    void theLoopBacksOffUpToTheInterval() {
        InMemoryDataplane dataplane = new InMemoryDataplane();
        dataplane.failWrites(IPV4, Optional.of(new Failure(FailureCode.LOCK_HELD, "held", "wait")));
        AgentRig agent = new AgentRig(dataplane, state).config("resyncInterval: 20s");
        List<Long> delays = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            agent.pass();
            delays.add(agent.loop().nextDelay().toSeconds());
        }
        assertThat(delays).containsExactly(1L, 2L, 4L, 8L, 16L, 20L, 20L);
        for (int i = 0; i < 70; i++) {
            agent.pass();
        }
        assertThat(agent.loop().nextDelay()).isEqualTo(Duration.ofSeconds(20));
        assertThat(dataplane.table(IPV4).chains()).isEmpty();
        dataplane.failWrites(IPV4, Optional.empty());
        assertThat(agent.pass().inSync()).isTrue();
        assertThat(agent.loop().nextDelay()).isEqualTo(Duration.ofSeconds(20));
        dataplane.edit(IPV4, table -> table.withChain(AgentRig.CHAIN, List.of(InMemoryTable.strange("x"))));
        dataplane.failWrites(IPV4, Optional.of(new Failure(FailureCode.LOCK_HELD, "held", "wait")));
        agent.pass();
        assertThat(agent.loop().nextDelay()).as("from the start again").isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void whatLastsIsNotRetriedInAHurry() {
        for (FailureCode code : FailureCode.values()) {
            InMemoryDataplane dataplane = new InMemoryDataplane();
            dataplane.failReads(IPV4, Optional.of(new Failure(code, "broken", "mend it")));
            AgentRig agent = new AgentRig(dataplane, state);
            AgentStatus status = agent.pass();
            boolean hurry = List.of(
                            FailureCode.LOCK_HELD,
                            FailureCode.TIMEOUT,
                            FailureCode.REJECTED,
                            FailureCode.NOT_VERIFIED,
                            FailureCode.TOOL_NOT_STARTED,
                            FailureCode.OUTPUT_TOO_BIG)
                    .contains(code);
            assertThat(agent.loop().nextDelay())
                    .as(code.key())
                    .isEqualTo(hurry ? Duration.ofSeconds(1) : status.passes().interval());
            assertThat(status.node().failureTotals()).isEqualTo(Map.of(code.key(), 1L));
            assertThat(AgentRig.family(status, IpFamily.IPV6).inSync()).isTrue();
        }
    }
}
