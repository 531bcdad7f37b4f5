package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.CachingDataplane;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.Gates;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.InMemoryTable;
import net.ipmasq.dataplane.NftBackend;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.InNetNs;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import net.ipmasq.netlink.RulesetEvent;
import net.ipmasq.netlink.RulesetEvent.Change;
import net.ipmasq.netlink.RulesetEvent.Missed;
import net.ipmasq.netlink.RulesetEvents;
import net.ipmasq.rules.ObservedChain.Jump;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which word of the kernel leads to a pass and when; real events, but time and turns in the test's hand. */
@NeedsKernel
class EventTriggerTest {
    @TempDir
    private Path state;

    /** An agent in sync in a namespace, and what listens for it. */
    private final class Listening implements AutoCloseable {
        private final NftBackend.Node node;
        private final SteppingClock clock = new SteppingClock();
        private final CachingDataplane caching;
        private final AgentRig agent;
        private final RulesetEvents events;
        private final EventTrigger passes;

        Listening(NftBackend backend) {
            node = backend.create();
            caching = Gates.of(node.ns(), node.parts().dataplane(), clock);
            agent = new AgentRig(caching, state, clock).config("nonMasqueradeCIDRs: [10.0.0.0/8]");
            events = InNetNs.call(node.ns(), RulesetEvents::open);
            passes = new EventTrigger(agent.loop(), caching, clock);
            assertThat(agent.pass().inSync()).isTrue();
            told();
        }

        private AgentStatus status() {
            return agent.loop().status().orElseThrow();
        }

        /** Hands on all that the kernel has said, and returns how many passes came of it. */
        private long told() {
            long before = status().passes().count();
            try {
                List<RulesetEvent> some = events.next(Duration.ZERO);
                while (!some.isEmpty()) {
                    passes.heard(some);
                    some = events.next(Duration.ZERO);
                }
            } catch (IOException e) {
                throw new AssertionError(e);
            }
            clock.advance(Debounce.QUIET);
            passes.passIfDue();
            return status().passes().count() - before;
        }

        @Override
        public void close() {
            events.close();
            node.close();
        }
    }

    @ParameterizedTest
    @EnumSource
    void aFlushLeadsToAPassThatNamesWhoDidIt(NftBackend backend) {
        try (Listening on = new Listening(backend)) {
            on.node.parts().hand().flush(IPV4);
            assertThat(on.told()).isEqualTo(1);
            assertThat(on.status().inSync()).isTrue();
            AgentStatus.Heal heal = on.status().healedNow().orElseThrow();
            assertThat(heal.by()).hasSize(1);
            assertThat(heal.by().getFirst().process()).isIn("nft", "iptables-nft", "xtables-nft-mul");
            assertThat(heal.by().getFirst().pid()).isPositive();
            assertThat(heal.took()).contains(Debounce.QUIET);
            assertThat(on.told()).as("our own repair").isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ourOwnWritesAreNoNews(NftBackend backend) {
        try (Listening on = new Listening(backend)) {
            assertThat(on.told()).isZero();
            for (String config : List.of("nonMasqueradeCIDRs: [11.0.0.0/8, fd00::/8]", "masqOutBound: false", "{}")) {
                on.agent.config(config).pass();
                assertThat(on.told()).as(config).isZero();
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatAScheduledPassHasSeenIsNoNews(NftBackend backend) {
        try (Listening on = new Listening(backend)) {
            on.node.parts().hand().flush(IPV4);
            on.agent.pass();
            assertThat(on.told()).isZero();
        }
    }

    @ParameterizedTest
    @EnumSource
    void othersInPlacesOfTheirOwnLeadToNone(NftBackend backend) {
        try (Listening on = new Listening(backend)) {
            on.node.ns().sh("""
                    nft add table ip foreign; nft add chain ip foreign c; nft add rule ip foreign c counter
                    nft add table inet ip-masq-agent; nft add chain inet ip-masq-agent c; nft delete table ip foreign
                    iptables-nft -w 5 -t filter -A FORWARD -j ACCEPT; iptables-nft -w 5 -t filter -F
                    """);
            assertThat(on.told()).isZero();
            on.node.parts().hand().addStrangeRule(IPV6);
            assertThat(on.told()).isEqualTo(1);
        }
    }

    /** As kube-proxy does it all the time, in the same table as we. */
    @Test
    void rulesOfChainsThatAreNotOursLeadToNone() {
        try (Listening on = new Listening(NftBackend.IPTABLES_NFT)) {
            NodeKernel node = NodeKernel.in(on.node.ns(), Variant.NFT);
            node.load(IPV4, ":KUBE-POSTROUTING - [0:0]", "-A POSTROUTING -j KUBE-POSTROUTING");
            assertThat(on.told()).as("a rule of POSTROUTING").isEqualTo(1);
            for (int i = 0; i < 3; i++) {
                node.load(IPV4, "-F KUBE-POSTROUTING", "-A KUBE-POSTROUTING -d 10.0.0." + i + " -j RETURN");
                assertThat(on.told()).isZero();
            }
            for (int i = 0; i < 3; i++) {
                node.load(IPV4, ":KUBE-SEP-" + i + " - [0:0]", "-A KUBE-SEP-" + i + " -d 10.0.0.1 -j RETURN");
                assertThat(on.told()).as("a chain that is created").isZero();
                node.load(IPV4, ":KUBE-SEP-" + i + " - [0:0]", "-A KUBE-SEP-" + i + " -d 10.0.0.2 -j RETURN");
                assertThat(on.told()).as("the same again").isZero();
                node.load(IPV4, "-F KUBE-SEP-" + i, "-X KUBE-SEP-" + i);
                assertThat(on.told()).as("a chain that is deleted").isZero();
            }
            on.node.ns().sh("nft add chain ip nat BY-NFT");
            assertThat(on.told()).as("a chain that nft creates").isZero();
            on.node.ns().sh("nft rename chain ip nat " + AgentRig.CHAIN + " RENAMED-BY-NFT");
            assertThat(on.told()).isEqualTo(1);
            assertThat(on.agent.rules(IPV4, AgentRig.CHAIN)).isNotEmpty();
            node.hand(IPV4, "-E " + AgentRig.CHAIN + " RENAMED");
            assertThat(on.told()).isEqualTo(1);
            assertThat(on.agent.rules(IPV4, AgentRig.CHAIN)).isNotEmpty();
        }
    }

    /** The same numbers with nothing behind them: a kernel in memory, whose generation is in the test's hand. */
    private static final class Fake {
        private final SteppingClock clock = new SteppingClock();
        private final InMemoryDataplane kernel = new InMemoryDataplane(Backend.IPTABLES_NFT);
        private final CachingDataplane caching = new CachingDataplane(kernel, Gates.FULL_READ, clock);
        private final AgentRig agent;
        private final EventTrigger passes;
        private int edits;

        Fake(Path state) {
            agent = new AgentRig(caching, state, clock);
            caching.use(() -> OptionalLong.of(generation()));
            passes = new EventTrigger(agent.loop(), caching, clock);
            agent.pass();
        }

        private long generation() {
            return 1 + kernel.writes() + edits;
        }

        private Change flush(IpFamily family) {
            edits++;
            kernel.edit(family, table -> new InMemoryTable(List.of(), Map.of(), Map.of()));
            return new Change(
                    generation(),
                    4711,
                    "fighter",
                    Set.of(new RulesetEvent.Place(RulesetEvent.Place.IP, "nat", "POSTROUTING")));
        }

        private long count() {
            return agent.loop().status().orElseThrow().passes().count();
        }
    }

    @Test
    void twoThatUndoEachOthersWorkCostOnePassASecond() {
        Fake on = new Fake(state);
        long before = on.count();
        int seconds = 60;
        for (int i = 0; i < seconds * 100; i++) {
            on.passes.heard(List.of(on.flush(IPV4)));
            on.passes.passIfDue();
            on.clock.advance(Duration.ofMillis(10));
        }
        // 50, 100, 200, 400 and 800 ms apart, then a second
        assertThat(on.count() - before).isBetween((long) seconds - 5, (long) seconds + 5);
        on.clock.advance(Debounce.QUIET);
        on.passes.heard(List.of(on.flush(IPV4)));
        assertThat(on.passes.due()).as("at once after some quiet").contains(Duration.ZERO);
        on.passes.passIfDue();
        assertThat(on.passes.due()).isEmpty();
        on.passes.heard(List.of(on.flush(IPV4)));
        assertThat(on.passes.due()).contains(Debounce.FIRST);
    }

    @Test
    void aLossLeadsToAPassAndSoDoesTheBeginning() {
        Fake on = new Fake(state);
        long before = on.count();
        on.passes.begin();
        on.passes.passIfDue();
        assertThat(on.count()).isEqualTo(before + 1);
        on.clock.advance(Debounce.QUIET);
        on.flush(IPV4);
        on.passes.heard(List.of(new Missed("overflow")));
        on.passes.passIfDue();
        AgentStatus status = on.agent.loop().status().orElseThrow();
        assertThat(status.passes().count()).isEqualTo(before + 2);
        assertThat(status.healedNow()).hasValueSatisfying(heal -> {
            assertThat(heal.took()).contains(Duration.ZERO);
            assertThat(heal.by()).isEmpty();
        });
        assertThat(status.passes().byTrigger()).containsEntry(Cause.Trigger.EVENT, 2L);
    }

    @Test
    void whatHealsOneFamilyIsOneEvenIfTheOtherFails() {
        Fake on = new Fake(state);
        on.kernel.failWrites(IPV6, Optional.of(new Failure(FailureCode.REJECTED, "no", "yes")));
        on.flush(IPV6);
        on.passes.heard(List.of(on.flush(IPV4)));
        on.passes.passIfDue();
        AgentStatus status = on.agent.loop().status().orElseThrow();
        assertThat(status.inSync()).isFalse();
        assertThat(status.healedNow()).hasValueSatisfying(heal -> {
            assertThat(heal.by()).containsExactly(new Cause.Author("fighter", 4711));
            assertThat(heal.took()).contains(Duration.ZERO);
        });
        on.clock.advance(Debounce.QUIET);
        on.passes.heard(List.of(on.flush(IPV6)));
        on.passes.passIfDue();
        assertThat(on.agent.loop().status().flatMap(AgentStatus::healedNow))
                .as("nothing but failure")
                .isEmpty();
    }

    @Test
    void aChangeOfUnknownPlacesCountsAsOursAndManyChangesAsALoss() {
        Fake on = new Fake(state);
        long before = on.count();
        on.flush(IPV4);
        on.passes.heard(List.of(new Change(on.generation(), 0, "", Set.of())));
        on.passes.passIfDue();
        assertThat(on.count()).isEqualTo(before + 1);
        on.clock.advance(Debounce.QUIET);
        for (int i = 0; i < 1000; i++) {
            on.passes.heard(List.of(on.flush(IPV4)));
        }
        on.passes.passIfDue();
        assertThat(on.count()).isEqualTo(before + 2);
        assertThat(on.agent.loop().status().flatMap(AgentStatus::healedNow).map(AgentStatus.Heal::by))
                .isEqualTo(Optional.of(List.of(new Cause.Author("fighter", 4711))));
    }

    @Test
    void otherBackendsAndFamiliesThatAreNotKeptAreOfNoInterest() {
        Fake on = new Fake(state);
        Failure none = new Failure(FailureCode.TABLE_MISSING, "no IPv6 here", "have some");
        on.kernel.makeImpossible(IPV6, Optional.of(none));
        on.agent.pass();
        long before = on.count();
        on.passes.heard(
                List.of(new Change(99, 1, "nft", Set.of(new RulesetEvent.Place(RulesetEvent.Place.IP6, "nat", "")))));
        assertThat(on.passes.due()).isEmpty();
        assertThat(on.count()).isEqualTo(before);
        AgentRig memory = new AgentRig(new InMemoryDataplane(Backend.IPTABLES_LEGACY), state);
        assertThat(RuleLocation.of(memory.pass())).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 0x7fff_ffffL, 0xffff_ffffL})
    void generationsGoOnAfterTheLastNumber(long generation) {
        assertThat(EventTrigger.isNewer(generation, generation)).isFalse();
        assertThat(EventTrigger.isNewer(generation + 1, generation)).isTrue();
        assertThat(EventTrigger.isNewer(1, 0xffff_ffffL)).isTrue();
        assertThat(EventTrigger.isNewer(0xffff_ffffL, 1)).isFalse();
    }

    @ParameterizedTest
    @EnumSource
    void jumpsOfOthersIntoOurChainAreLookedAt(NftBackend backend) {
        try (Listening on = new Listening(backend)) {
            on.node.parts().hand().addJump(IPV4, Jump.Kind.VARIANT);
            assertThat(on.told()).isEqualTo(1);
            assertThat(AgentRig.drift(on.status(), IPV4)).isNotEmpty();
        }
    }
}
