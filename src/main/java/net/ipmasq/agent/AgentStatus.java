package net.ipmasq.agent;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problems;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.Ruleset;

/**
 * Everything that can be observed of the agent after a pass. Health, metrics, {@code /status} and logs are derived from
 * this record and from nothing else.
 *
 * @param version of the agent
 * @param started when the process started
 * @param families by family, also those that are not managed
 * @param issue what else is wrong, by a code that conditions show, for example {@code StateDirectory}
 */
public record AgentStatus(
        String version,
        Instant started,
        Config config,
        Node node,
        Map<IpFamily, FamilyStatus> families,
        Map<String, String> issue,
        Passes passes) {

    /**
     * The configuration that the agent follows.
     *
     * @param profile name of the profile in use
     * @param source where the configuration comes from
     * @param version which state of the ConfigMap was judged; empty for a file
     * @param outcome what the source holds and what is wrong with it
     * @param nodeFindings warnings about the configuration that hold for this node only
     * @param inForce what the kernel is kept at; empty before the first pass
     */
    public record Config(
            String profile,
            String source,
            Optional<ConfigSource.Version> version,
            ConfigOutcome outcome,
            Problems nodeFindings,
            Optional<DesiredState> inForce) {

        /** All findings about the configuration: those of every node and those of this one. */
        public Problems findings() {
            return outcome.findings().and(nodeFindings);
        }
    }

    /**
     * The rules of this node and what became of them since the start.
     *
     * @param ruleset the desired rules of the managed families
     * @param backend that holds them, for example {@code iptables-nft}
     * @param backendReason why this backend was chosen
     * @param failureTotals failed family passes by code
     * @param lastHeal the last pass that repaired what others had changed; empty before the first
     * @param rulesInPlace time from the start of the process until the kernel first held the rules
     */
    public record Node(
            Ruleset ruleset,
            Backend backend,
            String backendReason,
            Map<String, Long> failureTotals,
            Optional<Heal> lastHeal,
            Optional<Duration> rulesInPlace) {}

    /**
     * Damage by others that a pass repaired.
     *
     * @param at when that pass ended
     * @param pass its number, 1 for the first pass
     * @param took since the kernel reported the change; empty if a pass found it without a report
     * @param by who changed our part of the ruleset since the pass before; empty if that is not known
     */
    public record Heal(Instant at, long pass, Optional<Duration> took, List<Cause.Author> by) {}

    /**
     * Counts and times of passes; times are of the agent's clock.
     *
     * @param byTrigger how many there were for each cause
     */
    public record Passes(
            long count,
            Map<Cause.Trigger, Long> byTrigger,
            Duration interval,
            Duration lastDuration,
            Optional<Instant> last,
            Optional<Instant> lastSuccess,
            int failuresInARow) {}

    /**
     * One family.
     *
     * @param managed whether the agent keeps rules for it
     * @param why why it is not managed; empty if it is
     * @param inSync whether the kernel held the desired rules at the end of the last pass
     * @param lastInSync when that was last so
     * @param written what the last pass wrote, in bytes; 0 for nothing
     * @param drift what the last pass found wrong and healed; empty for our own changes
     * @param driftTotals differences healed since the start
     */
    public record FamilyStatus(
            boolean managed,
            String why,
            boolean inSync,
            Optional<Instant> lastInSync,
            Optional<Instant> lastChange,
            int written,
            List<Drift.Difference> drift,
            Map<Drift.Kind, Long> driftTotals,
            Optional<Failure> failure,
            List<Shadow> shadows) {}

    /** The managed families. */
    public Set<IpFamily> managed() {
        Set<IpFamily> managed = java.util.EnumSet.noneOf(IpFamily.class);
        families.forEach((family, status) -> {
            if (status.managed()) {
                managed.add(family);
            }
        });
        return managed;
    }

    /** Whether every managed family was in sync at the end of the last pass; not where there is none. */
    public boolean inSync() {
        return !managed().isEmpty()
                && families.values().stream().allMatch(family -> !family.managed() || family.inSync());
    }

    /** What the last pass repaired. */
    public Optional<Heal> healedNow() {
        return node.lastHeal.filter(heal -> heal.pass() == passes.count());
    }

    /** This status with one problem more, or without it when {@code message} is empty. */
    public AgentStatus withIssue(String code, Optional<String> message) {
        Map<String, String> changed = new java.util.TreeMap<>(issue);
        message.ifPresentOrElse(text -> changed.put(code, text), () -> changed.remove(code));
        return new AgentStatus(version, started, config, node, families, Map.copyOf(changed), passes);
    }
}
