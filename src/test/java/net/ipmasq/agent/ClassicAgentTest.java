package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.rules.Drift;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A new image over a Go agent's rules, with a configuration that the Go agent took and this one refuses. */
@NeedsKernel
class ClassicAgentTest {
    private static final String LOCAL =
            "-m comment --comment \"ip-masq-agent: local traffic is not subject to MASQUERADE\"";

    @TempDir
    private Path state;

    private static void classic(NodeKernel node) {
        node.load(
                IPV4,
                ":IP-MASQ-AGENT - [0:0]",
                "-A POSTROUTING -m comment --comment \"ip-masq-agent: ensure nat POSTROUTING directs all non-LOCAL"
                        + " destination traffic to our custom IP-MASQ-AGENT chain\" -m addrtype ! --dst-type LOCAL -j"
                        + " IP-MASQ-AGENT",
                "-A IP-MASQ-AGENT -d 169.254.0.0/16 " + LOCAL + " -j RETURN",
                "-A IP-MASQ-AGENT -d 10.7.0.0/16 " + LOCAL + " -j RETURN",
                "-A IP-MASQ-AGENT -m comment --comment \"ip-masq-agent: outbound traffic is subject to MASQUERADE (must"
                        + " be last in chain)\" -j MASQUERADE --random-fully");
    }

    @ParameterizedTest
    @EnumSource
    void itsRulesStayAndAreHealed(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            classic(node);
            List<String> before = node.nat(IPV4);
            AgentRig agent = new AgentRig(node.dataplane(), state).config("nonMasqueradeCIDRs: [10.7.0.1/16]");
            AgentStatus first = agent.pass();
            assertThat(first.config().inForce().orElseThrow().origin()).isEqualTo("kernel");
            assertThat(node.nat(IPV4)).isEqualTo(before);
            assertThat(node.runner().restores()).as("nothing to write").isEmpty();
            node.hand(IPV4, "-F");
            AgentStatus healed = agent.pass();
            assertThat(AgentRig.drift(healed, IPV4))
                    .containsExactly(
                            Drift.Kind.JUMP_MISSING,
                            Drift.Kind.RULE_MISSING,
                            Drift.Kind.RULE_MISSING,
                            Drift.Kind.RULE_MISSING);
            assertThat(node.nat(IPV4)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void rulesThatNobodyKnowsAreLeftAlone(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            classic(node);
            node.hand(IPV4, "-I IP-MASQ-AGENT -p udp --dport 53 -j RETURN");
            List<String> before = node.nat(IPV4);
            AgentRig agent = new AgentRig(node.dataplane(), state).unknown();
            for (int i = 0; i < 3; i++) {
                assertThat(agent.pass().issue().get("ForeignRule")).contains("--dport 53");
            }
            assertThat(node.nat(IPV4)).isEqualTo(before);
            assertThat(node.runner().restores()).isEmpty();
            assertThat(agent.config("{}").pass().inSync()).isTrue();
            assertThat(node.nat(IPV4)).noneMatch(line -> line.contains("--dport 53"));
        }
    }
}
