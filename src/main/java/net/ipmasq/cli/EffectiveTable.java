package net.ipmasq.cli;

import java.util.List;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.profile.Value;

/** Every value in force and where it comes from, as a table for a terminal. */
final class EffectiveTable {
    private EffectiveTable() {}

    static String of(EffectiveConfig config) {
        StringBuilder text = new StringBuilder();
        row(text, "KEY", "VALUE", "FROM");
        for (ConfigKey<?> key : ConfigKey.AS_EVALUATED) {
            switch (key) {
                case CidrList list -> list(text, list.spelling(), config.get(list));
                case ConfigKey.Single<?> single -> {
                    Value<Object> value = config.shown(single);
                    row(text, single.spelling(), value.value(), value.origin());
                }
            }
        }
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
