package net.ipmasq.config;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import net.ipmasq.config.KeyReader.Known;
import net.ipmasq.net.GoDuration;
import net.ipmasq.net.IpFamily;

/**
 * A key of the configuration. A key is declared here once; the reader of texts, the defaults of profiles, the values in
 * force, their table and their JSON are driven by these declarations.
 *
 * @param <T> what a text gives for the key
 */
public sealed interface ConfigKey<T> {
    CidrList NON_MASQUERADE_CIDRS = new CidrList(
            "nonMasqueradeCIDRs",
            "no destination keeps the pod's address but link-local ones and those the provider enforces");
    CidrList MASQUERADE_CIDRS =
            new CidrList("masqueradeCIDRs", "no destination inside a non-masquerade range gets the node's address");
    Single<Boolean> MASQ_OUT_BOUND = bool("masqOutBound", true);
    Single<Boolean> MASQ_OUT_BOUND_IPV6 = bool("masqOutBoundIPv6", true);
    Single<Boolean> MASQ_LINK_LOCAL = bool("masqLinkLocal", false);
    Single<Boolean> MASQ_LINK_LOCAL_IPV6 = bool("masqLinkLocalIPv6", false);
    Single<Duration> RESYNC_INTERVAL =
            new Single<>("resyncInterval", Duration.ofSeconds(60), ScalarReader::duration, GoDuration::format);
    Single<Integer> CIDR_LIMIT = new Single<>("cidrLimit", 64, ScalarReader::limit, limit -> limit);

    /** Every key, in the order in which messages name them. */
    List<ConfigKey<?>> ALL = List.of(
            NON_MASQUERADE_CIDRS,
            MASQUERADE_CIDRS,
            MASQ_OUT_BOUND,
            MASQ_OUT_BOUND_IPV6,
            MASQ_LINK_LOCAL,
            MASQ_LINK_LOCAL_IPV6,
            RESYNC_INTERVAL,
            CIDR_LIMIT);

    /** Every key, in the order of tables and JSON: the lists as the rules are evaluated, then the others. */
    List<ConfigKey<?>> AS_EVALUATED = List.of(
            MASQUERADE_CIDRS,
            NON_MASQUERADE_CIDRS,
            MASQ_OUT_BOUND,
            MASQ_OUT_BOUND_IPV6,
            MASQ_LINK_LOCAL,
            MASQ_LINK_LOCAL_IPV6,
            RESYNC_INTERVAL,
            CIDR_LIMIT);

    List<CidrList> LISTS = ALL.stream()
            .filter(CidrList.class::isInstance)
            .map(CidrList.class::cast)
            .toList();

    /** The keys that {@code defaults} of a profile may have; {@code cidrLimit} is a key of the profile itself. */
    List<ConfigKey<?>> OF_DEFAULTS =
            ALL.stream().filter(key -> !key.equals(CIDR_LIMIT)).toList();

    /** The key in canonical spelling. */
    String spelling();

    /**
     * A key with a list of CIDRs; the built-in list is empty.
     *
     * @param whenEmpty what an empty list means, for the warning about one
     */
    record CidrList(String spelling, String whenEmpty) implements ConfigKey<List<AgentConfig.Item>> {}

    /**
     * A key with one value.
     *
     * @param builtIn the value where neither text nor profile gives one
     * @param reader gives the value, or nothing and has reported why
     * @param shown the value as tables and JSON show it and profiles are written: a bool, a number or a text
     */
    record Single<T>(
            String spelling, T builtIn, BiFunction<ScalarReader, Known, Optional<T>> reader, Function<T, Object> shown)
            implements ConfigKey<T> {}

    private static Single<Boolean> bool(String spelling, boolean builtIn) {
        return new Single<>(spelling, builtIn, ScalarReader::bool, value -> value);
    }

    /** The key that says whether destinations of a family that no list names are masqueraded. */
    static Single<Boolean> masqOutBound(IpFamily family) {
        return family == IpFamily.IPV4 ? MASQ_OUT_BOUND : MASQ_OUT_BOUND_IPV6;
    }

    /** The key that says whether a family's link-local range is masqueraded. */
    static Single<Boolean> masqLinkLocal(IpFamily family) {
        return family == IpFamily.IPV4 ? MASQ_LINK_LOCAL : MASQ_LINK_LOCAL_IPV6;
    }

    static List<String> spellings(List<ConfigKey<?>> keys) {
        return keys.stream().<String>map(ConfigKey::spelling).toList();
    }

    /** The key with this spelling in any case. */
    static Optional<ConfigKey<?>> of(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        return ALL.stream()
                .filter(key -> key.spelling().toLowerCase(Locale.ROOT).equals(lower))
                .findFirst();
    }
}
