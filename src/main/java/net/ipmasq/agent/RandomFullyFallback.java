package net.ipmasq.agent;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;
import org.jspecify.annotations.Nullable;

/**
 * Goes without {@code --random-fully} where the tool is too old for it. The tool's version is asked only after it has
 * refused a rule, so that a current tool costs no call.
 */
final class RandomFullyFallback {
    private final Dataplane dataplane;
    private final Set<IpFamily> missing = EnumSet.noneOf(IpFamily.class);
    private @Nullable Backend backend;

    RandomFullyFallback(Dataplane dataplane) {
        this.dataplane = dataplane;
    }

    /** The rules as the tools of this backend can take them. */
    Ruleset without(Ruleset desired, Backend currentBackend) {
        if (backend != currentBackend) {
            missing.clear();
            backend = currentBackend;
        }
        if (missing.isEmpty()) {
            return desired;
        }
        Map<IpFamily, FamilyRules> families = new EnumMap<>(desired.families());
        missing.forEach(family -> families.computeIfPresent(
                family, (key, rules) -> new FamilyRules.Listed(rules.chain(), plain(rules.ordered()))));
        return Ruleset.of(desired.chain(), families);
    }

    private static List<Rule> plain(List<Rule> rules) {
        return rules.stream()
                .<Rule>map(rule -> switch (rule) {
                    case Rule.LinkLocal linkLocal -> linkLocal;
                    case Rule.Exempt exempt -> exempt;
                    case Rule.MasqueradeTo to -> new Rule.MasqueradeTo(to.cidr(), false);
                    case Rule.MasqueradeRest rest -> new Rule.MasqueradeRest(rest.ports(), false);
                })
                .toList();
    }

    /** Looks for the reason behind a refusal; from the next pass on the rules go without the option. */
    Failure explain(IpFamily family, Failure failure) {
        if (failure.code() != FailureCode.REJECTED || dataplane.canRandomFully(family)) {
            return failure;
        }
        missing.add(family);
        return new Failure(
                failure.code(),
                failure.message() + " (the tool is older than 1.6.2 and has no --random-fully)",
                "the next pass goes without it; install iptables 1.6.2 or later to have it");
    }

    Optional<String> issue() {
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of("--random-fully is asked for, but iptables is older than 1.6.2: rules go without it");
    }
}
