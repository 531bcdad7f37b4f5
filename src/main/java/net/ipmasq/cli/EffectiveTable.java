package net.ipmasq.cli;

import java.util.List;
import net.ipmasq.net.GoDuration;
import net.ipmasq.policy.EffectiveConfig;

/** Every value in force and where it comes from, as a table for a terminal. */
final class EffectiveTable {
    private EffectiveTable() {}

    static String of(EffectiveConfig config) {
        StringBuilder text = new StringBuilder();
        row(text, "KEY", "VALUE", "FROM");
        list(text, "masqueradeCIDRs", config.masquerade());
        list(text, "nonMasqueradeCIDRs", config.nonMasquerade());
        row(
                text,
                "masqOutBound",
                config.masqOutBound().value(),
                config.masqOutBound().origin());
        row(
                text,
                "masqOutBoundIPv6",
                config.masqOutBoundIpv6().value(),
                config.masqOutBoundIpv6().origin());
        row(
                text,
                "masqLinkLocal",
                config.masqLinkLocal().value(),
                config.masqLinkLocal().origin());
        row(
                text,
                "masqLinkLocalIPv6",
                config.masqLinkLocalIpv6().value(),
                config.masqLinkLocalIpv6().origin());
        row(
                text,
                "resyncInterval",
                GoDuration.format(config.resyncInterval().value()),
                config.resyncInterval().origin());
        row(text, "cidrLimit", config.cidrLimit().value(), config.cidrLimit().origin());
        return text.toString();
    }

    private static void list(StringBuilder text, String key, List<EffectiveConfig.Entry> entries) {
        if (entries.isEmpty()) {
            row(text, key, "(none)", "");
        }
        String name = key;
        for (EffectiveConfig.Entry entry : entries) {
            row(text, name, entry.cidr(), entry.origin());
            name = "";
        }
    }

    private static void row(StringBuilder text, String key, Object value, Object origin) {
        String line = String.format("%-20s %-24s %s", key, value, origin);
        text.append(line.stripTrailing()).append('\n');
    }
}
