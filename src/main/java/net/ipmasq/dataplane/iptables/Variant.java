package net.ipmasq.dataplane.iptables;

import net.ipmasq.net.IpFamily;

/** Which kernel interface an iptables tool speaks to. */
public enum Variant {
    NFT("nft", "nf_tables", "", ""),
    LEGACY("legacy", "legacy", "/proc/net/ip_tables_names", "/proc/net/ip6_tables_names");

    private final String key;
    private final String versionWord;
    private final String namesV4;
    private final String namesV6;

    Variant(String key, String versionWord, String namesV4, String namesV6) {
        this.key = key;
        this.versionWord = versionWord;
        this.namesV4 = namesV4;
        this.namesV6 = namesV6;
    }

    /** The backend's name: {@code iptables-nft} or {@code iptables-legacy}. */
    public String backend() {
        return "iptables-" + key;
    }

    /** What {@code iptables --version} says in brackets. */
    String versionWord() {
        return versionWord;
    }

    /** The tool of this variant for a family, for example {@code ip6tables-nft-save}. */
    String tool(IpFamily family, String verb) {
        return base(family) + "-" + key + verb;
    }

    static String base(IpFamily family) {
        return family == IpFamily.IPV4 ? "iptables" : "ip6tables";
    }

    /** The kernel's list of legacy tables in use; reading it creates none, unlike asking a legacy tool. */
    static String tableNames(IpFamily family) {
        return family == IpFamily.IPV4 ? LEGACY.namesV4 : LEGACY.namesV6;
    }

    Variant other() {
        return this == NFT ? LEGACY : NFT;
    }
}
