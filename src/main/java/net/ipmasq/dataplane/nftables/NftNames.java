package net.ipmasq.dataplane.nftables;

import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Rule;

/** Fixed words of the contract with the kernel: table, sets, hook and comments. */
final class NftNames {
    private NftNames() {}

    static final String TABLE = "ip-masq-agent";
    static final String MASQUERADE_SET = "masquerade-cidrs";
    static final String KEEP_SET = "non-masquerade-cidrs";

    /**
     * Five after srcnat (100), where everybody else's chains are, as our jump comes after the rules of others in
     * iptables. At the very same priority the chain that was registered last comes first.
     */
    static final int PRIORITY = 105;

    static final String PRIORITY_TEXT = "srcnat + 5";

    /** Every rule of ours has a comment that begins so. */
    static final String OWN = "ip-masq-agent: ";

    private static final String JUMP = OWN + "non-local destinations go through ";
    private static final String REVISION = ", revision ";

    /** The nft family, which is also the name of its header in rules: {@code ip} or {@code ip6}. */
    static String family(IpFamily family) {
        return family == IpFamily.IPV4 ? "ip" : "ip6";
    }

    static String table(IpFamily family) {
        return family(family) + " " + TABLE;
    }

    static String addressType(IpFamily family) {
        return family == IpFamily.IPV4 ? "ipv4_addr" : "ipv6_addr";
    }

    /** The base chain; no configured chain can have its name. */
    static final String BASE = "postrouting";

    static String jump(String chain, String revision) {
        return JUMP + chain + REVISION + revision;
    }

    static boolean isJump(String comment, String chain) {
        return comment.startsWith(JUMP + chain + REVISION);
    }

    /** What a rule does and which key of the configuration it comes from. */
    static String comment(Rule rule, IpFamily family) {
        return switch (rule) {
            case Rule.MasqueradeTo to -> OWN + "specific outbound traffic is subject to MASQUERADE (masqueradeCIDRs)";
            case Rule.LinkLocal linkLocal -> OWN + "local traffic is not subject to MASQUERADE (masqLinkLocal)";
            case Rule.Exempt exempt -> OWN + "local traffic is not subject to MASQUERADE (nonMasqueradeCIDRs)";
            case Rule.MasqueradeRest rest ->
                OWN + "outbound traffic is subject to MASQUERADE ("
                        + (family == IpFamily.IPV4 ? "masqOutBound" : "masqOutBoundIPv6") + ")";
        };
    }
}
