package net.ipmasq.profile;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ResyncInterval;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.PortRange;

/**
 * What flags or the environment set over a profile. Where both are given, {@code ipv6} beats {@code enableIpv6}, the
 * flag of the Go agents.
 *
 * @param resyncInterval brought into the bounds of {@link ResyncInterval} when applied
 */
public record ProfileOverrides(
        Optional<String> chain,
        Optional<List<PortRange>> toPorts,
        Optional<Boolean> nomasqAllReservedRanges,
        Optional<Boolean> enableIpv6,
        Optional<Boolean> randomFully,
        Optional<Duration> resyncInterval,
        Optional<Integer> cidrLimit,
        Optional<Ipv6Mode> ipv6) {

    /** What {@code --nomasq-all-reserved-ranges} of the Go agents stands for. */
    private static final List<Cidr> RESERVED = List.of(
            Cidr.of("10.0.0.0/8"),
            Cidr.of("172.16.0.0/12"),
            Cidr.of("192.168.0.0/16"),
            Cidr.of("100.64.0.0/10"),
            Cidr.of("192.0.0.0/24"),
            Cidr.of("192.0.2.0/24"),
            Cidr.of("192.88.99.0/24"),
            Cidr.of("198.18.0.0/15"),
            Cidr.of("198.51.100.0/24"),
            Cidr.of("203.0.113.0/24"),
            Cidr.of("240.0.0.0/4"));

    /**
     * @throws IllegalArgumentException if the chain's name is not usable or the limit is below 1; {@link
     *     ChainName#fault} tells beforehand
     */
    public ProfileOverrides {
        chain.flatMap(ChainName::fault).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        if (cidrLimit.isPresent() && cidrLimit.get() < 1) {
            throw new IllegalArgumentException("the limit of CIDRs is below 1: " + cidrLimit.get());
        }
    }

    /** The profile with everything that is set here in place of its own. */
    public ProviderProfile applyTo(ProviderProfile profile) {
        Optional<Value<Ipv6Mode>> legacyIpv6 =
                enableIpv6.map(on -> flag(on ? Ipv6Mode.ON : Ipv6Mode.OFF, "--enable-ipv6"));
        return new ProviderProfile(
                profile.name(),
                profile.configMap(),
                over(chain, "--masq-chain", profile.chain()),
                ipv6.map(mode -> flag(mode, "IP_MASQ_IPV6"))
                        .or(() -> legacyIpv6)
                        .orElse(profile.ipv6()),
                over(randomFully, "--random-fully", profile.randomFully()),
                over(toPorts, "--to-ports", profile.toPorts()),
                defaults(profile.defaults()),
                profile.enforced());
    }

    private ProviderProfile.Defaults defaults(ProviderProfile.Defaults from) {
        Value<List<Cidr>> keep = from.get(ConfigKey.NON_MASQUERADE_CIDRS);
        return from.with(
                        ConfigKey.NON_MASQUERADE_CIDRS,
                        nomasqAllReservedRanges.orElse(false)
                                ? flag(withReserved(keep.value()), "--nomasq-all-reserved-ranges")
                                : keep)
                .with(
                        ConfigKey.RESYNC_INTERVAL,
                        over(
                                resyncInterval.map(ResyncInterval::clamp),
                                "--resync-interval",
                                from.get(ConfigKey.RESYNC_INTERVAL)))
                .with(ConfigKey.CIDR_LIMIT, over(cidrLimit, "IP_MASQ_CIDR_LIMIT", from.get(ConfigKey.CIDR_LIMIT)));
    }

    private static List<Cidr> withReserved(List<Cidr> own) {
        List<Cidr> all = new ArrayList<>(own);
        RESERVED.stream()
                .filter(reserved -> own.stream().noneMatch(cidr -> cidr.contains(reserved)))
                .forEach(all::add);
        return List.copyOf(all);
    }

    private static <T> Value<T> over(Optional<T> set, String flag, Value<T> otherwise) {
        return set.map(value -> flag(value, flag)).orElse(otherwise);
    }

    private static <T> Value<T> flag(T value, String flag) {
        return new Value<>(value, Origin.flag(flag));
    }
}
