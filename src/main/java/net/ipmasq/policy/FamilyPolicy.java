package net.ipmasq.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSet;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.profile.Origin;
import net.ipmasq.profile.Value;

/**
 * What happens to packets of one family, first match wins: {@code masquerade}, then link-local, then {@code keep}, then
 * the rest.
 *
 * @param linkLocal the exemption of the link-local range; empty when it has none
 */
public record FamilyPolicy(
        IpFamily family,
        List<EffectiveConfig.Entry> masquerade,
        Optional<EffectiveConfig.Entry> linkLocal,
        List<EffectiveConfig.Entry> keep,
        Value<Boolean> masqueradeRest,
        boolean randomFully,
        List<PortRange> toPorts) {

    static FamilyPolicy of(EffectiveConfig config, IpFamily family) {
        Value<Boolean> masqLinkLocal = config.masqueradeLinkLocal(family);
        return new FamilyPolicy(
                family,
                ofFamily(config.get(ConfigKey.MASQUERADE_CIDRS), family),
                masqLinkLocal.value()
                        ? Optional.empty()
                        : Optional.of(new EffectiveConfig.Entry(family.linkLocal(), masqLinkLocal.origin())),
                ofFamily(config.get(ConfigKey.NON_MASQUERADE_CIDRS), family),
                config.masqueradeRest(family),
                config.randomFully().value(),
                config.toPorts().value());
    }

    private static List<EffectiveConfig.Entry> ofFamily(List<EffectiveConfig.Entry> entries, IpFamily family) {
        return entries.stream().filter(entry -> entry.cidr().family() == family).toList();
    }

    /** Which rule decides for a destination that is not local to the node. */
    Decision explain(IpAddress destination) {
        for (EffectiveConfig.Entry entry : masquerade) {
            if (entry.cidr().contains(destination)) {
                return decision(destination, Decision.Verdict.MASQUERADE, "masqueradeCIDRs", entry);
            }
        }
        if (linkLocal.isPresent() && linkLocal.get().cidr().contains(destination)) {
            return decision(destination, Decision.Verdict.KEEP, linkLocalKey(), linkLocal.get());
        }
        for (EffectiveConfig.Entry entry : keep) {
            if (entry.cidr().contains(destination)) {
                String rule = entry.origin().kind() == Origin.Kind.ENFORCED ? "enforced" : "nonMasqueradeCIDRs";
                return decision(destination, Decision.Verdict.KEEP, rule, entry);
            }
        }
        Decision.Verdict verdict = masqueradeRest.value() ? Decision.Verdict.MASQUERADE : Decision.Verdict.KEEP;
        return new Decision(destination, verdict, Optional.empty(), restKey(), masqueradeRest.origin());
    }

    /** The part of a range that is masqueraded: the addresses that {@link #explain} masquerades. */
    CidrSet masqueradedIn(Cidr range) {
        CidrSet whole = CidrSet.of(List.of(range));
        CidrSet unlisted = whole.minus(overlapping(masquerade, range));
        if (!masqueradeRest.value()) {
            return whole.minus(unlisted);
        }
        List<EffectiveConfig.Entry> exempt = new ArrayList<>(keep);
        linkLocal.ifPresent(exempt::add);
        CidrSet kept = unlisted.minus(unlisted.minus(overlapping(exempt, range)));
        return whole.minus(kept);
    }

    private static CidrSet overlapping(List<EffectiveConfig.Entry> entries, Cidr range) {
        return CidrSet.of(entries.stream()
                .map(EffectiveConfig.Entry::cidr)
                .filter(range::overlaps)
                .toList());
    }

    private static Decision decision(
            IpAddress destination, Decision.Verdict verdict, String rule, EffectiveConfig.Entry entry) {
        return new Decision(destination, verdict, Optional.of(entry.cidr()), rule, entry.origin());
    }

    private String linkLocalKey() {
        return ConfigKey.masqLinkLocal(family).spelling();
    }

    private String restKey() {
        return ConfigKey.masqOutBound(family).spelling();
    }
}
