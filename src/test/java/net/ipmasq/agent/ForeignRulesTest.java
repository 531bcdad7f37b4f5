package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import net.ipmasq.observe.Conditions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Somebody else's rules in a real kernel: reported, kept, no reason to be Degraded. */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
class ForeignRulesTest {
    @TempDir
    private Path state;

    @ParameterizedTest
    @EnumSource
    void shadowsBeforeAndAfterOurJump(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            String docker = "-A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE";
            node.load(
                    IPV4,
                    ":CNI - [0:0]",
                    ":KUBE-POSTROUTING - [0:0]",
                    "-A POSTROUTING -m comment --comment \"kubernetes postrouting rules\" -j KUBE-POSTROUTING",
                    docker,
                    "-A CNI -d 224.0.0.0/4 -j RETURN",
                    "-A CNI -j SNAT --to-source 192.0.2.1",
                    "-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN",
                    "-A KUBE-POSTROUTING -j MASQUERADE --random-fully");
            AgentRig agent = new AgentRig(node.dataplane(), state);
            agent.pass();
            node.hand(IPV4, "-A POSTROUTING -j CNI");
            List<String> before = node.nat(IPV4);
            AgentStatus status = agent.pass();
            assertThat(AgentRig.family(status, IPV4).shadows())
                    .containsExactly(
                            new Shadow.OneRule(true, true, 2, docker),
                            new Shadow.OneRule(
                                    false, false, 4, "-A POSTROUTING -j CNI => -A CNI -j SNAT --to-source 192.0.2.1"));
            assertThat(AgentRig.family(status, IPV6).shadows()).isEmpty();
            assertThat(status.inSync()).isTrue();
            assertThat(Conditions.degraded(status).status()).isFalse();
            assertThat(node.nat(IPV4)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void jumpsOfOthersToOurChainAreReportedAndKept(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig agent = new AgentRig(node.dataplane(), state);
            agent.pass();
            node.hand(IPV4, "-I POSTROUTING -s 10.9.0.0/16 -j IP-MASQ-AGENT");
            node.hand(IPV4, "-A POSTROUTING -o eth9 -j IP-MASQ-AGENT");
            List<String> before = node.nat(IPV4);
            AgentStatus status = agent.pass();
            assertThat(AgentRig.family(status, IPV4).shadows())
                    .containsExactly(
                            new Shadow.OneRule(true, true, 1, "-A POSTROUTING -s 10.9.0.0/16 -j IP-MASQ-AGENT"),
                            new Shadow.OneRule(true, false, 3, "-A POSTROUTING -o eth9 -j IP-MASQ-AGENT"));
            assertThat(AgentRig.drift(status, IPV4)).isEmpty();
            assertThat(node.nat(IPV4)).isEqualTo(before);
        }
    }

    @ParameterizedTest
    @EnumSource
    void aCommentWithALineFeedDoesNotMakeTheTableUnreadable(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            for (IpFamily family : IpFamily.values()) {
                node.hand(
                        family,
                        "-A POSTROUTING -o eth9 -m comment --comment \"$(printf 'a\\n"
                                + "-A IP-MASQ-AGENT -j ACCEPT')\" -j ACCEPT");
            }
            AgentRig agent = new AgentRig(node.dataplane(), state);
            assertThat(agent.pass().inSync()).isTrue();
            assertThat(agent.pass().families().values()).allMatch(family -> family.written() == 0);
        }
    }

    @ParameterizedTest
    @EnumSource
    void anUnreadableTableIsReportedNotRewrittenAndRecovers(IpFamily broken) {
        IpFamily whole = broken == IPV4 ? IPV6 : IPV4;
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            AgentRig agent = new AgentRig(node.dataplane(), state);
            agent.pass();
            node.spoil(broken);
            node.hand(whole, "-F IP-MASQ-AGENT");
            node.runner().forget();
            for (int i = 0; i < 5; i++) {
                AgentStatus status = agent.pass();
                assertThat(AgentRig.failure(status, broken)).hasValue("unreadable");
                assertThat(AgentRig.family(status, broken)
                                .failure()
                                .orElseThrow()
                                .oneLine())
                        .contains("incompatible", "nft list table " + (broken == IPV4 ? "ip" : "ip6") + " nat");
                assertThat(AgentRig.family(status, whole).inSync()).isTrue();
                assertThat(Conditions.degraded(status).reason()).isEqualTo("Unreadable");
                assertThat(status.node().failureTotals()).containsEntry("unreadable", i + 1L);
                assertThat(agent.loop().nextDelay())
                        .as("no hurry")
                        .isEqualTo(status.passes().interval());
            }
            assertThat(node.runner().restores())
                    .singleElement()
                    .matches(call -> call.program().equals(node.tool(whole, "-restore")));
            node.mend(broken);
            node.hand(broken, "-F IP-MASQ-AGENT");
            AgentStatus status = agent.pass();
            assertThat(status.inSync()).isTrue();
            assertThat(Conditions.degraded(status).status()).isFalse();
            assertThat(AgentRig.drift(status, broken)).isNotEmpty();
        }
    }

    /** Another agent's chain under another name is nobody's business of ours. */
    @Test
    void aSecondChainIsLeftAlone() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            new AgentRig(node.dataplane(), Profiles.named("gke"), state.resolve("gke")).pass();
            List<String> theirs = node.nat(IPV4);
            AgentRig agent = new AgentRig(node.dataplane(), state.resolve("cce"));
            AgentStatus status = agent.pass();
            assertThat(node.nat(IPV4)).containsAll(theirs);
            assertThat(AgentRig.family(status, IPV4).shadows())
                    .singleElement()
                    .satisfies(shadow -> assertThat(shadow.text()).contains("-j IP-MASQ =>", "-j MASQUERADE"));
        }
    }
}
