package net.ipmasq.dataplane.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.iptables.RandomRules;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.Seeds;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The kernel gives back every ruleset in set form, also when one replaces another, whole or by its elements. */
@NeedsKernel(tools = {"ip", "nft"})
class NftRoundTripTest {
    private static final int RULESETS = 180;
    private static final int CYCLE = 6;
    private static final EnumSet<IpFamily> BOTH = EnumSet.allOf(IpFamily.class);

    @Test
    void anyRulesetFollowsAnyOther() {
        long seed = Seeds.next();
        int edits = 0;
        try (NftNode node = new NftNode()) {
            Map<IpFamily, FamilyRules> last = Map.of();
            for (int i = 0; i < RULESETS; i++) {
                Map<IpFamily, FamilyRules> rules = new EnumMap<>(IpFamily.class);
                for (IpFamily family : BOTH) {
                    FamilyRules before = last.get(family);
                    rules.put(family, next(i, family, before, seed));
                }
                last = rules;
                Ruleset desired = Ruleset.of(NftNode.CHAIN, rules);
                Observed before = node.dataplane().observe(NftNode.CHAIN, BOTH);
                node.runner().forget();
                Map<IpFamily, ApplyOutcome> outcomes = node.dataplane().apply(desired, before);
                assertThat(outcomes.values())
                        .as("seed %d: %s%n%s", seed + i, rules, node.runner().calls())
                        .noneMatch(ApplyOutcome.Failed.class::isInstance);
                assertThat(node.writes().size())
                        .as("a refused edit would show here, seed %d", seed + i)
                        .isEqualTo(outcomes.values().stream()
                                .filter(ApplyOutcome.Applied.class::isInstance)
                                .count());
                edits += node.writes().stream()
                        .filter(call -> call.stdin().contains("replace rule"))
                        .count();
                shows(node, rules, seed + i);
            }
        }
        assertThat(edits).as("edits of elements among the writes").isGreaterThan(10);
    }

    /**
     * The range by masqLinkLocal, in the list, and both, each after the other: the comment in the kernel always names where
     * the rule in force comes from, and earlier versions' comment is put right.
     */
    @Test
    void theLinkLocalRangeIsWhereItBelongs() {
        try (NftNode node = new NftNode()) {
            for (int i = 0; i < 2; i++) {
                for (IpFamily family : BOTH) {
                    Rule exemption = new Rule.LinkLocal(family);
                    Rule.Exempt listed = new Rule.Exempt(family.linkLocal());
                    becomes(node, family, List.of(exemption), true);
                    becomes(node, family, List.of(listed), false);
                    becomes(node, family, List.of(exemption, listed), true);
                }
            }
        }
    }

    private static void becomes(NftNode node, IpFamily family, List<Rule> rules, boolean byKey) {
        Map<IpFamily, FamilyRules> wanted = Map.of(family, new FamilyRules.Listed(NftNode.CHAIN, rules));
        Observed before = node.dataplane().observe(NftNode.CHAIN, EnumSet.of(family));
        node.dataplane().apply(Ruleset.of(NftNode.CHAIN, wanted), before);
        shows(node, wanted, 0);
        assertThat(node.rules(family, NftNode.CHAIN))
                .singleElement()
                .asString()
                .contains(byKey ? "(masqLinkLocal)" : "(nonMasqueradeCIDRs)");
    }

    /** One at random, three edits of it at random, and two of which the second is sure to be the first with one entry more. */
    private static FamilyRules next(int i, IpFamily family, @Nullable FamilyRules before, long seed) {
        return switch (i % CYCLE) {
            case 4 -> keeping(family, i);
            case 5 -> keeping(family, i - 1, i);
            default ->
                i % CYCLE == 0 || before == null
                        ? RandomRules.of(seed + i, family)
                        : RandomRules.edited(before, seed + i, family);
        };
    }

    private static FamilyRules keeping(IpFamily family, int... numbers) {
        List<Rule> rules = new ArrayList<>();
        for (int number : numbers) {
            rules.add(new Rule.Exempt(
                    Cidr.of(family == IpFamily.IPV4 ? "10." + number + ".0.0/16" : "fd00:" + number + "::/32")));
        }
        rules.add(new Rule.MasqueradeRest(Optional.empty(), false));
        return new FamilyRules.Listed(NftNode.CHAIN, rules);
    }

    private static void shows(NftNode node, Map<IpFamily, FamilyRules> rules, long seed) {
        Observed after = node.dataplane().observe(NftNode.CHAIN, BOTH);
        rules.forEach((family, wanted) -> {
            ObservedChain chain = ((FamilyState.Present) after.families().get(family)).chain();
            assertThat(Drift.between(wanted, chain))
                    .as("seed %d %s", seed, wanted)
                    .isEmpty();
            List<Rule> shown = chain.lines().stream()
                    .map(ObservedChain.Line::rule)
                    .flatMap(Optional::stream)
                    .toList();
            assertThat(shown).isEqualTo(wanted.setForm().rules());
            assertThat(node.rules(family, "postrouting"))
                    .singleElement()
                    .asString()
                    .as("seed %d", seed)
                    .contains(", revision " + NftRenderer.revision(wanted, family));
        });
    }
}
