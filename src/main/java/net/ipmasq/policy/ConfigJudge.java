package net.ipmasq.policy;

import java.util.List;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Findings;
import net.ipmasq.config.Position;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.config.Problems;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.ProviderProfile;

/**
 * Judges a read configuration under a profile: what does not show in the text alone. All of it follows from text and
 * profile, so every node finds the same.
 */
public final class ConfigJudge {
    private ConfigJudge() {}

    /** The outcome with the findings that need the profile added; a loaded text can become invalid. */
    public static ConfigOutcome judge(ConfigOutcome read, ProviderProfile profile) {
        return switch (read) {
            case ConfigOutcome.Unknown unknown -> unknown;
            case ConfigOutcome.Absent absent -> absent;
            case ConfigOutcome.Invalid invalid -> invalid;
            case ConfigOutcome.Loaded loaded -> judge(loaded, profile);
        };
    }

    private static ConfigOutcome judge(ConfigOutcome.Loaded loaded, ProviderProfile profile) {
        AgentConfig config = loaded.config();
        Findings findings = new Findings();
        findings.addAll(loaded.findings());
        limit(config, profile, findings);
        enforced(config, profile, findings);
        Shadowing.lint(config, profile, findings);
        FamilyLeftOut.lint(config, profile).forEach(findings::add);
        if (profile.ipv6().value() == Ipv6Mode.OFF) {
            ipv6Off(config, "IPv6 is off (" + profile.ipv6().origin() + ")", findings);
        }
        Problems found = findings.problems();
        return findings.hasErrors() ? new ConfigOutcome.Invalid(found) : new ConfigOutcome.Loaded(config, found);
    }

    private static void limit(AgentConfig config, ProviderProfile profile, Findings findings) {
        int limit = config.get(ConfigKey.CIDR_LIMIT)
                .map(Located::value)
                .orElse(profile.cidrLimit().value());
        List<CidrList> given = ConfigKey.LISTS.stream()
                .filter(list -> config.get(list).isPresent())
                .toList();
        int count = given.stream().mapToInt(list -> config.items(list).size()).sum();
        if (count <= limit) {
            return;
        }
        CidrList first = given.getFirst();
        findings.add(
                ProblemCode.CIDR_LIMIT,
                config.get(first).map(Located::at).orElse(Position.NONE),
                first.spelling(),
                count + " CIDRs over all lists, but at most " + limit + " are accepted",
                "merge neighbouring CIDRs, or set " + ConfigKey.CIDR_LIMIT.spelling() + ": " + count);
    }

    private static void enforced(AgentConfig config, ProviderProfile profile, Findings findings) {
        Overlaps enforced = new Overlaps(profile.enforced());
        for (Item item : config.items(ConfigKey.MASQUERADE_CIDRS)) {
            for (Cidr cidr : enforced.with(item.cidr())) {
                if (!findings.onlyCounts(ProblemCode.CIDR_OVERLAPS_ENFORCED, item.at())) {
                    findings.add(
                            ProblemCode.CIDR_OVERLAPS_ENFORCED,
                            item.at(),
                            path(ConfigKey.MASQUERADE_CIDRS, item),
                            item.cidr() + " overlaps " + cidr + ", which the provider's profile " + profile.name()
                                    + " never masquerades",
                            "remove " + item.cidr() + ", or write CIDRs outside " + cidr);
                }
            }
        }
    }

    /** Warnings about entries that a node without IPv6 ignores; {@code why} starts the message. */
    public static Problems ipv6Off(AgentConfig config, String why) {
        Findings findings = new Findings();
        ipv6Off(config, why, findings);
        return findings.problems();
    }

    private static void ipv6Off(AgentConfig config, String why, Findings findings) {
        for (CidrList key : ConfigKey.LISTS) {
            for (Item item : config.items(key)) {
                if (item.cidr().family() == IpFamily.IPV6 && !findings.onlyCounts(ProblemCode.IPV6_OFF, item.at())) {
                    findings.add(
                            ProblemCode.IPV6_OFF,
                            item.at(),
                            path(key, item),
                            why + ": " + item.cidr() + " is ignored; IPv4 is not affected",
                            "remove it, or turn IPv6 on");
                }
            }
        }
    }

    static String path(CidrList key, Item item) {
        return key.spelling() + "[" + item.index() + "]";
    }
}
