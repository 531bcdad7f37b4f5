package net.ipmasq.config;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.config.ConfigKey.CidrList;

/** Writes a configuration as YAML and as JSON, and forgets positions, so that texts can be compared by meaning. */
final class ConfigTexts {
    private ConfigTexts() {}

    static String yaml(AgentConfig config) {
        List<String> lines = new ArrayList<>();
        entries(config, "  - ", "\n", "").forEach(entry -> lines.add(entry.key() + ":" + entry.value()));
        return String.join("\n", lines);
    }

    static String json(AgentConfig config) {
        List<String> members = new ArrayList<>();
        for (Entry entry : entries(config, "", ", ", "json")) {
            members.add("\t\"" + entry.key() + "\":" + entry.value());
        }
        return "{\n" + String.join(",\n", members) + "\n}";
    }

    private record Entry(String key, String value) {}

    private static List<Entry> entries(AgentConfig c, String dash, String separator, String form) {
        boolean json = !form.isEmpty();
        List<Entry> entries = new ArrayList<>();
        for (ConfigKey<?> key : ConfigKey.ALL) {
            switch (key) {
                case CidrList list ->
                    c.get(list).ifPresent(v -> entries.add(list(key.spelling(), v, dash, separator, json)));
                case ConfigKey.Single<?> single ->
                    shown(single, c, json).ifPresent(v -> entries.add(new Entry(key.spelling(), v)));
            }
        }
        return entries;
    }

    private static <T> Optional<String> shown(ConfigKey.Single<T> key, AgentConfig config, boolean json) {
        return config.get(key)
                .map(value -> key.shown().apply(value.value()))
                .map(value -> " " + (json && value instanceof String ? "\"" + value + "\"" : value));
    }

    private static Entry list(String key, Located<List<Item>> items, String dash, String separator, boolean json) {
        List<String> shown = items.value().stream()
                .map(item ->
                        dash + (json ? "\"" + item.cidr() + "\"" : item.cidr().toString()))
                .toList();
        if (json || shown.isEmpty()) {
            return new Entry(key, " [" + String.join(separator, shown) + "]");
        }
        return new Entry(key, "\n" + String.join(separator, shown));
    }

    /** A configuration of what is given for each key. */
    static AgentConfig config(
            Optional<Located<List<Item>>> nonMasqueradeCidrs,
            Optional<Located<List<Item>>> masqueradeCidrs,
            Optional<Located<Boolean>> masqOutBound,
            Optional<Located<Boolean>> masqOutBoundIpv6,
            Optional<Located<Boolean>> masqLinkLocal,
            Optional<Located<Boolean>> masqLinkLocalIpv6,
            Optional<Located<Duration>> resyncInterval,
            Optional<Located<Integer>> cidrLimit) {
        AgentConfig config = with(AgentConfig.EMPTY, ConfigKey.NON_MASQUERADE_CIDRS, nonMasqueradeCidrs);
        config = with(config, ConfigKey.MASQUERADE_CIDRS, masqueradeCidrs);
        config = with(config, ConfigKey.MASQ_OUT_BOUND, masqOutBound);
        config = with(config, ConfigKey.MASQ_OUT_BOUND_IPV6, masqOutBoundIpv6);
        config = with(config, ConfigKey.MASQ_LINK_LOCAL, masqLinkLocal);
        config = with(config, ConfigKey.MASQ_LINK_LOCAL_IPV6, masqLinkLocalIpv6);
        config = with(config, ConfigKey.RESYNC_INTERVAL, resyncInterval);
        return with(config, ConfigKey.CIDR_LIMIT, cidrLimit);
    }

    private static <T> AgentConfig with(AgentConfig config, ConfigKey<T> key, Optional<Located<T>> value) {
        return value.map(v -> config.with(key, v)).orElse(config);
    }

    /** The same configuration with all positions forgotten. */
    static AgentConfig unplaced(AgentConfig c) {
        AgentConfig unplaced = AgentConfig.EMPTY;
        for (ConfigKey<?> key : ConfigKey.ALL) {
            unplaced = switch (key) {
                case CidrList list -> with(unplaced, list, c.get(list).map(ConfigTexts::unplacedList));
                case ConfigKey.Single<?> single -> unplaced(unplaced, single, c);
            };
        }
        return unplaced;
    }

    private static <T> AgentConfig unplaced(AgentConfig unplaced, ConfigKey.Single<T> key, AgentConfig c) {
        return with(unplaced, key, c.get(key).map(v -> new Located<>(v.value(), Position.NONE)));
    }

    private static Located<List<Item>> unplacedList(Located<List<Item>> list) {
        return new Located<>(
                list.value().stream()
                        .map(item -> new Item(item.cidr(), item.index(), Position.NONE))
                        .toList(),
                Position.NONE);
    }
}
