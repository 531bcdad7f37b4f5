package net.ipmasq.profile;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Whether the agent manages IPv6. */
public enum Ipv6Mode {
    /** Managed; a node that cannot is Degraded. */
    ON,
    /** Not managed; rules of ours from an earlier setting are removed. */
    OFF,
    /** Managed where the node can. */
    AUTO;

    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Optional<Ipv6Mode> of(String text) {
        return Arrays.stream(values()).filter(mode -> mode.key().equals(text)).findFirst();
    }
}
