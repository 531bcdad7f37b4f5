package net.ipmasq.lab;

import java.util.Locale;

/** How a packet travels. */
public enum Protocol {
    UDP,
    TCP;

    /** The name that iptables has for it. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
