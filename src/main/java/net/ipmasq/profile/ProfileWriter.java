package net.ipmasq.profile;

import java.util.List;
import java.util.stream.Collectors;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.net.Cidr;

/** Writes a profile as the YAML that {@link ProfileReader} reads, every value spelt out. */
public final class ProfileWriter {
    private ProfileWriter() {}

    /** Canonical text; reading it gives a profile of equal values, whose origin is then that profile. */
    public static String write(ProviderProfile profile) {
        StringBuilder text = new StringBuilder();
        line(text, "name: ", quoted(profile.name()));
        line(text, "configMap:", "");
        line(text, "  namespace: ", quoted(profile.configMap().namespace()));
        line(text, "  name: ", quoted(profile.configMap().name()));
        line(text, "chain: ", quoted(profile.chain().value()));
        // bare on and off would be bools
        line(text, "ipv6: ", quoted(profile.ipv6().value().key()));
        line(text, "randomFully: ", profile.randomFully().value());
        line(text, "cidrLimit: ", profile.cidrLimit().value());
        String ports = profile.toPorts().value().stream().map(Object::toString).collect(Collectors.joining(","));
        line(text, "toPorts: ", quoted(ports));
        line(text, "defaults:", "");
        defaults(text, profile.defaults());
        list(text, "enforced:", "  ", profile.enforced());
        return text.toString();
    }

    private static void defaults(StringBuilder text, ProviderProfile.Defaults defaults) {
        for (ConfigKey<?> key : ConfigKey.OF_DEFAULTS) {
            String start = "  " + key.spelling() + ":";
            switch (key) {
                case CidrList list ->
                    list(text, start, "    ", defaults.get(list).value());
                case ConfigKey.Single<?> single -> line(text, start + " ", shown(single, defaults));
            }
        }
    }

    private static <T> Object shown(ConfigKey.Single<T> key, ProviderProfile.Defaults defaults) {
        return key.shown().apply(defaults.get(key).value());
    }

    private static void list(StringBuilder text, String key, String indent, List<Cidr> cidrs) {
        line(text, key, cidrs.isEmpty() ? " []" : "");
        cidrs.forEach(cidr -> line(text, indent + "- ", quoted(cidr.toString())));
    }

    private static void line(StringBuilder text, String start, Object value) {
        text.append(start).append(value).append('\n');
    }

    /** Names are checked when read, so only a caller's own profile could hold a quote or a backslash. */
    private static String quoted(String value) {
        return '"' + value.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
