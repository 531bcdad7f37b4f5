package net.ipmasq.policy;

import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.Origin;

/**
 * The one compiled policy: what every backend renders and what {@code explain} answers from.
 *
 * @param families the managed families only
 */
public record MasqPolicy(Map<IpFamily, FamilyPolicy> families) {

    public MasqPolicy {
        families = Map.copyOf(families);
    }

    /** Compiles the values in force for the families that this node manages. */
    public static MasqPolicy of(EffectiveConfig config, Set<IpFamily> managed) {
        Map<IpFamily, FamilyPolicy> families = new EnumMap<>(IpFamily.class);
        for (IpFamily family : managed) {
            families.put(family, FamilyPolicy.of(config, family));
        }
        return new MasqPolicy(families);
    }

    /** Which rule decides for a destination, and where its value comes from. */
    public Decision explain(IpAddress destination, NodeFacts node) {
        if (node.isLocal(destination)) {
            return new Decision(destination, Decision.Verdict.LOCAL, Optional.empty(), "local", Origin.BUILT_IN);
        }
        FamilyPolicy policy = families.get(destination.family());
        if (policy == null) {
            return new Decision(destination, Decision.Verdict.KEEP, Optional.empty(), "unmanaged", Origin.BUILT_IN);
        }
        return policy.explain(destination);
    }
}
