package net.ipmasq.policy;

import static net.ipmasq.policy.ConfigJudge.items;
import static net.ipmasq.policy.ConfigJudge.path;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.Problem;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.ProviderProfile;

/**
 * Finds entries of a configuration that decide nothing because another entry does. Looks prefixes up instead of
 * comparing pairs, so that a list of 16,384 entries costs no more than 129 look-ups each.
 */
final class Shadowing {
    private static final String FIX_REMOVE = "remove it, or narrow the other entry";

    private final Map<Cidr, Place> masquerade;
    private final Map<Cidr, Place> keep;
    private final List<Problem> found = new ArrayList<>();

    /** An entry as messages name it: {@code 10.0.0.0/8 (masqueradeCIDRs[0], line 3)}. */
    private record Place(Cidr cidr, ConfigKey key, Item item) {
        @Override
        public String toString() {
            return cidr + " (" + path(key, item) + ", line " + item.at().line() + ")";
        }
    }

    private Shadowing(AgentConfig config) {
        masquerade = places(ConfigKey.MASQUERADE_CIDRS, items(config.masqueradeCidrs()));
        keep = places(ConfigKey.NON_MASQUERADE_CIDRS, items(config.nonMasqueradeCidrs()));
    }

    static List<Problem> lint(AgentConfig config, ProviderProfile profile) {
        Shadowing lint = new Shadowing(config);
        items(config.masqueradeCidrs()).forEach(item -> lint.inMasqueradeList(item));
        EffectiveConfig effective = EffectiveConfig.of(config, profile);
        items(config.nonMasqueradeCidrs()).forEach(item -> lint.inKeepList(item, effective));
        return lint.found;
    }

    private static Map<Cidr, Place> places(ConfigKey key, List<Item> items) {
        Map<Cidr, Place> places = new HashMap<>();
        items.forEach(item -> places.putIfAbsent(item.cidr(), new Place(item.cidr(), key, item)));
        return places;
    }

    private void inMasqueradeList(Item item) {
        wider(masquerade, item.cidr(), false)
                .ifPresent(by -> warn(
                        ProblemCode.CIDR_SHADOWED,
                        ConfigKey.MASQUERADE_CIDRS,
                        item,
                        "is inside " + by + sameVerdict()));
    }

    private void inKeepList(Item item, EffectiveConfig effective) {
        ConfigKey key = ConfigKey.NON_MASQUERADE_CIDRS;
        Place same = masquerade.get(item.cidr());
        if (same != null) {
            warn(
                    ProblemCode.CIDR_IN_BOTH_LISTS,
                    key,
                    item,
                    "is also " + path(same.key(), same.item()) + " (line "
                            + same.item().at().line() + "), which is evaluated first: it is masqueraded");
            return;
        }
        Optional<Place> masqueraded = wider(masquerade, item.cidr(), false);
        if (masqueraded.isPresent()) {
            warn(
                    ProblemCode.CIDR_SHADOWED,
                    key,
                    item,
                    "can never decide: it is inside " + masqueraded.get()
                            + ", which is evaluated first and masquerades it");
            return;
        }
        IpFamily family = item.cidr().family();
        Cidr linkLocal = family.linkLocal();
        if (!effective.masqueradeLinkLocal(family).value() && linkLocal.contains(item.cidr())) {
            ConfigKey by = family == IpFamily.IPV4 ? ConfigKey.MASQ_LINK_LOCAL : ConfigKey.MASQ_LINK_LOCAL_IPV6;
            warn(
                    ProblemCode.CIDR_SHADOWED,
                    key,
                    item,
                    "is inside " + linkLocal + " (" + by.spelling() + ": false)" + sameVerdict());
            return;
        }
        wider(keep, item.cidr(), false)
                .ifPresent(by -> warn(ProblemCode.CIDR_SHADOWED, key, item, "is inside " + by + sameVerdict()));
    }

    private static String sameVerdict() {
        return ", which decides the same for it";
    }

    private void warn(ProblemCode code, ConfigKey key, Item item, String message) {
        found.add(code.at(item.at(), path(key, item), item.cidr() + " " + message, FIX_REMOVE));
    }

    /** The narrowest entry that contains {@code cidr} and is wider than it, or also as wide. */
    private static Optional<Place> wider(Map<Cidr, Place> places, Cidr cidr, boolean orEqual) {
        for (int length = orEqual ? cidr.prefixLength() : cidr.prefixLength() - 1; length >= 0; length--) {
            Place place = places.get(new Cidr(cidr.network().masked(length), length));
            if (place != null) {
                return Optional.of(place);
            }
        }
        return Optional.empty();
    }
}
