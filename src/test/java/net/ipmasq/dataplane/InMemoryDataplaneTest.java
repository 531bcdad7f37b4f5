package net.ipmasq.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.dataplane.InMemoryTable.BaseRule;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.Ruleset;
import org.junit.jupiter.api.Test;

class InMemoryDataplaneTest extends DataplaneContract {
    private static final Failure BROKEN = new Failure(FailureCode.UNREADABLE, "broken", "mend it");

    private final InMemoryDataplane dataplane = new InMemoryDataplane();

    @Override
    Dataplane dataplane() {
        return dataplane;
    }

    @Override
    Hand hand() {
        return new RecordsHand();
    }

    @Test
    void aFailedWriteChangesNothing() {
        dataplane.failWrites(IpFamily.IPV4, Optional.of(BROKEN));
        Ruleset desired = Ruleset.of(Hand.CHAIN, Map.of(IpFamily.IPV4, new FamilyRules.Listed(Hand.CHAIN, List.of())));
        InMemoryTable before = dataplane.table(IpFamily.IPV4);
        assertThat(dataplane.apply(
                        desired,
                        dataplane.observe(Hand.CHAIN, Map.of(IpFamily.IPV4, 1).keySet())))
                .containsValue(new ApplyOutcome.Failed(BROKEN));
        assertThat(dataplane.table(IpFamily.IPV4)).isEqualTo(before);
        assertThat(dataplane.writes()).isZero();
    }

    /** Edits the records. */
    private final class RecordsHand implements Hand {
        private static final String STRANGER = "-s 172.17.0.0/16 ! -o docker0 -j MASQUERADE";

        private void base(IpFamily family, java.util.function.Consumer<List<BaseRule>> change) {
            dataplane.edit(family, table -> {
                List<BaseRule> base = new ArrayList<>(table.base());
                change.accept(base);
                return table.withBase(base);
            });
        }

        private void lines(IpFamily family, java.util.function.Consumer<List<ObservedChain.Line>> change) {
            dataplane.edit(family, table -> {
                List<ObservedChain.Line> lines = new ArrayList<>(table.chains().get(CHAIN));
                change.accept(lines);
                return table.withChain(CHAIN, lines);
            });
        }

        @Override
        public void addJump(IpFamily family, Jump.Kind kind) {
            base(family, base -> base.add(BaseRule.jump(CHAIN, kind)));
        }

        @Override
        public void removeJumps(IpFamily family) {
            base(family, base -> base.removeIf(rule -> rule.jump().isPresent()));
        }

        @Override
        public void flush(IpFamily family) {
            lines(family, List::clear);
        }

        @Override
        public void wipe(IpFamily family) {
            dataplane.edit(family, table -> InMemoryTable.EMPTY);
        }

        @Override
        public void removeRule(IpFamily family, int index) {
            lines(family, lines -> lines.remove(index));
        }

        @Override
        public void addStrangeRule(IpFamily family) {
            lines(family, lines -> lines.add(InMemoryTable.strange("-p tcp -j ACCEPT")));
        }

        @Override
        public void firstToEnd(IpFamily family) {
            lines(family, lines -> lines.add(lines.removeFirst()));
        }

        @Override
        public void addStrangers(IpFamily family) {
            base(family, base -> base.addFirst(BaseRule.masquerade(STRANGER, true)));
            dataplane.edit(
                    family, table -> table.withChain("DOCKER", List.of(InMemoryTable.strange("-i docker0 -j RETURN"))));
        }

        @Override
        public List<String> strangers(IpFamily family) {
            InMemoryTable table = dataplane.table(family);
            List<String> strangers = new ArrayList<>();
            table.base().stream().filter(rule -> rule.jump().isEmpty()).forEach(rule -> strangers.add(rule.toString()));
            table.chains().forEach((name, lines) -> {
                if (!name.equals(CHAIN)) {
                    strangers.add(name + " " + lines);
                }
            });
            return strangers;
        }

        @Override
        public void refer(IpFamily family) {
            dataplane.edit(family, table -> table.withReferences(CHAIN, List.of("-A THEIRS -j " + CHAIN)));
        }

        @Override
        public void unrefer(IpFamily family) {
            dataplane.edit(family, table -> new InMemoryTable(table.base(), table.chains(), Map.of()));
        }

        @Override
        public void spoil(IpFamily family) {
            dataplane.failReads(family, Optional.of(BROKEN));
        }

        @Override
        public void mend(IpFamily family) {
            dataplane.failReads(family, Optional.empty());
        }

        @Override
        public int writes() {
            return dataplane.writes();
        }
    }
}
