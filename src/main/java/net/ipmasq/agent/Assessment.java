package net.ipmasq.agent;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problems;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Ruleset;

/**
 * What one look at the node found.
 *
 * @param profile name of the profile in use
 * @param version which state of the ConfigMap was judged; empty for a file
 * @param outcome what the configuration source holds
 * @param nodeFindings warnings about the configuration that hold for this node only
 * @param desired the rules of the managed families
 * @param results by managed family; a pass updates them as it writes
 */
public record Assessment(
        String profile,
        Optional<ConfigSource.Version> version,
        ConfigOutcome outcome,
        Problems nodeFindings,
        DesiredState inForce,
        Ruleset desired,
        Probe probe,
        Families families,
        Observed kernel,
        Map<IpFamily, FamilyPass> results) {

    /** What kept families from being read or written. */
    public List<Failure> failures() {
        return results.values().stream()
                .flatMap(result -> result.failure().stream())
                .toList();
    }

    /** Whether the kernel is as desired, for one family at least: where none is managed nothing was compared. */
    public boolean inSync() {
        return !results.isEmpty() && results.values().stream().allMatch(FamilyPass::inSync);
    }
}
