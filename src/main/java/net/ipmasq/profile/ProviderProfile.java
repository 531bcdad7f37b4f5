package net.ipmasq.profile;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.PortRange;

/**
 * What the provider decides, with the origin of every value. Flags of the process are already applied where a caller
 * asked for that.
 *
 * @param chain name of the nat chain, at most 28 characters (the kernel's limit)
 * @param randomFully whether MASQUERADE picks ports at random
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
        Value<List<PortRange>> toPorts,
        Defaults defaults,
        List<Cidr> enforced) {

    /**
     * The default of every configuration key.
     *
     * @param values by key, all of them; {@link #get} gives them with their type
     */
    public record Defaults(Map<ConfigKey<?>, Value<?>> values) {
        public Defaults {
            values = Map.copyOf(values);
        }

        @SuppressWarnings("unchecked") // with() is what puts values in, each under a key of its type
        public <T> Value<T> get(ConfigKey.Single<T> key) {
            return (Value<T>) Objects.requireNonNull(values.get(key));
        }

        @SuppressWarnings("unchecked") // as above
        public Value<List<Cidr>> get(CidrList key) {
            return (Value<List<Cidr>>) Objects.requireNonNull(values.get(key));
        }

        public <T> Defaults with(ConfigKey.Single<T> key, Value<T> value) {
            return withAny(key, value);
        }

        public Defaults with(CidrList key, Value<List<Cidr>> value) {
            return withAny(key, value);
        }

        private static Defaults builtIn() {
            Map<ConfigKey<?>, Value<?>> values = new HashMap<>();
            for (ConfigKey<?> key : ConfigKey.ALL) {
                values.put(
                        key,
                        ProviderProfile.builtIn(
                                switch (key) {
                                    case CidrList list -> List.of();
                                    case ConfigKey.Single<?> single -> single.builtIn();
                                }));
            }
            return new Defaults(values);
        }

        private Defaults withAny(ConfigKey<?> key, Value<?> value) {
            Map<ConfigKey<?>, Value<?>> changed = new HashMap<>(values);
            changed.put(key, value);
            return new Defaults(changed);
        }
    }

    /** The values that hold where a profile is silent. */
    public static final ProviderProfile BUILT_IN = new ProviderProfile(
            "built-in",
            new ConfigMapRef("kube-system", "ip-masq-agent"),
            builtIn("IP-MASQ-AGENT"),
            builtIn(Ipv6Mode.AUTO),
            builtIn(false),
            builtIn(List.of()),
            Defaults.builtIn(),
            List.of());

    /** Most CIDRs accepted over all lists of a configuration. */
    public Value<Integer> cidrLimit() {
        return defaults.get(ConfigKey.CIDR_LIMIT);
    }

    private static <T> Value<T> builtIn(T value) {
        return new Value<>(value, Origin.BUILT_IN);
    }
}
