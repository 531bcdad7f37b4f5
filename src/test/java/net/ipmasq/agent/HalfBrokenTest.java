package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** States in which a killed agent, or somebody's hand, can leave a node before the agent starts. */
@NeedsKernel
class HalfBrokenTest {
    @TempDir
    private Path state;

    private static final List<List<String>> STARTS = List.of(
            List.of(":IP-MASQ-AGENT - [0:0]"),
            List.of(":IP-MASQ-AGENT - [0:0]", "-A POSTROUTING -j IP-MASQ-AGENT"),
            List.of(":IP-MASQ-AGENT - [0:0]", "-A IP-MASQ-AGENT -d 10.0.0.0/8 -j RETURN"),
            List.of(":IP-MASQ-AGENT - [0:0]", ":X - [0:0]", "-A X -j IP-MASQ-AGENT", "-A IP-MASQ-AGENT -j ACCEPT"),
            List.of(
                    ":IP-MASQ-AGENT - [0:0]",
                    ":X - [0:0]",
                    "-A IP-MASQ-AGENT -j X",
                    "-A POSTROUTING -g IP-MASQ-AGENT"));

    @ParameterizedTest
    @EnumSource
    void everyStartEndsInOrder(Variant variant) {
        List<String> whole;
        try (NodeKernel node = NodeKernel.create(variant)) {
            new AgentRig(node.dataplane(), state.resolve("clean")).pass();
            whole = ourRules(node);
        }
        for (List<String> start : STARTS) {
            try (NodeKernel node = NodeKernel.create(variant)) {
                node.load(IPV4, start.toArray(String[]::new));
                AgentRig agent = new AgentRig(node.dataplane(), state.resolve("none"));
                AgentStatus status = agent.pass();
                assertThat(status.inSync()).as("%s", start).isTrue();
                assertThat(ourRules(node)).isEqualTo(whole);
                assertThat(node.runner().restores().stream()
                                .filter(call -> call.program().equals(node.tool(IPV4, "-restore"))))
                        .hasSize(1);
                assertThat(status.families().get(IPV4).driftTotals()).isEmpty();
                assertThat(agent.pass().families().get(IPV4).written()).isZero();
            }
        }
    }

    /** The canonical jump and our rules. */
    private static List<String> ourRules(NodeKernel node) {
        return node.nat(IPV4).stream()
                .filter(line -> line.startsWith("-A IP-MASQ-AGENT ") || line.contains("directs all non-LOCAL"))
                .toList();
    }

    /** Somebody changes the chain between our write and our second look: said so, and mended by the next pass. */
    @ParameterizedTest
    @EnumSource
    void aChangeBehindOurBackIsNoSuccess(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig agent = new AgentRig(node.dataplane(), state);
            AtomicBoolean written = new AtomicBoolean();
            String save = node.tool(IPV4, "-save");
            node.runner().before(argv -> {
                if (argv.getFirst().equals(node.tool(IPV4, "-restore"))) {
                    written.set(true);
                } else if (argv.getFirst().equals(save) && written.getAndSet(false)) {
                    node.hand(IPV4, "-F IP-MASQ-AGENT");
                }
            });
            AgentStatus status = agent.pass();
            assertThat(AgentRig.failure(status, IPV4)).hasValue("not-verified");
            assertThat(status.families().get(IPV4).inSync()).isFalse();
            assertThat(agent.loop().nextDelay().toSeconds()).isOne();
            node.runner().before(argv -> {});
            assertThat(agent.pass().inSync()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aChainThatOthersUseIsEmptiedAndKeptOnRemoval(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig agent = new AgentRig(node.dataplane(), state);
            agent.pass();
            node.load(IPV4, ":X - [0:0]", "-A X -j IP-MASQ-AGENT", "-A POSTROUTING -o eth9 -j IP-MASQ-AGENT");
            assertThat(agent.dataplane()
                            .remove(AgentRig.CHAIN, Set.of(IpFamily.values()))
                            .get(IPV4)
                            .toString())
                    .contains("stays", "-A X -j IP-MASQ-AGENT");
            assertThat(node.nat(IPV4))
                    .containsExactlyInAnyOrder(
                            ":IP-MASQ-AGENT -",
                            ":X -",
                            "-A X -j IP-MASQ-AGENT",
                            "-A POSTROUTING -o eth9 -j IP-MASQ-AGENT");
            assertThat(node.nat(IpFamily.IPV6)).isEmpty();
        }
    }
}
