package net.ipmasq.policy;

import static net.ipmasq.policy.ConfigJudge.path;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.config.Findings;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.ProviderProfile;

/**
 * Finds entries of a configuration that have no effect because another entry decides. Looks prefixes up instead of
 * comparing pairs, so that an entry costs no more than 129 look-ups in each list, however long the lists are.
 */
final class Shadowing {
    private static final String FIX_NARROW = "remove it, or narrow the other entry";
    private static final String FIX_REMOVE = "remove it";
    private static final String SAME_VERDICT = ", which decides the same for it";

    private final Places masquerade;
    private final Places keep;
    private final Overlaps enforced;
    private final EffectiveConfig effective;
    private final Findings findings;

    /** An entry as messages name it: {@code 10.0.0.0/8 (masqueradeCIDRs[0], line 3)}. */
    private record Place(CidrList key, Item item) {
        @Override
        public String toString() {
            return item.cidr() + " (" + path(key, item) + ", line " + item.at().line() + ")";
        }
    }

    /** A list by its prefixes. */
    private record Places(Map<Cidr, Place> byCidr, BitSet lengths) {
        static Places of(CidrList key, AgentConfig config) {
            Map<Cidr, Place> byCidr = new HashMap<>();
            BitSet lengths = new BitSet();
            for (Item item : config.items(key)) {
                byCidr.putIfAbsent(item.cidr(), new Place(key, item));
                lengths.set(item.cidr().prefixLength());
            }
            return new Places(byCidr, lengths);
        }

        Optional<Place> same(Cidr cidr) {
            return Optional.ofNullable(byCidr.get(cidr));
        }

        /** The narrowest entry that is wider than {@code cidr} and contains it. */
        Optional<Place> wider(Cidr cidr) {
            int length = lengths.previousSetBit(cidr.prefixLength() - 1);
            while (length >= 0) {
                Place place = byCidr.get(new Cidr(cidr.network().masked(length), length));
                if (place != null) {
                    return Optional.of(place);
                }
                length = lengths.previousSetBit(length - 1);
            }
            return Optional.empty();
        }
    }

    private Shadowing(AgentConfig config, ProviderProfile profile, Findings findings) {
        this.masquerade = Places.of(ConfigKey.MASQUERADE_CIDRS, config);
        this.keep = Places.of(ConfigKey.NON_MASQUERADE_CIDRS, config);
        this.enforced = new Overlaps(profile.enforced());
        this.effective = EffectiveConfig.of(config, profile);
        this.findings = findings;
    }

    static void lint(AgentConfig config, ProviderProfile profile, Findings findings) {
        Shadowing lint = new Shadowing(config, profile, findings);
        config.items(ConfigKey.MASQUERADE_CIDRS).forEach(lint::inMasqueradeList);
        config.items(ConfigKey.NON_MASQUERADE_CIDRS).forEach(lint::inKeepList);
    }

    private void inMasqueradeList(Item item) {
        masquerade
                .wider(item.cidr())
                .ifPresent(by -> new Warning(ConfigKey.MASQUERADE_CIDRS, item)
                        .shadowed(() -> "is inside " + by + SAME_VERDICT, FIX_NARROW));
    }

    private void inKeepList(Item item) {
        Warning warning = new Warning(ConfigKey.NON_MASQUERADE_CIDRS, item);
        Optional<Place> same = masquerade.same(item.cidr());
        if (same.isPresent()) {
            warning.inBothLists(same.get());
            return;
        }
        Optional<Place> masqueraded = masquerade.wider(item.cidr());
        if (masqueraded.isPresent()) {
            warning.shadowed(
                    () -> "never takes effect: it is inside " + masqueraded.get()
                            + ", which is evaluated first and masquerades it",
                    FIX_NARROW);
            return;
        }
        if (isLinkLocal(item) || isEnforced(item)) {
            warning.shadowed(
                    () -> "is redundant: " + (isLinkLocal(item) ? linkLocal(item) : enforced(item)), FIX_REMOVE);
            return;
        }
        keep.wider(item.cidr()).ifPresent(by -> warning.shadowed(() -> "is inside " + by + SAME_VERDICT, FIX_NARROW));
    }

    private boolean isLinkLocal(Item item) {
        IpFamily family = item.cidr().family();
        return !effective.masqueradeLinkLocal(family).value()
                && family.linkLocal().contains(item.cidr());
    }

    private static String linkLocal(Item item) {
        IpFamily family = item.cidr().family();
        String range = family.linkLocal().equals(item.cidr())
                ? "the link-local range"
                : "it is inside the link-local range " + family.linkLocal() + ", which";
        return range + " keeps the pod's address already ("
                + ConfigKey.masqLinkLocal(family).spelling() + ": false)";
    }

    private boolean isEnforced(Item item) {
        return around(item).isPresent();
    }

    private String enforced(Item item) {
        Cidr by = around(item).orElseThrow();
        return (by.equals(item.cidr()) ? "" : "it is inside " + by + ", and ") + "the provider's profile "
                + effective.profile().name() + " never masquerades that";
    }

    /** The enforced prefix that holds the entry. */
    private Optional<Cidr> around(Item item) {
        Iterator<Cidr> overlapping = enforced.with(item.cidr()).iterator();
        return overlapping.hasNext()
                ? Optional.of(overlapping.next()).filter(cidr -> cidr.contains(item.cidr()))
                : Optional.empty();
    }

    /** A warning about one entry, whose message is made only if it is kept. */
    private final class Warning {
        private final CidrList key;
        private final Item item;

        Warning(CidrList key, Item item) {
            this.key = key;
            this.item = item;
        }

        void shadowed(Supplier<String> message, String fix) {
            add(ProblemCode.CIDR_SHADOWED, message, fix);
        }

        void inBothLists(Place same) {
            add(
                    ProblemCode.CIDR_IN_BOTH_LISTS,
                    () -> "is also " + path(same.key(), same.item()) + " (line "
                            + same.item().at().line() + "), which is evaluated first: it is masqueraded",
                    FIX_NARROW);
        }

        private void add(ProblemCode code, Supplier<String> message, String fix) {
            if (!findings.onlyCounts(code, item.at())) {
                findings.add(code, item.at(), path(key, item), item.cidr() + " " + message.get(), fix);
            }
        }
    }
}
