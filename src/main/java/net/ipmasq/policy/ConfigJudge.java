package net.ipmasq.policy;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Position;
import net.ipmasq.config.Problem;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.ProviderProfile;

/**
 * Judges a read configuration under a profile: what the text alone cannot tell. Everything here follows from text and
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
        List<Problem> found = new ArrayList<>(loaded.warnings());
        found.addAll(limit(config, profile));
        found.addAll(enforced(config, profile));
        found.addAll(Shadowing.lint(config, profile));
        found.addAll(FamilyLeftOut.lint(config, profile));
        if (profile.ipv6().value() == Ipv6Mode.OFF) {
            found.addAll(ipv6Off(config, "IPv6 is off (" + profile.ipv6().origin() + ")"));
        }
        found.sort(Problem.IN_TEXT_ORDER);
        boolean usable = found.stream().noneMatch(Problem::isError);
        return usable ? new ConfigOutcome.Loaded(config, found) : new ConfigOutcome.Invalid(found);
    }

    private static List<Problem> limit(AgentConfig config, ProviderProfile profile) {
        int limit = config.cidrLimit()
                .map(Located::value)
                .orElse(profile.cidrLimit().value());
        int count = items(config.masqueradeCidrs()).size()
                + items(config.nonMasqueradeCidrs()).size();
        if (count <= limit) {
            return List.of();
        }
        String path = (config.nonMasqueradeCidrs().isPresent()
                        ? ConfigKey.NON_MASQUERADE_CIDRS
                        : ConfigKey.MASQUERADE_CIDRS)
                .spelling();
        Position at = config.nonMasqueradeCidrs()
                .or(config::masqueradeCidrs)
                .map(Located::at)
                .orElse(Position.NONE);
        return List.of(ProblemCode.CIDR_LIMIT.at(
                at,
                path,
                count + " CIDRs over all lists, but at most " + limit + " are accepted",
                "merge neighbouring CIDRs, or set " + ConfigKey.CIDR_LIMIT.spelling() + ": " + count));
    }

    private static List<Problem> enforced(AgentConfig config, ProviderProfile profile) {
        List<Problem> found = new ArrayList<>();
        for (Item item : items(config.masqueradeCidrs())) {
            for (Cidr cidr : profile.enforced()) {
                if (item.cidr().overlaps(cidr)) {
                    found.add(ProblemCode.CIDR_OVERLAPS_ENFORCED.at(
                            item.at(),
                            path(ConfigKey.MASQUERADE_CIDRS, item),
                            item.cidr() + " overlaps " + cidr + ", which the provider's profile " + profile.name()
                                    + " never masquerades",
                            "remove " + item.cidr() + ", or write CIDRs outside " + cidr));
                }
            }
        }
        return found;
    }

    /** Warnings about entries that a node without IPv6 ignores; {@code why} starts the message. */
    public static List<Problem> ipv6Off(AgentConfig config, String why) {
        List<Problem> found = new ArrayList<>();
        for (ConfigKey key : List.of(ConfigKey.MASQUERADE_CIDRS, ConfigKey.NON_MASQUERADE_CIDRS)) {
            Optional<Located<List<Item>>> list =
                    key == ConfigKey.MASQUERADE_CIDRS ? config.masqueradeCidrs() : config.nonMasqueradeCidrs();
            for (Item item : items(list)) {
                if (item.cidr().family() == IpFamily.IPV6) {
                    found.add(ProblemCode.IPV6_OFF.at(
                            item.at(),
                            path(key, item),
                            why + ": " + item.cidr() + " is ignored; IPv4 is not affected",
                            "remove it, or turn IPv6 on"));
                }
            }
        }
        return found;
    }

    static List<Item> items(Optional<Located<List<Item>>> list) {
        return list.map(Located::value).orElse(List.of());
    }

    static String path(ConfigKey key, Item item) {
        return key.spelling() + "[" + item.index() + "]";
    }
}
