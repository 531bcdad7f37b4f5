package net.ipmasq.policy;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
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
 * @param lists by key, each in file order; enforced entries at the end of the non-masquerade list
 * @param values by key; {@link #get} gives them with their type
 */
public record EffectiveConfig(
        ProviderProfile profile, Map<CidrList, List<Entry>> lists, Map<ConfigKey.Single<?>, Value<?>> values) {

    public EffectiveConfig {
        lists = Map.copyOf(lists);
        values = Map.copyOf(values);
    }

    /** One CIDR of a list and where it comes from. */
    public record Entry(Cidr cidr, Origin origin) {}

    /** The values in force for a configuration under a profile whose flags are already applied. */
    public static EffectiveConfig of(AgentConfig config, ProviderProfile profile) {
        Map<CidrList, List<Entry>> lists = new HashMap<>();
        Map<ConfigKey.Single<?>, Value<?>> values = new HashMap<>();
        for (ConfigKey<?> key : ConfigKey.ALL) {
            switch (key) {
                case CidrList list ->
                    lists.put(list, entries(config.get(list), profile.defaults().get(list)));
                case ConfigKey.Single<?> single -> values.put(single, value(single, config, profile));
            }
        }
        lists.computeIfPresent(ConfigKey.NON_MASQUERADE_CIDRS, (key, keep) -> withEnforced(keep, profile));
        return new EffectiveConfig(profile, lists, values);
    }

    public List<Entry> get(CidrList key) {
        return Objects.requireNonNull(lists.get(key));
    }

    @SuppressWarnings("unchecked") // of() puts a value of its type under each key
    public <T> Value<T> get(ConfigKey.Single<T> key) {
        return (Value<T>) Objects.requireNonNull(values.get(key));
    }

    /** The value of a key as tables and JSON show it. */
    public <T> Value<Object> shown(ConfigKey.Single<T> key) {
        Value<T> value = get(key);
        return new Value<>(key.shown().apply(value.value()), value.origin());
    }

    private static List<Entry> withEnforced(List<Entry> given, ProviderProfile profile) {
        if (profile.enforced().isEmpty()) {
            // this runs in every pass
            return given;
        }
        List<Entry> keep = new ArrayList<>(given);
        Set<Cidr> known = keep.stream().map(Entry::cidr).collect(Collectors.toCollection(HashSet::new));
        for (Cidr cidr : profile.enforced()) {
            if (known.add(cidr)) {
                keep.add(new Entry(cidr, Origin.enforced(profile.name())));
            }
        }
        return List.copyOf(keep);
    }

    private static <T> Value<T> value(ConfigKey.Single<T> key, AgentConfig config, ProviderProfile profile) {
        return config.get(key)
                .map(located ->
                        new Value<>(located.value(), Origin.config(located.at().line())))
                .orElseGet(() -> profile.defaults().get(key));
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
        return get(ConfigKey.masqOutBound(family));
    }

    /** Whether the link-local range loses its exemption. */
    public Value<Boolean> masqueradeLinkLocal(IpFamily family) {
        return get(ConfigKey.masqLinkLocal(family));
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
