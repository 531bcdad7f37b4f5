package net.ipmasq.rules;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.policy.FamilyPolicy;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.rules.Rule.Transport;
import org.jspecify.annotations.Nullable;

/** What the kernel must hold: the same for every backend. Immutable. */
public final class Ruleset {
    private final String chain;
    private final Map<IpFamily, FamilyRules> families;
    private volatile @Nullable String revision;

    private Ruleset(String chain, Map<IpFamily, FamilyRules> families, @Nullable String revision) {
        this.chain = chain;
        this.families = Map.copyOf(families);
        this.revision = revision;
    }

    public static Ruleset of(String chain, Map<IpFamily, FamilyRules> families) {
        return new Ruleset(chain, families, null);
    }

    /** The nat chain that holds the rules. */
    public String chain() {
        return chain;
    }

    public Map<IpFamily, FamilyRules> families() {
        return families;
    }

    /**
     * 12 hex digits that change with the rules. Computed when first asked for: the hash and its provider cost a starting
     * process 8 ms that its rules should not wait for.
     */
    public String revision() {
        String text = revision;
        if (text == null) {
            text = revision(chain, families);
            revision = text;
        }
        return text;
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Ruleset that && chain.equals(that.chain) && families.equals(that.families);
    }

    @Override
    public int hashCode() {
        return 31 * chain.hashCode() + families.hashCode();
    }

    @Override
    public String toString() {
        return "Ruleset " + chain + " " + families;
    }

    public static Ruleset of(MasqPolicy policy, String chain) {
        Map<IpFamily, FamilyRules> families = new EnumMap<>(IpFamily.class);
        policy.families().forEach((family, part) -> families.put(family, compile(part, chain)));
        return of(chain, families);
    }

    /** This ruleset with only some of its families. */
    public Ruleset only(Set<IpFamily> wanted) {
        Map<IpFamily, FamilyRules> some = new EnumMap<>(IpFamily.class);
        families.forEach((family, rules) -> {
            if (wanted.contains(family)) {
                some.put(family, rules);
            }
        });
        return of(chain, some);
    }

    private static FamilyRules compile(FamilyPolicy policy, String chain) {
        return new FamilyRules.Compiled(
                chain,
                policy.masquerade().stream()
                        .map(entry -> new Rule.MasqueradeTo(entry.cidr(), policy.randomFully()))
                        .toList(),
                policy.linkLocal().map(entry -> new Rule.LinkLocal(policy.family())),
                policy.keep().stream()
                        .map(entry -> new Rule.Exempt(entry.cidr()))
                        .toList(),
                policy.masqueradeRest().value() ? rest(policy.toPorts(), policy.randomFully()) : List.of());
    }

    private static List<Rule.MasqueradeRest> rest(List<PortRange> ports, boolean randomFully) {
        List<Rule.MasqueradeRest> rules = new ArrayList<>();
        for (Transport transport : ports.isEmpty() ? new Transport[0] : Transport.values()) {
            int left = ports.stream().mapToInt(PortRange::size).sum();
            for (int i = 0; i < ports.size(); i++) {
                PortRange range = ports.get(i);
                boolean last = i == ports.size() - 1;
                OptionalInt share = last ? OptionalInt.empty() : OptionalInt.of(share(range.size(), left));
                rules.add(
                        new Rule.MasqueradeRest(Optional.of(new Rule.PortShare(transport, share, range)), randomFully));
                left -= range.size();
            }
        }
        rules.add(new Rule.MasqueradeRest(Optional.empty(), randomFully));
        return rules;
    }

    /** {@code size / left} in units of 1/2³¹, rounded as iptables does (lround). */
    private static int share(int size, int left) {
        return (int) Math.min(Integer.MAX_VALUE, Math.round((double) size / left * 0x8000_0000L));
    }

    private static String revision(String chain, Map<IpFamily, FamilyRules> families) {
        StringBuilder text = new StringBuilder(chain);
        for (IpFamily family : IpFamily.values()) {
            FamilyRules rules = families.get(family);
            text.append('\n').append(family.key()).append(rules == null ? " unmanaged" : rules.ordered());
        }
        try {
            byte[] digest =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            // every Java platform must have SHA-256 (MessageDigest's class comment)
            throw new IllegalStateException(e);
        }
    }
}
