package net.ipmasq.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.ipmasq.agent.AgentStatus.FamilyStatus;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Ruleset;
import org.jspecify.annotations.Nullable;

/** Turns the results of passes into statuses; holds the totals and times that outlive a pass. */
final class StatusTracker {
    private final String source;
    private final Clock clock;
    private final Instant started;
    private final Map<IpFamily, FamilyStatus> families = new EnumMap<>(IpFamily.class);
    private final Map<IpFamily, FamilyRules> verified = new EnumMap<>(IpFamily.class);
    private final Map<String, Long> failures = new TreeMap<>();
    private final Map<Cause.Trigger, Long> byTrigger = new EnumMap<>(Cause.Trigger.class);
    private Optional<AgentStatus.Heal> lastHeal = Optional.empty();
    private @Nullable Backend verifiedIn;
    private long count;
    private int failuresInARow;
    private @Nullable Instant lastSuccess;
    private @Nullable Duration inPlace;

    StatusTracker(String source, Clock clock, Instant started) {
        this.source = source;
        this.clock = clock;
        this.started = started;
    }

    /** Marks the moment at which the kernel first held the rules. */
    void rulesInPlace() {
        if (inPlace == null) {
            inPlace = Duration.between(started, clock.instant());
        }
    }

    AgentStatus status(Assessment pass, Cause cause, Map<String, String> issue, Instant begin, Instant end) {
        count++;
        byTrigger.merge(cause.trigger(), 1L, Long::sum);
        if (verifiedIn != pass.probe().backend()) {
            // a move to another backend is our own change there
            verified.clear();
            verifiedIn = pass.probe().backend();
        }
        for (IpFamily family : IpFamily.values()) {
            families.put(family, family(family, pass));
        }
        failuresInARow = pass.inSync() || pass.results().isEmpty() ? 0 : failuresInARow + 1;
        if (pass.inSync()) {
            lastSuccess = clock.instant();
        }
        if (families.values().stream().anyMatch(StatusTracker::healed)) {
            Optional<Duration> took = cause.since().map(since -> Duration.between(since, end));
            lastHeal = Optional.of(new AgentStatus.Heal(end, count, took, cause.authors()));
        }
        return new AgentStatus(
                AgentVersion.TEXT,
                started,
                new AgentStatus.Config(
                        pass.profile(),
                        source,
                        pass.version(),
                        pass.outcome(),
                        pass.nodeFindings(),
                        Optional.of(pass.inForce())),
                new AgentStatus.Node(
                        pass.desired(),
                        pass.probe().backend(),
                        pass.probe().reason(),
                        Map.copyOf(failures),
                        lastHeal,
                        Optional.ofNullable(inPlace)),
                Map.copyOf(families),
                Map.copyOf(issue),
                new AgentStatus.Passes(
                        count,
                        Map.copyOf(byTrigger),
                        pass.inForce().interval(),
                        Duration.between(begin, end),
                        Optional.of(begin),
                        Optional.ofNullable(lastSuccess),
                        failuresInARow));
    }

    /** A problem of the other family does not make this family's repair any less a repair. */
    private static boolean healed(FamilyStatus family) {
        return family.inSync() && family.written() > 0 && !family.drift().isEmpty();
    }

    private FamilyStatus family(IpFamily family, Assessment pass) {
        Optional<FamilyStatus> before = Optional.ofNullable(families.get(family));
        FamilyPass result = pass.results().get(family);
        Map<Drift.Kind, Long> totals = new EnumMap<>(Drift.Kind.class);
        before.ifPresent(status -> totals.putAll(status.driftTotals()));
        if (result == null) {
            String why = pass.families().whyNot(family);
            return new FamilyStatus(
                    false,
                    why.isEmpty() ? "no rules are kept for it" : why,
                    false,
                    Optional.empty(),
                    before.flatMap(FamilyStatus::lastChange),
                    0,
                    List.of(),
                    Map.copyOf(totals),
                    Optional.empty(),
                    List.of());
        }
        List<Drift.Difference> drift = drift(family, pass.desired(), result);
        if (result.written() > 0) {
            drift.forEach(difference -> totals.merge(difference.kind(), 1L, Long::sum));
        }
        result.failure().map(Failure::code).ifPresent(code -> failures.merge(code.key(), 1L, Long::sum));
        return new FamilyStatus(
                true,
                "",
                result.inSync(),
                result.inSync() ? Optional.of(clock.instant()) : before.flatMap(FamilyStatus::lastInSync),
                result.written() > 0 ? Optional.of(clock.instant()) : before.flatMap(FamilyStatus::lastChange),
                result.written(),
                drift,
                Map.copyOf(totals),
                result.failure(),
                shadows(before, result));
    }

    /** While a family cannot be read, others' rules are taken to be what they were: nobody has seen them go. */
    private static List<Shadow> shadows(Optional<FamilyStatus> before, FamilyPass result) {
        boolean unread = result.failure().isPresent()
                && result.differences().isEmpty()
                && result.shadows().isEmpty();
        return before.filter(status -> unread).map(FamilyStatus::shadows).orElse(result.shadows());
    }

    /** Differences are drift only where the kernel has held these very rules before. */
    private List<Drift.Difference> drift(IpFamily family, Ruleset desired, FamilyPass result) {
        FamilyRules rules = desired.families().get(family);
        if (rules == null) {
            return List.of();
        }
        FamilyRules before = verified.get(family);
        boolean ourOwnChange = before == null || !rules.sameAs(before);
        if (result.inSync()) {
            verified.put(family, rules);
        }
        return ourOwnChange ? List.of() : result.differences();
    }
}
