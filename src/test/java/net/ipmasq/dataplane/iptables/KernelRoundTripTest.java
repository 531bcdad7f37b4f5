package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Ruleset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The kernel gives back every ruleset as it was written, also when one replaces another. */
@NeedsKernel
class KernelRoundTripTest {
    private static final int RULESETS = 60;
    private static final EnumSet<IpFamily> BOTH = EnumSet.allOf(IpFamily.class);

    @ParameterizedTest
    @EnumSource
    void anyRulesetFollowsAnyOther(Variant variant) {
        long seed = Long.getLong("ipmasq.seed", System.nanoTime());
        try (NodeKernel node = NodeKernel.create(variant)) {
            IptablesDataplane dataplane = node.dataplane();
            Map<IpFamily, FamilyRules> rulesBefore = Map.of();
            for (int i = 0; i < RULESETS; i++) {
                Map<IpFamily, FamilyRules> rules = new EnumMap<>(IpFamily.class);
                for (IpFamily family : BOTH) {
                    FamilyRules last = rulesBefore.get(family);
                    // every second one differs in a few places only, which is written as an edit
                    rules.put(
                            family,
                            i % 2 == 0 || last == null
                                    ? RandomRules.of(seed + i, family)
                                    : RandomRules.edited(last, seed + i, family));
                }
                rulesBefore = rules;
                Ruleset desired = Ruleset.of(NodeKernel.CHAIN, rules);
                Observed before = dataplane.observe(NodeKernel.CHAIN, BOTH);
                node.runner().forget();
                Map<IpFamily, ApplyOutcome> outcomes = dataplane.apply(desired, before);
                assertThat(outcomes).as("-Dipmasq.seed=%d", seed + i).doesNotContainValue(null);
                assertThat(outcomes.values()).noneMatch(ApplyOutcome.Failed.class::isInstance);
                assertThat(node.runner().restores().size())
                        .isEqualTo(outcomes.values().stream()
                                .filter(ApplyOutcome.Applied.class::isInstance)
                                .count());
                Observed after = dataplane.observe(NodeKernel.CHAIN, BOTH);
                rules.forEach((family, wanted) -> assertThat(after.families().get(family))
                        .as("-Dipmasq.seed=%d %s", seed, wanted)
                        .isInstanceOfSatisfying(
                                FamilyState.Present.class,
                                present -> assertThat(Drift.between(wanted, present.chain()))
                                        .isEmpty()));
            }
        }
    }
}
