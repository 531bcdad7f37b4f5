package net.ipmasq.config;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Keys of other agents, of command lines and of people's own invention, and what they are here. Asked before any guess by
 * spelling, since a key that is near in letters can be far in meaning.
 */
final class ForeignKeys {
    private static final Map<String, String> MEANT = new HashMap<>();

    private ForeignKeys() {}

    static {
        put(
                "write nonMasqueradeCIDRs, the destinations that keep the pod's address",
                List.of(
                        "nonMasqueradeCIDR",
                        "nonMasqCIDRs",
                        "noMasqCIDRs",
                        "noMasqueradeCIDRs",
                        "noSnatCIDRs",
                        "excludeCIDRs",
                        "excludedCIDRs",
                        "excludeSnatCIDRs",
                        "skipCIDRs",
                        "bypassCIDRs",
                        "ignoreCIDRs",
                        "nativeRoutingCIDR"));
        put(
                "write masqueradeCIDRs, the destinations that get the node's address",
                List.of(
                        "forceMasqueradeCIDRs",
                        "alwaysMasqueradeCIDRs",
                        "onlyMasqueradeCIDRs",
                        "includeCIDRs",
                        "includedCIDRs",
                        "masqCIDRs",
                        "snatCIDRs"));
        put(
                "it names pods by their own address, which this agent cannot do: it decides by destination only;"
                        + " remove it",
                List.of("nonMasqueradeSrcCIDRs", "masqueradeSrcCIDRs", "sourceCIDRs", "podCIDRs", "clusterCIDR"));
        put(
                "write resyncInterval, with a unit, for example 60s",
                List.of(
                        "resyncPeriod",
                        "syncPeriod",
                        "syncInterval",
                        "refreshInterval",
                        "reloadInterval",
                        "ipMasqResyncInterval"));
        put(
                "write masqOutBound, for all destinations that no list names",
                List.of("masquerade", "masqueradeAll", "enableMasquerade", "enableIPv4Masquerade", "masqOutBoundIPv4"));
        put(
                "write masqOutBoundIPv6, for all IPv6 destinations that no list names",
                List.of("masqueradeIPv6", "enableIPv6Masquerade"));
        put("write masqLinkLocal", List.of("ipMasqLinkLocal", "masqLinkLocalIPv4"));
        put(
                "whether IPv6 is managed is the provider's to decide (ipv6 in the profile, IP_MASQ_IPV6, --enable-ipv6);"
                        + " here are only masqOutBoundIPv6 and masqLinkLocalIPv6",
                List.of("ipv6", "enableIPv6", "ipv6Enabled", "dualStack"));
        put(
                "it is no key of the configuration but a flag or a key of the profile; remove it",
                List.of("masqChain", "chain", "randomFully", "noMasqAllReservedRanges", "toPorts", "backend"));
    }

    private static void put(String hint, List<String> keys) {
        keys.forEach(key -> MEANT.put(plain(key), hint));
    }

    /** What is to be written in place of a key; empty for a key that is not known here. */
    static Optional<String> hint(String key) {
        return Optional.ofNullable(MEANT.get(plain(key)));
    }

    /** Case, {@code _} and {@code -} do not count. */
    static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
    }
}
