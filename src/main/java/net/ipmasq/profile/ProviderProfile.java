package net.ipmasq.profile;

import java.time.Duration;
import java.util.List;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.PortRange;

/**
 * What the provider decides, with the origin of every value. Flags of the process are already applied where a caller
 * asked for that.
 *
 * @param chain name of the nat chain, at most 28 characters (the kernel's limit)
 * @param randomFully whether MASQUERADE picks ports at random
 * @param cidrLimit most CIDRs accepted over all lists of a configuration
 * @param toPorts source ports for the last rule; empty for the kernel's choice
 * @param defaults values of the configuration keys that a text does not hold
 * @param enforced appended to the non-masquerade list; a user cannot remove them
 */
public record ProviderProfile(
        String name,
        ConfigMapRef configMap,
        Value<String> chain,
        Value<Ipv6Mode> ipv6,
        Value<Boolean> randomFully,
        Value<Integer> cidrLimit,
        Value<List<PortRange>> toPorts,
        Defaults defaults,
        List<Cidr> enforced) {

    /** The default of every configuration key but {@code cidrLimit}. */
    public record Defaults(
            Value<List<Cidr>> nonMasqueradeCidrs,
            Value<List<Cidr>> masqueradeCidrs,
            Value<Boolean> masqOutBound,
            Value<Boolean> masqOutBoundIpv6,
            Value<Boolean> masqLinkLocal,
            Value<Boolean> masqLinkLocalIpv6,
            Value<Duration> resyncInterval) {}

    /** The values that hold where a profile is silent. */
    public static final ProviderProfile BUILT_IN = new ProviderProfile(
            "built-in",
            new ConfigMapRef("kube-system", "ip-masq-agent"),
            builtIn("IP-MASQ-AGENT"),
            builtIn(Ipv6Mode.AUTO),
            builtIn(false),
            builtIn(64),
            builtIn(List.of()),
            new Defaults(
                    builtIn(List.of()),
                    builtIn(List.of()),
                    builtIn(true),
                    builtIn(true),
                    builtIn(false),
                    builtIn(false),
                    builtIn(Duration.ofSeconds(60))),
            List.of());

    private static <T> Value<T> builtIn(T value) {
        return new Value<>(value, Origin.BUILT_IN);
    }
}
