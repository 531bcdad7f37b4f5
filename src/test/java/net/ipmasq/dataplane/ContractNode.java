package net.ipmasq.dataplane;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;

/** What the tests of {@link DataplaneContract} look at and compare with. */
abstract class ContractNode {
    static final Set<IpFamily> BOTH = EnumSet.allOf(IpFamily.class);

    abstract Dataplane dataplane();

    abstract Hand hand();

    static List<Rule> rules(IpFamily family) {
        List<Rule> rules = new ArrayList<>();
        rules.add(new Rule.MasqueradeTo(Cidr.of(family == IPV4 ? "10.10.10.10/32" : "fd00::10/128"), false));
        rules.add(new Rule.LinkLocal(family));
        rules.add(new Rule.Exempt(Cidr.of(family == IPV4 ? "10.0.0.0/8" : "fc00::/7")));
        rules.add(new Rule.MasqueradeRest(Optional.empty(), false));
        return rules;
    }

    static Ruleset desired() {
        Map<IpFamily, FamilyRules> families = new EnumMap<>(IpFamily.class);
        BOTH.forEach(family -> families.put(family, new FamilyRules.Listed(Hand.CHAIN, rules(family))));
        return Ruleset.of(Hand.CHAIN, families);
    }

    Observed observe() {
        return dataplane().observe(Hand.CHAIN, BOTH);
    }

    Map<IpFamily, ApplyOutcome> apply() {
        return dataplane().apply(desired(), observe());
    }

    ObservedChain chain(IpFamily family) {
        return observe().families().get(family) instanceof FamilyState.Present present
                ? present.chain()
                : ObservedChain.absent(Hand.CHAIN);
    }

    List<Drift.Kind> drift(IpFamily family) {
        return Drift.between(desired().families().get(family), chain(family)).stream()
                .map(Drift.Difference::kind)
                .toList();
    }

    List<Shadow> shadows(IpFamily family) {
        return switch (observe().families().get(family)) {
            case FamilyState.Present present -> present.shadows();
            case FamilyState.Absent absent -> absent.shadows();
            case FamilyState.Unreadable unreadable -> throw new AssertionError(unreadable);
        };
    }

    /** One kind of damage in IPv4, named right, healed by one write that leaves IPv6 alone. */
    void healed(Drift.Kind... kinds) {
        assertThat(drift(IPV4)).containsExactly(kinds);
        assertThat(drift(IPV6)).isEmpty();
        int writes = hand().writes();
        Map<IpFamily, ApplyOutcome> outcomes = apply();
        assertThat(outcomes.get(IPV4)).isInstanceOf(ApplyOutcome.Applied.class);
        assertThat(outcomes.get(IPV6)).isInstanceOf(ApplyOutcome.Unchanged.class);
        assertThat(hand().writes()).isEqualTo(writes + 1);
        assertThat(drift(IPV4)).isEmpty();
        assertThat(chain(IPV4).jumps(Jump.Kind.CANONICAL)).hasSize(1);
        assertThat(chain(IPV4).jumps(Jump.Kind.VARIANT)).isEmpty();
    }
}
