package net.ipmasq.agent;

import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problems;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.rules.Ruleset;

/**
 * The reading half of a pass, in three steps: {@link #read} the node, {@link #decide} what it must hold, {@link #observe}
 * what it holds. Writes nothing.
 */
final class Assessor {
    private final Dataplane dataplane;
    private final DesiredStateResolver resolver;
    private final RandomFullyFallback randomFully;

    /**
     * The node before a decision.
     *
     * @param kernel under the profile's chain; without families if the decision does not depend on it
     * @param evidence what the decision goes by: the same, or the rules in the other backend if only that one has some
     */
    private record Evidence(Probe probe, Observed kernel, Observed evidence) {}

    /**
     * What the node must hold.
     *
     * @param desired the rules of the families, also of those that turn out to be impossible
     */
    private record Target(DesiredState inForce, Families families, Ruleset desired) {}

    Assessor(Dataplane dataplane, DesiredStateResolver resolver, RandomFullyFallback randomFully) {
        this.dataplane = dataplane;
        this.resolver = resolver;
        this.randomFully = randomFully;
    }

    /** Compares the node with what was judged. */
    Assessment assess(ConfigLoader.Judged judged) {
        return assess(judged, true);
    }

    /** The same, but rules found in the kernel decide nothing. */
    Assessment assessAsked(ConfigLoader.Judged judged) {
        return assess(judged, false);
    }

    private Assessment assess(ConfigLoader.Judged judged, boolean kernelDecides) {
        resolver.use(judged.profile());
        Evidence evidence = read(judged, kernelDecides);
        Target decision = decide(judged, evidence);
        Families families = decision.families();
        Observed kernel = observe(judged.profile(), decision, evidence.kernel());
        families.judge(kernel);
        Ruleset desired = decision.desired().only(families.managed());
        return new Assessment(
                judged.profile().name(),
                version(judged.reading()),
                judged.outcome(),
                findings(judged.outcome(), families),
                decision.inForce(),
                desired,
                evidence.probe(),
                families,
                kernel,
                compare(desired, kernel, families));
    }

    /** Rules that an earlier setting, or a classic agent, has in the other backend are evidence too. */
    private Evidence read(ConfigLoader.Judged judged, boolean kernelDecides) {
        String chain = judged.profile().chain().value();
        Probe probe = dataplane.probe();
        Set<IpFamily> possible = possible(judged.profile(), probe);
        Observed kernel = resolver.needsKernel(judged.outcome()) && kernelDecides
                ? dataplane.observe(chain, possible)
                : new Observed(Map.of());
        if (kernel.families().isEmpty() || DesiredStateResolver.holdsRules(kernel)) {
            return new Evidence(probe, kernel, kernel);
        }
        Observed elsewhere = dataplane.observeElsewhere(chain, possible);
        return new Evidence(probe, kernel, DesiredStateResolver.holdsRules(elsewhere) ? elsewhere : kernel);
    }

    private static Set<IpFamily> possible(ProviderProfile profile, Probe probe) {
        Set<IpFamily> possible =
                profile.ipv6().value() == Ipv6Mode.OFF ? EnumSet.of(IpFamily.IPV4) : EnumSet.allOf(IpFamily.class);
        possible.removeAll(probe.impossible().keySet());
        return possible;
    }

    private Target decide(ConfigLoader.Judged judged, Evidence evidence) {
        Probe probe = evidence.probe();
        DesiredState inForce = resolver.choose(judged.reading(), judged.outcome(), evidence.evidence());
        Families families = switch (inForce) {
            case DesiredState.Configured configured ->
                new Families(configured.config().ipv6(), probe);
            case DesiredState.Found found ->
                new Families(found.rules().families().keySet(), probe, evidence.kernel());
            case DesiredState.Untouchable untouchable -> new Families(Set.of(), probe, new Observed(Map.of()));
        };
        Ruleset desired = randomFully.without(inForce.ruleset(families.managed()), probe.backend());
        return new Target(inForce, families, desired);
    }

    /** What the kernel holds under the decided chain; not read again if {@code seen} shows it. */
    private Observed observe(ProviderProfile profile, Target decision, Observed seen) {
        String chain = decision.desired().chain();
        Set<IpFamily> readable = decision.families().readable();
        boolean enough = chain.equals(profile.chain().value())
                && seen.families().keySet().containsAll(readable);
        return enough ? seen : dataplane.observe(chain, readable);
    }

    private static Map<IpFamily, FamilyPass> compare(Ruleset desired, Observed kernel, Families families) {
        Map<IpFamily, FamilyPass> results = new EnumMap<>(IpFamily.class);
        families.failures().forEach((family, failure) -> results.put(family, FamilyPass.failed(failure)));
        desired.families().forEach((family, rules) -> {
            FamilyState state = kernel.families().get(family);
            if (state != null && !results.containsKey(family)) {
                results.put(family, FamilyPass.compare(rules, state));
            }
        });
        return results;
    }

    private static Optional<ConfigSource.Version> version(SourceReading<ConfigSource.Content> reading) {
        return reading instanceof SourceReading.Present<ConfigSource.Content>(ConfigSource.Content content)
                ? content.version()
                : Optional.empty();
    }

    private static Problems findings(ConfigOutcome outcome, Families families) {
        String why = families.whyNot(IpFamily.IPV6);
        boolean off = families.switchedOff().isEmpty() && !why.isEmpty();
        return off && outcome instanceof ConfigOutcome.Loaded loaded
                ? ConfigJudge.ipv6Off(loaded.config(), "IPv6 is not available on this node (" + why + ")")
                : Problems.NONE;
    }

    /** What is wrong with the stored last good state; empty while nothing is, or while it was not needed. */
    Optional<String> issue() {
        return resolver.issue();
    }
}
