package net.ipmasq.config;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Keys of other agents, names of flags and keys that people guess, with what to write here instead. Looked up before any
 * guess by spelling, since a key that is near in letters can be far in meaning.
 */
final class ForeignKeys {
    private static final Map<String, String> MEANT = new HashMap<>();

    private ForeignKeys() {}

    static {
        put("write nonMasqueradeCIDRs, the destinations that keep the pod's address", """
                nonMasqueradeCIDR nonMasqCIDRs noMasqCIDRs noMasqueradeCIDRs noSnatCIDRs excludeCIDRs
                excludedCIDRs excludeSnatCIDRs skipCIDRs bypassCIDRs ignoreCIDRs nativeRoutingCIDR""");
        put("write masqueradeCIDRs, the destinations that get the node's address", """
                forceMasqueradeCIDRs alwaysMasqueradeCIDRs onlyMasqueradeCIDRs includeCIDRs
                includedCIDRs masqCIDRs snatCIDRs""");
        put(
                "it selects pods by their own address, but this agent decides by destination only; remove it",
                "nonMasqueradeSrcCIDRs masqueradeSrcCIDRs sourceCIDRs podCIDRs clusterCIDR");
        put(
                "write resyncInterval, with a unit, for example 60s",
                "resyncPeriod syncPeriod syncInterval refreshInterval reloadInterval ipMasqResyncInterval");
        put(
                "write masqOutBound, for all destinations that no list names",
                "masquerade masqueradeAll enableMasquerade enableIPv4Masquerade masqOutBoundIPv4");
        put(
                "write masqOutBoundIPv6, for all IPv6 destinations that no list names",
                "masqueradeIPv6 enableIPv6Masquerade");
        put("write masqLinkLocal", "ipMasqLinkLocal masqLinkLocalIPv4");
        put(
                "the provider decides whether IPv6 is managed (ipv6 in the profile, IP_MASQ_IPV6, --enable-ipv6);"
                        + " the configuration has only masqOutBoundIPv6 and masqLinkLocalIPv6",
                "ipv6 enableIPv6 ipv6Enabled dualStack");
        put(
                "it is a flag or a key of the profile, not of the configuration; remove it",
                "masqChain chain randomFully noMasqAllReservedRanges toPorts backend");
    }

    private static void put(String hint, String keys) {
        for (String key : keys.split("\\s")) {
            MEANT.put(plain(key), hint);
        }
    }

    /** What to write instead of a key; empty for a key that is not in this table. */
    static Optional<String> hint(String key) {
        return Optional.ofNullable(MEANT.get(plain(key)));
    }

    /** Lower case, without {@code _}, {@code -} and spaces, which make no difference between keys. */
    static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
    }
}
