package net.ipmasq.dataplane;

import static net.ipmasq.dataplane.ContractNode.BOTH;
import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BiConsumer;
import net.ipmasq.agent.SteppingClock;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.dataplane.nftables.NftNode;
import net.ipmasq.dataplane.nftables.NftablesDataplane;
import net.ipmasq.lab.InNetNs;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.lab.TextRunner;
import net.ipmasq.net.IpFamily;
import net.ipmasq.netlink.RulesetGeneration;
import net.ipmasq.rules.ObservedChain.Jump;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The gate spares calls, and never hides a change: what it shows is what the kernel would show. */
@NeedsKernel
class CachingDataplaneTest {
    private static final int EDITS = 60;

    private final SteppingClock clock = new SteppingClock();

    /** Every way of a hand to change something. */
    private static final Map<String, BiConsumer<Hand, IpFamily>> EDITS_BY_NAME = Map.ofEntries(
            Map.entry("jump twice", (hand, family) -> hand.addJump(family, Jump.Kind.CANONICAL)),
            Map.entry("bare jump", (hand, family) -> hand.addJump(family, Jump.Kind.VARIANT)),
            Map.entry("foreign jump", (hand, family) -> hand.addJump(family, Jump.Kind.FOREIGN)),
            Map.entry("no jumps", Hand::removeJumps),
            Map.entry("flushed", Hand::flush),
            Map.entry("wiped", Hand::wipe),
            Map.entry("rule removed", (hand, family) -> hand.removeRule(family, 1)),
            Map.entry("rule added", Hand::addStrangeRule),
            Map.entry("first last", Hand::firstToEnd),
            Map.entry("strangers", Hand::addStrangers),
            Map.entry("referred", Hand::refer),
            Map.entry("spoiled", Hand::spoil),
            Map.entry("mended", Hand::mend));

    private CachingDataplane gate(NftBackend.Node node) {
        CachingDataplane gate = Gates.of(node.ns(), node.parts().dataplane(), clock);
        gate.probe();
        return gate;
    }

    private static void settle(Dataplane dataplane) {
        dataplane.apply(ContractNode.desired(), dataplane.observe(Hand.CHAIN, BOTH));
    }

    private static void same(CachingDataplane gate, Dataplane direct, String after) {
        assertThat(gate.observe(Hand.CHAIN, BOTH)).as(after).isEqualTo(direct.observe(Hand.CHAIN, BOTH));
    }

    @ParameterizedTest
    @EnumSource
    void everyKindOfEditShows(NftBackend backend) {
        EDITS_BY_NAME.forEach((name, edit) -> {
            try (NftBackend.Node node = backend.create()) {
                CachingDataplane gate = gate(node);
                Dataplane direct = node.parts().dataplane();
                for (IpFamily family : BOTH) {
                    settle(gate);
                    same(gate, direct, "before " + name);
                    same(gate, direct, "before " + name + ", remembered");
                    if (name.equals("mended")) {
                        node.parts().hand().spoil(family);
                        same(gate, direct, "spoiled");
                    }
                    edit.accept(node.parts().hand(), family);
                    same(gate, direct, name);
                }
            }
        });
    }

    @ParameterizedTest
    @EnumSource
    void noSequenceOfEditsHidesOne(NftBackend backend) {
        Random random = new Random(20_12);
        List<String> names = new ArrayList<>(new java.util.TreeSet<>(EDITS_BY_NAME.keySet()));
        try (NftBackend.Node node = backend.create()) {
            CachingDataplane gate = gate(node);
            Dataplane direct = node.parts().dataplane();
            List<String> done = new ArrayList<>();
            for (int i = 0; i < EDITS; i++) {
                IpFamily family = random.nextBoolean() ? IPV4 : IPV6;
                String name = names.get(random.nextInt(names.size()));
                if (random.nextInt(3) == 0) {
                    settle(gate);
                    name = "settled";
                } else {
                    // on what is there, some edits are not possible; whatever they did must show all the same
                    try {
                        EDITS_BY_NAME.get(name).accept(node.parts().hand(), family);
                    } catch (IllegalStateException | java.util.NoSuchElementException e) {
                        name = name + " (refused)";
                    }
                }
                done.add(name + " " + family);
                same(gate, direct, String.join(", ", done));
            }
        }
    }

    /** A change between the first question and the read, and one between the read and the second question. */
    @ParameterizedTest
    @EnumSource
    void aChangeWhileReadingIsSeenByTheNextLook(NftBackend backend) {
        for (boolean beforeRead : new boolean[] {true, false}) {
            try (NftBackend.Node node = backend.create()) {
                Dataplane direct = node.parts().dataplane();
                RulesetGeneration generation = InNetNs.call(node.ns(), RulesetGeneration::open);
                CachingDataplane gate = new CachingDataplane(direct, Gates.FULL_READ, clock);
                gate.probe();
                settle(gate);
                int[] asked = {0};
                gate.use(() -> {
                    asked[0]++;
                    if (asked[0] == 2 && !beforeRead) {
                        node.parts().hand().flush(IPV4);
                    }
                    return generation.current();
                });
                if (beforeRead) {
                    // of reads side by side, each waits for the change
                    AtomicBoolean changed = new AtomicBoolean();
                    node.parts().runner().before(argv -> {
                        synchronized (changed) {
                            if (changed.compareAndSet(false, true)) {
                                node.parts().hand().flush(IPV4);
                            }
                        }
                    });
                }
                Observed raced = gate.observe(Hand.CHAIN, BOTH);
                Observed now = direct.observe(Hand.CHAIN, BOTH);
                assertThat(raced.equals(now)).isEqualTo(beforeRead);
                assertThat(gate.verified(Hand.CHAIN, IPV4)).isEmpty();
                same(gate, direct, "the look after");
                assertThat(gate.verified(Hand.CHAIN, IPV4)).isEqualTo(generation.current());
            }
        }
    }

    @ParameterizedTest
    @EnumSource
    void whileNothingMovesNothingIsCalled(NftBackend backend) {
        try (NftBackend.Node node = backend.create()) {
            CachingDataplane gate = gate(node);
            settle(gate);
            NetNsRunner runner = node.parts().runner();
            Observed first = gate.observe(Hand.CHAIN, BOTH);
            runner.forget();
            assertThat(gate.observe(Hand.CHAIN, BOTH)).isEqualTo(first);
            assertThat(gate.observe(Hand.CHAIN, EnumSet.of(IPV6)).families()).containsOnlyKeys(IPV6);
            assertThat(runner.calls()).isEmpty();
            clock.advance(Gates.FULL_READ.minusSeconds(1));
            gate.observe(Hand.CHAIN, BOTH);
            assertThat(runner.calls()).isEmpty();
            clock.advance(Duration.ofSeconds(1));
            gate.observe(Hand.CHAIN, BOTH);
            int both = runner.calls().size();
            assertThat(both).as("read again after the interval").isPositive();
            gate.observe(Hand.CHAIN, BOTH);
            assertThat(runner.calls()).hasSize(both);
            clock.advance(Duration.ofSeconds(-1));
            gate.observe(Hand.CHAIN, BOTH);
            assertThat(runner.calls()).as("a clock that was set back").hasSize(2 * both);
            gate.observe("ANOTHER-CHAIN", BOTH);
            gate.observeCounters(Hand.CHAIN, BOTH);
            assertThat(runner.calls()).as("another chain, and counters").hasSize(4 * both);
        }
    }

    @ParameterizedTest
    @EnumSource
    void whatCannotBeReadIsNotRemembered(NftBackend backend) {
        try (NftBackend.Node node = backend.create()) {
            CachingDataplane gate = gate(node);
            settle(gate);
            node.parts().hand().spoil(IPV4);
            assertThat(gate.observe(Hand.CHAIN, BOTH).families().get(IPV4)).isInstanceOf(FamilyState.Unreadable.class);
            node.parts().runner().forget();
            gate.observe(Hand.CHAIN, BOTH);
            assertThat(node.parts().runner().calls())
                    .isNotEmpty()
                    .as("the other family is")
                    .noneMatch(call -> call.program().startsWith("ip6tables")
                            || call.argv().contains("ip6"));
            assertThat(gate.verified(Hand.CHAIN, IPV4)).isEmpty();
            assertThat(gate.verified(Hand.CHAIN, IPV6)).isPresent();
        }
    }

    /** Our own table was read well; what could not be said of others must not be said again while nothing moves. */
    @Test
    void troubleWithRulesOfOthersIsNotRemembered() {
        try (NftNode node = new NftNode()) {
            AtomicBoolean issue = new AtomicBoolean(true);
            CommandRunner slow = new TextRunner() {
                @Override
                public Outcome run(List<String> argv, String stdin, Duration limit) {
                    return issue.get() && argv.contains("chains")
                            ? new TimedOut(limit)
                            : node.runner().run(argv, stdin, limit);
                }

                @Override
                public boolean has(String program) {
                    return node.runner().has(program);
                }
            };
            CachingDataplane gate = Gates.of(node.ns(), new NftablesDataplane(slow, node.files()), clock);
            gate.probe();
            for (boolean written : new boolean[] {false, true}) {
                issue.set(true);
                if (written) {
                    settle(gate);
                }
                assertThat(shadows(gate))
                        .as("written: " + written)
                        .hasSize(2)
                        .allMatch(Shadow.Untold.class::isInstance);
                assertThat(gate.verified(Hand.CHAIN, IPV4)).isEmpty();
                issue.set(false);
                assertThat(shadows(gate)).as("over, and nothing moved").isEmpty();
                assertThat(gate.verified(Hand.CHAIN, IPV4)).isPresent();
            }
        }
    }

    private static List<Shadow> shadows(Dataplane dataplane) {
        return dataplane.observe(Hand.CHAIN, BOTH).families().values().stream()
                .flatMap(state -> switch (state) {
                    case FamilyState.Absent absent -> absent.shadows().stream();
                    case FamilyState.Present present -> present.shadows().stream();
                    case FamilyState.Unreadable unreadable -> throw new AssertionError(unreadable);
                })
                .toList();
    }

    @Test
    void legacyTablesAreAlwaysReadAndTheKernelNotAsked() {
        try (NodeKernel node = NodeKernel.create(Variant.LEGACY)) {
            CachingDataplane gate = new CachingDataplane(node.dataplane(), Gates.FULL_READ, clock);
            gate.use(() -> {
                throw new AssertionError("asking can load nf_tables");
            });
            gate.probe();
            settle(gate);
            node.runner().forget();
            gate.observe(Hand.CHAIN, BOTH);
            gate.observe(Hand.CHAIN, BOTH);
            assertThat(node.runner().calls()).hasSize(4);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutAGenerationEverythingIsRead(NftBackend backend) {
        try (NftBackend.Node node = backend.create()) {
            CachingDataplane gate = new CachingDataplane(node.parts().dataplane(), Gates.FULL_READ, clock);
            gate.probe();
            settle(gate);
            gate.observe(Hand.CHAIN, BOTH);
            node.parts().runner().forget();
            gate.observe(Hand.CHAIN, BOTH);
            int once = node.parts().runner().calls().size();
            assertThat(once).isPositive();
            gate.use(InNetNs.call(node.ns(), RulesetGeneration::open)::current);
            gate.observe(Hand.CHAIN, BOTH);
            assertThat(node.parts().runner().calls())
                    .as("nothing remembered from before")
                    .hasSize(2 * once);
            gate.observe(Hand.CHAIN, BOTH);
            assertThat(node.parts().runner().calls()).hasSize(2 * once);
            gate.use(OptionalLong::empty);
            gate.observe(Hand.CHAIN, BOTH);
            assertThat(node.parts().runner().calls()).as("lost again").hasSize(3 * once);
        }
    }
}
