package net.ipmasq.config;

import java.util.Locale;
import java.util.Optional;

/** The keys of the configuration in their canonical spelling. */
public enum ConfigKey {
    NON_MASQUERADE_CIDRS("nonMasqueradeCIDRs"),
    MASQUERADE_CIDRS("masqueradeCIDRs"),
    MASQ_OUT_BOUND("masqOutBound"),
    MASQ_OUT_BOUND_IPV6("masqOutBoundIPv6"),
    MASQ_LINK_LOCAL("masqLinkLocal"),
    MASQ_LINK_LOCAL_IPV6("masqLinkLocalIPv6"),
    RESYNC_INTERVAL("resyncInterval"),
    CIDR_LIMIT("cidrLimit");

    private final String spelling;

    ConfigKey(String spelling) {
        this.spelling = spelling;
    }

    public String spelling() {
        return spelling;
    }

    /** The key with this spelling in any case. */
    public static Optional<ConfigKey> of(String text) {
        for (ConfigKey key : values()) {
            if (key.spelling.toLowerCase(Locale.ROOT).equals(text.toLowerCase(Locale.ROOT))) {
                return Optional.of(key);
            }
        }
        return Optional.empty();
    }
}
