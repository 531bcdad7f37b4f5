package net.ipmasq.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.net.GoDuration;

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
        c.nonMasqueradeCidrs().ifPresent(v -> entries.add(list("nonMasqueradeCIDRs", v, dash, separator, json)));
        c.masqueradeCidrs().ifPresent(v -> entries.add(list("masqueradeCIDRs", v, dash, separator, json)));
        c.masqOutBound().ifPresent(v -> entries.add(new Entry("masqOutBound", " " + v.value())));
        c.masqOutBoundIpv6().ifPresent(v -> entries.add(new Entry("masqOutBoundIPv6", " " + v.value())));
        c.masqLinkLocal().ifPresent(v -> entries.add(new Entry("masqLinkLocal", " " + v.value())));
        c.masqLinkLocalIpv6().ifPresent(v -> entries.add(new Entry("masqLinkLocalIPv6", " " + v.value())));
        String quote = json ? "\"" : "";
        c.resyncInterval()
                .ifPresent(v ->
                        entries.add(new Entry("resyncInterval", " " + quote + GoDuration.format(v.value()) + quote)));
        c.cidrLimit().ifPresent(v -> entries.add(new Entry("cidrLimit", " " + v.value())));
        return entries;
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

    /** The same configuration with all positions forgotten. */
    static AgentConfig unplaced(AgentConfig c) {
        return new AgentConfig(
                c.nonMasqueradeCidrs().map(ConfigTexts::unplacedList),
                c.masqueradeCidrs().map(ConfigTexts::unplacedList),
                unplaced(c.masqOutBound()),
                unplaced(c.masqOutBoundIpv6()),
                unplaced(c.masqLinkLocal()),
                unplaced(c.masqLinkLocalIpv6()),
                unplaced(c.resyncInterval()),
                unplaced(c.cidrLimit()));
    }

    private static Located<List<Item>> unplacedList(Located<List<Item>> list) {
        return new Located<>(
                list.value().stream()
                        .map(item -> new Item(item.cidr(), item.index(), Position.NONE))
                        .toList(),
                Position.NONE);
    }

    private static <T> Optional<Located<T>> unplaced(Optional<Located<T>> value) {
        return value.map(v -> new Located<>(v.value(), Position.NONE));
    }
}
