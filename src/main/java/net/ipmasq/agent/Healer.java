package net.ipmasq.agent;

import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Ruleset;

/** The writing half of a pass. */
final class Healer {
    private final Dataplane dataplane;
    private final RandomFullyFallback randomFully;
    private final StatusTracker tracker;

    Healer(Dataplane dataplane, RandomFullyFallback randomFully, StatusTracker tracker) {
        this.dataplane = dataplane;
        this.randomFully = randomFully;
        this.tracker = tracker;
    }

    /** Writes the families that differ, one transaction each, and reads them back; the results show how it went. */
    void heal(Assessment assessment) {
        Map<IpFamily, FamilyPass> results = assessment.results();
        Set<IpFamily> differing = EnumSet.noneOf(IpFamily.class);
        results.forEach((family, result) -> {
            if (!result.differences().isEmpty()) {
                differing.add(family);
            }
        });
        if (differing.isEmpty()) {
            return;
        }
        Ruleset desired = assessment.desired().only(differing);
        Set<IpFamily> written = EnumSet.noneOf(IpFamily.class);
        dataplane.apply(desired, assessment.kernel()).forEach((family, outcome) -> {
            switch (outcome) {
                case ApplyOutcome.Failed failed -> {
                    if (assessment.families().giveUp(family, failed.failure())) {
                        results.remove(family);
                    }
                    results.computeIfPresent(
                            family, (key, result) -> result.withFailure(randomFully.explain(key, failed.failure())));
                }
                case ApplyOutcome.Applied applied -> {
                    written.add(family);
                    results.computeIfPresent(family, (key, result) -> result.withWritten(applied.bytes()));
                }
                case ApplyOutcome.Unchanged unchanged -> written.add(family);
            }
        });
        if (!written.isEmpty()) {
            if (results.entrySet().stream().allMatch(result -> holds(result, differing, written))) {
                tracker.rulesInPlace();
            }
            verify(desired, written, results);
        }
    }

    /** One family written is not the rules in place while the other cannot be read or written. */
    private static boolean holds(
            Map.Entry<IpFamily, FamilyPass> result, Set<IpFamily> differing, Set<IpFamily> written) {
        boolean asDesired = written.contains(result.getKey()) || !differing.contains(result.getKey());
        return asDesired && result.getValue().failure().isEmpty();
    }

    private void verify(Ruleset desired, Set<IpFamily> written, Map<IpFamily, FamilyPass> results) {
        Observed after = dataplane.observe(desired.chain(), written);
        for (IpFamily family : written) {
            FamilyRules rules = desired.families().get(family);
            FamilyState state = after.families().get(family);
            if (rules != null && state != null) {
                results.computeIfPresent(family, (key, result) -> result.verified(FamilyPass.compare(rules, state)));
            }
        }
    }
}
