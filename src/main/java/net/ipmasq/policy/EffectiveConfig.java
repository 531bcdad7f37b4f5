package net.ipmasq.policy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.Origin;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.profile.Value;

/**
 * Every value in force with its origin: from the configuration where it has the key, else from the profile.
 *
 * @param masquerade in file order
 * @param nonMasquerade in file order, enforced ones last
 */
public record EffectiveConfig(
        ProviderProfile profile,
        List<Entry> masquerade,
        List<Entry> nonMasquerade,
        Value<Boolean> masqOutBound,
        Value<Boolean> masqOutBoundIpv6,
        Value<Boolean> masqLinkLocal,
        Value<Boolean> masqLinkLocalIpv6,
        Value<Duration> resyncInterval,
        Value<Integer> cidrLimit) {

    /** One CIDR of a list and where it comes from. */
    public record Entry(Cidr cidr, Origin origin) {}

    /** The values in force for a configuration under a profile whose flags are already applied. */
    public static EffectiveConfig of(AgentConfig config, ProviderProfile profile) {
        ProviderProfile.Defaults defaults = profile.defaults();
        List<Entry> keep = new ArrayList<>(entries(config.nonMasqueradeCidrs(), defaults.nonMasqueradeCidrs()));
        addEnforced(keep, profile);
        return new EffectiveConfig(
                profile,
                entries(config.masqueradeCidrs(), defaults.masqueradeCidrs()),
                List.copyOf(keep),
                value(config.masqOutBound(), defaults.masqOutBound()),
                value(config.masqOutBoundIpv6(), defaults.masqOutBoundIpv6()),
                value(config.masqLinkLocal(), defaults.masqLinkLocal()),
                value(config.masqLinkLocalIpv6(), defaults.masqLinkLocalIpv6()),
                value(config.resyncInterval(), defaults.resyncInterval()),
                value(config.cidrLimit(), profile.cidrLimit()));
    }

    private static void addEnforced(List<Entry> keep, ProviderProfile profile) {
        if (profile.enforced().isEmpty()) {
            // this runs in every pass
            return;
        }
        Set<Cidr> given = keep.stream().map(Entry::cidr).collect(Collectors.toCollection(HashSet::new));
        for (Cidr cidr : profile.enforced()) {
            if (given.add(cidr)) {
                keep.add(new Entry(cidr, Origin.enforced(profile.name())));
            }
        }
    }

    private static <T> Value<T> value(Optional<Located<T>> given, Value<T> fallback) {
        return given.map(located ->
                        new Value<>(located.value(), Origin.config(located.at().line())))
                .orElse(fallback);
    }

    private static List<Entry> entries(Optional<Located<List<Item>>> given, Value<List<Cidr>> fallback) {
        if (given.isPresent()) {
            return given.get().value().stream()
                    .map(item -> new Entry(item.cidr(), Origin.config(item.at().line())))
                    .toList();
        }
        return fallback.value().stream()
                .map(cidr -> new Entry(cidr, fallback.origin()))
                .toList();
    }

    /** Whether destinations that no list names are masqueraded. */
    public Value<Boolean> masqueradeRest(IpFamily family) {
        return family == IpFamily.IPV4 ? masqOutBound : masqOutBoundIpv6;
    }

    /** Whether the link-local range loses its exemption. */
    public Value<Boolean> masqueradeLinkLocal(IpFamily family) {
        return family == IpFamily.IPV4 ? masqLinkLocal : masqLinkLocalIpv6;
    }

    public String chain() {
        return profile.chain().value();
    }

    public Ipv6Mode ipv6() {
        return profile.ipv6().value();
    }

    public Value<Boolean> randomFully() {
        return profile.randomFully();
    }

    public Value<List<PortRange>> toPorts() {
        return profile.toPorts();
    }
}
