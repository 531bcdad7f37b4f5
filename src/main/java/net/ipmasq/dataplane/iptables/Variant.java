package net.ipmasq.dataplane.iptables;

import java.util.Arrays;
import java.util.Optional;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.net.IpFamily;

/** Which kernel interface an iptables tool speaks to. */
public enum Variant {
    NFT(Backend.IPTABLES_NFT, "nft", "nf_tables", "", ""),
    LEGACY(Backend.IPTABLES_LEGACY, "legacy", "legacy", "/proc/net/ip_tables_names", "/proc/net/ip6_tables_names");

    private final Backend backend;
    private final String key;
    private final String versionWord;
    private final String namesV4;
    private final String namesV6;

    Variant(Backend backend, String key, String versionWord, String namesV4, String namesV6) {
        this.backend = backend;
        this.key = key;
        this.versionWord = versionWord;
        this.namesV4 = namesV4;
        this.namesV6 = namesV6;
    }

    /** The backend that is this variant. */
    public Backend backend() {
        return backend;
    }

    /** The variant that a backend is; empty if it is none of iptables. */
    public static Optional<Variant> of(Backend backend) {
        return Arrays.stream(values())
                .filter(variant -> variant.backend == backend)
                .findFirst();
    }

    /** What {@code iptables --version} prints in brackets. */
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
