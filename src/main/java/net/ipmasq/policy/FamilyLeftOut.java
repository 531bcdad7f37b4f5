package net.ipmasq.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.Position;
import net.ipmasq.config.Problem;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSet;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.Origin;
import net.ipmasq.profile.ProviderProfile;

/**
 * Finds a family that a text's nonMasqueradeCIDRs leaves out although the profile's list has entries of it. Since the key
 * replaces the profile's list whole, {@code [10.0.0.0/8]} alone takes fc00::/7 away, which is rarely intended. Only a
 * note: a cluster without that family is not affected. An empty list has a warning of its own.
 */
final class FamilyLeftOut {
    /** Entries that a message names. */
    private static final int MOST_NAMED = 12;

    private FamilyLeftOut() {}

    static List<Problem> lint(AgentConfig config, ProviderProfile profile) {
        Position at =
                config.get(ConfigKey.NON_MASQUERADE_CIDRS).map(Located::at).orElse(Position.NONE);
        EffectiveConfig effective = EffectiveConfig.of(config, profile);
        List<Problem> found = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            note(effective, family, at).ifPresent(found::add);
        }
        return found;
    }

    /** The note about one family; empty where nothing is left out, or where nothing follows from it. */
    static Optional<Problem> note(EffectiveConfig config, IpFamily family, Position at) {
        List<Cidr> lost = lost(config, family);
        boolean off = family == IpFamily.IPV6 && config.ipv6() == Ipv6Mode.OFF;
        if (lost.isEmpty() || off || !config.masqueradeRest(family).value()) {
            return Optional.empty();
        }
        String also = lost.size() > MOST_NAMED ? " and " + (lost.size() - MOST_NAMED) + " more of the profile" : "";
        return Optional.of(ProblemCode.FAMILY_LEFT_OUT.at(
                at,
                ConfigKey.NON_MASQUERADE_CIDRS.spelling(),
                "no entry of the list is " + family.label() + ", so the profile's " + named(lost, "", "") + also
                        + (lost.size() == 1 ? " does" : " do") + " not apply: on nodes with " + family.label()
                        + ", traffic between pods is masqueraded",
                "add the line" + (lost.size() == 1 ? " " : "s ") + named(lost, "'- ", "'") + also
                        + " (between brackets without the dash and in quotes), or set "
                        + ConfigKey.masqOutBound(family).spelling() + ": false"));
    }

    private static String named(List<Cidr> cidrs, String before, String after) {
        return cidrs.stream()
                .limit(MOST_NAMED)
                .map(cidr -> before + cidr + after)
                .collect(Collectors.joining(", "));
    }

    /** The profile's entries of a family if the text's list has none, less what the provider enforces. */
    private static List<Cidr> lost(EffectiveConfig config, IpFamily family) {
        List<EffectiveConfig.Entry> given = config.get(ConfigKey.NON_MASQUERADE_CIDRS).stream()
                .filter(entry -> entry.origin().kind() == Origin.Kind.CONFIG)
                .toList();
        if (given.isEmpty() || given.stream().anyMatch(entry -> entry.cidr().family() == family)) {
            return List.of();
        }
        CidrSet enforced = CidrSet.of(ofFamily(config.profile().enforced(), family));
        return ofFamily(
                        config.profile()
                                .defaults()
                                .get(ConfigKey.NON_MASQUERADE_CIDRS)
                                .value(),
                        family)
                .stream()
                .filter(cidr -> !CidrSet.of(List.of(cidr)).minus(enforced).isEmpty())
                .toList();
    }

    static List<Cidr> ofFamily(List<Cidr> cidrs, IpFamily family) {
        return cidrs.stream().filter(cidr -> cidr.family() == family).toList();
    }
}
