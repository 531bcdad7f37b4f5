package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Looking never changes the node, and detection on real nodes. */
@NeedsKernel
class LookingTest {
    private static final EnumSet<IpFamily> BOTH = EnumSet.allOf(IpFamily.class);

    @TempDir
    private Path state;

    private static IptablesDataplane detecting(NodeKernel node) {
        return new IptablesDataplane(node.runner(), node.files(), Optional.empty());
    }

    private static void demandNoLegacyTable(NodeKernel node) {
        for (String names : List.of("/proc/net/ip_tables_names", "/proc/net/ip6_tables_names")) {
            assertThat(node.files().read(names)).as(names).hasValue("");
        }
    }

    @Test
    void anNftNodeStaysFreeOfLegacyTables() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            AgentRig agent = new AgentRig(detecting(node), state);
            agent.assess();
            demandNoLegacyTable(node);
            for (int i = 0; i < 15; i++) {
                assertThat(agent.pass().node().backend()).isEqualTo(Backend.IPTABLES_NFT);
            }
            agent.assess();
            agent.dataplane().observeCounters(AgentRig.CHAIN, BOTH);
            agent.dataplane().remove(AgentRig.CHAIN, BOTH);
            agent.dataplane().removeElsewhere(AgentRig.CHAIN);
            demandNoLegacyTable(node);
            assertThat(node.runner().calls(call -> call.program().contains("legacy")))
                    .isEmpty();
        }
    }

    /** Told to use legacy on a node that has no legacy table: everything but a write leaves it so. */
    @Test
    void evenWhenLegacyIsConfiguredLookingCreatesNothing() {
        try (NodeKernel node = NodeKernel.create(Variant.LEGACY)) {
            AgentRig agent = new AgentRig(node.dataplane(), state);
            assertThat(agent.assess().inSync()).isFalse();
            agent.dataplane().observeCounters(AgentRig.CHAIN, BOTH);
            agent.dataplane().remove(AgentRig.CHAIN, BOTH);
            agent.dataplane().removeElsewhere(AgentRig.CHAIN);
            demandNoLegacyTable(node);
            assertThat(agent.pass().inSync()).isTrue();
            assertThat(node.files().read("/proc/net/ip_tables_names")).hasValue("nat\n");
            assertThat(node.ours(IPV6)).isNotEmpty();
        }
    }

    @Test
    void aNodeWithLegacyRulesIsALegacyNodeAndOnlyTheFamilyThatIsWrittenGetsATable() {
        try (NodeKernel node = NodeKernel.create(Variant.LEGACY)) {
            node.hand(IPV4, "-A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE");
            AgentRig agent = new AgentRig(detecting(node), state);
            assertThat(agent.assess().probe().backend()).isEqualTo(Backend.IPTABLES_LEGACY);
            assertThat(node.files().read("/proc/net/ip6_tables_names")).hasValue("");
            AgentStatus status = agent.pass();
            assertThat(status.node().backend()).isEqualTo(Backend.IPTABLES_LEGACY);
            assertThat(status.inSync()).isTrue();
            assertThat(node.ours(IPV4)).isNotEmpty();
            assertThat(node.ours(IPV6)).isNotEmpty();
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NFT,IPV4,KUBE-IPTABLES-HINT",
        "NFT,IPV6,KUBE-KUBELET-CANARY",
        "LEGACY,IPV4,KUBE-KUBELET-CANARY",
        "LEGACY,IPV6,KUBE-IPTABLES-HINT"
    })
    void kubeletsHintDecides(Variant variant, IpFamily family, String hint) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            String other = variant == Variant.LEGACY ? "iptables-nft" : "iptables-legacy";
            node.ns()
                    .sh("for i in 1 2 3; do %s -w 5 -t nat -A POSTROUTING -d 192.0.2.$i -j ACCEPT; done"
                            .formatted(other));
            node.ns().sh("%s -w 5 -t mangle -N %s".formatted(node.tool(family, ""), hint));
            AgentStatus status = new AgentRig(detecting(node), state).pass();
            assertThat(status.node().backend()).isEqualTo(variant.backend());
            assertThat(status.node().backendReason()).contains(hint);
            assertThat(status.inSync()).isTrue();
        }
    }

    /** The answer changes while the agent runs: rules move over, the new ones first. */
    @Test
    void whenTheNodeTurnsOutToBeLegacyTheNftRulesGoAfterTheFirstSuccess() {
        try (NodeKernel legacy = NodeKernel.create(Variant.LEGACY);
                NodeKernel nft = NodeKernel.in(legacy.ns(), Variant.NFT)) {
            Dataplane dataplane = detecting(legacy);
            AgentRig agent = new AgentRig(dataplane, state);
            assertThat(agent.pass().node().backend()).isEqualTo(Backend.IPTABLES_NFT);
            legacy.ns().sh("iptables-legacy -w 5 -t mangle -N KUBE-IPTABLES-HINT");
            legacy.runner().forget();
            AgentStatus status = agent.pass();
            assertThat(status.node().backend()).isEqualTo(Backend.IPTABLES_LEGACY);
            assertThat(status.inSync()).isTrue();
            for (IpFamily family : BOTH) {
                assertThat(legacy.ours(family)).isNotEmpty();
                assertThat(nft.ours(family)).isEmpty();
                assertThat(legacy.runner().restores().stream()
                                .map(call -> call.program())
                                .filter(program -> program.startsWith(family == IPV4 ? "iptables" : "ip6tables")))
                        .containsExactly(legacy.tool(family, "-restore"), nft.tool(family, "-restore"));
            }
            assertThat(status.families().get(IPV6).driftTotals()).isEmpty();
        }
    }

    @Test
    void leftoversInTheOtherVariantStayUntilTheFirstSuccess() {
        try (NodeKernel legacy = NodeKernel.create(Variant.LEGACY);
                NodeKernel nft = NodeKernel.in(legacy.ns(), Variant.NFT)) {
            new AgentRig(nft.dataplane(), state).pass();
            List<String> before = nft.nat(IPV4);
            legacy.runner().hide("iptables-legacy-restore");
            AgentRig agent = new AgentRig(legacy.dataplane(), state);
            assertThat(agent.pass().inSync()).isFalse();
            assertThat(nft.nat(IPV4)).isEqualTo(before);
            legacy.runner().show("iptables-legacy-restore");
            assertThat(agent.pass().inSync()).isTrue();
            assertThat(nft.nat(IPV4)).isEmpty();
            assertThat(nft.nat(IPV6)).isEmpty();
            assertThat(agent.dataplane().remove(AgentRig.CHAIN, Set.of(IPV4))).isNotEmpty();
        }
    }
}
