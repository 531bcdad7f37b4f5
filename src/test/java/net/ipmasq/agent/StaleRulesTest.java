package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.InMemoryTable;
import net.ipmasq.dataplane.InMemoryTable.BaseRule;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.rules.ObservedChain.Jump;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What was used before goes after the first success of what is used now, and not earlier. */
class StaleRulesTest {
    private static final ProviderProfile GKE = Profiles.named("gke");
    private static final Failure HELD = new Failure(FailureCode.LOCK_HELD, "held", "wait");

    @TempDir
    private Path state;

    private final InMemoryDataplane dataplane = new InMemoryDataplane();

    private void seedElsewhere() {
        for (IpFamily family : IpFamily.values()) {
            dataplane.editElsewhere(
                    family,
                    table -> table.withChain(AgentRig.CHAIN, List.of())
                            .withBase(List.of(BaseRule.jump(AgentRig.CHAIN, Jump.Kind.CANONICAL))));
        }
    }

    @Test
    void anotherChainNameReplacesTheOldOneAfterASuccess() {
        AgentRig old = new AgentRig(dataplane, state);
        old.pass();
        AgentRig fresh = old.restarted(GKE);
        dataplane.failWrites(IPV4, Optional.of(HELD));
        fresh.pass();
        assertThat(dataplane.table(IPV4).chains()).containsOnlyKeys("IP-MASQ-AGENT");
        dataplane.failWrites(IPV4, Optional.empty());
        assertThat(fresh.pass().inSync()).isTrue();
        assertThat(dataplane.table(IPV4).chains()).containsOnlyKeys("IP-MASQ");
        assertThat(dataplane.table(IPV4).base()).hasSize(1);
        assertThat(dataplane.table(IPV6).chains())
                .as("IPv6 is off in that profile")
                .isEmpty();
    }

    /** While the text is bad, the last good state is in force with its own chain, and nothing is taken away. */
    @Test
    void withABadTextTheOldChainStays() {
        AgentRig old = new AgentRig(dataplane, state).config("masqOutBound: false");
        old.pass();
        AgentRig fresh = old.restarted(GKE).config("x: [");
        AgentStatus status = fresh.pass();
        assertThat(status.node().ruleset().chain()).isEqualTo("IP-MASQ-AGENT");
        assertThat(dataplane.table(IPV4).chains()).containsOnlyKeys("IP-MASQ-AGENT");
        AgentStatus good = fresh.config("{}").pass();
        assertThat(good.inSync()).isTrue();
        assertThat(dataplane.table(IPV4).chains()).containsOnlyKeys("IP-MASQ");
        assertThat(good.families().get(IPV4).driftTotals()).as("our own change").isEmpty();
    }

    /** An old chain that cannot be removed yet is not forgotten, not even over a restart. */
    @Test
    void anOldChainThatCannotBeRemovedIsTriedAgain() {
        AgentRig old = new AgentRig(dataplane, state);
        old.pass();
        dataplane.edit(IPV4, table -> table.withReferences("IP-MASQ-AGENT", List.of("-A X -j IP-MASQ-AGENT")));
        AgentRig fresh = old.restarted(GKE);
        AgentStatus status = fresh.pass();
        assertThat(status.inSync()).isTrue();
        assertThat(status.issue()).containsOnlyKeys("Leftovers");
        assertThat(new StateStore(state).load().orElseThrow().chain()).isEqualTo("IP-MASQ-AGENT");
        int writes = dataplane.writes();
        assertThat(fresh.pass().issue()).isEqualTo(status.issue());
        assertThat(dataplane.writes())
                .as("an emptied chain is not emptied again")
                .isEqualTo(writes);
        AgentRig again = fresh.restarted();
        assertThat(again.pass().issue()).containsOnlyKeys("Leftovers");
        dataplane.edit(IPV4, table -> new InMemoryTable(table.base(), table.chains(), Map.of()));
        assertThat(again.pass().issue()).isEmpty();
        assertThat(dataplane.table(IPV4).chains()).containsOnlyKeys("IP-MASQ");
        assertThat(new StateStore(state).load().orElseThrow().chain()).isEqualTo("IP-MASQ");
    }

    @Test
    void theOtherBackendIsClearedOnceAndAfterASuccess() {
        seedElsewhere();
        AgentRig agent = new AgentRig(dataplane, state.resolve("none"));
        dataplane.failReads(IPV6, Optional.of(HELD));
        agent.pass();
        assertThat(dataplane.tableElsewhere(IPV4).chains()).isNotEmpty();
        dataplane.failReads(IPV6, Optional.empty());
        agent.pass();
        for (IpFamily family : IpFamily.values()) {
            assertThat(dataplane.tableElsewhere(family).chains()).isEmpty();
            assertThat(dataplane.tableElsewhere(family).base()).isEmpty();
        }
        seedElsewhere();
        agent.pass();
        assertThat(dataplane.tableElsewhere(IPV4).chains()).as("asked once").isNotEmpty();
    }

    @Test
    void nothingGoesWhileTheSourceHasNotAnswered() {
        seedElsewhere();
        AgentRig agent = new AgentRig(dataplane, state).unknown();
        assertThat(agent.pass().inSync()).isTrue();
        assertThat(dataplane.tableElsewhere(IPV4).chains()).isNotEmpty();
        agent.absent().pass();
        assertThat(dataplane.tableElsewhere(IPV4).chains()).isEmpty();
    }

    /** A native nft table next to legacy rules is somebody else's, unless we are known to have been there. */
    @Test
    @NeedsKernel(tools = {"ip", "nft", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
    void anUnreadableTableElsewhereMattersOnlyIfWeWereThere() {
        try (NodeKernel legacy = NodeKernel.create(Variant.LEGACY);
                NodeKernel nft = NodeKernel.in(legacy.ns(), Variant.NFT)) {
            nft.spoil(IPV4);
            AgentRig stranger = new AgentRig(legacy.dataplane(), state.resolve("none"));
            assertThat(stranger.pass().issue()).isEmpty();
            nft.mend(IPV4);
            new AgentRig(nft.dataplane(), state.resolve("used")).pass();
            nft.spoil(IPV4);
            AgentRig agent = new AgentRig(legacy.dataplane(), state.resolve("used"));
            assertThat(agent.pass().issue()).containsOnlyKeys("Leftovers");
            assertThat(agent.restarted().pass().issue()).containsOnlyKeys("Leftovers");
            nft.mend(IPV4);
            assertThat(agent.pass().issue()).isEmpty();
            assertThat(nft.ours(IPV4)).isEmpty();
            assertThat(agent.restarted().pass().issue()).isEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    @NeedsKernel
    void inARealKernelVariantAndChainNameChangeAtOnce(Variant from) {
        Variant to = from == Variant.NFT ? Variant.LEGACY : Variant.NFT;
        try (NodeKernel before = NodeKernel.create(from);
                NodeKernel after = NodeKernel.in(before.ns(), to)) {
            new AgentRig(before.dataplane(), state).pass();
            before.hand(IPV4, "-A POSTROUTING -o eth9 -j MASQUERADE");
            assertThat(new AgentRig(after.dataplane(), GKE, state).pass().inSync())
                    .isTrue();
            assertThat(before.nat(IPV4)).containsExactly("-A POSTROUTING -o eth9 -j MASQUERADE");
            assertThat(before.nat(IPV6)).isEmpty();
            assertThat(after.nat(IPV4)).contains(":IP-MASQ -").noneMatch(line -> line.contains("IP-MASQ-AGENT"));
            assertThat(after.nat(IPV6)).isEmpty();
        }
    }
}
