package net.ipmasq.dataplane.iptables;

import net.ipmasq.rules.Rule;

/** Fixed words of the contract with the kernel: base chain and comments. Other programs look for them; they never change. */
final class IptablesNames {
    private IptablesNames() {}

    static final String BASE_CHAIN = "POSTROUTING";
    static final String MASQUERADE_TO = "ip-masq-agent: specific outbound traffic is subject to MASQUERADE";
    static final String EXEMPT = "ip-masq-agent: local traffic is not subject to MASQUERADE";
    static final String MASQUERADE_REST =
            "ip-masq-agent: outbound traffic is subject to MASQUERADE (must be last in chain)";

    static String jump(String chain) {
        return "ip-masq-agent: ensure nat POSTROUTING directs all non-LOCAL destination traffic to our custom " + chain
                + " chain";
    }

    static String comment(Rule rule) {
        return switch (rule) {
            case Rule.LinkLocal linkLocal -> EXEMPT;
            case Rule.Exempt exempt -> EXEMPT;
            case Rule.MasqueradeTo to -> MASQUERADE_TO;
            case Rule.MasqueradeRest rest -> MASQUERADE_REST;
        };
    }
}
