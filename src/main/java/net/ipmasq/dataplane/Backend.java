package net.ipmasq.dataplane;

import java.util.Optional;
import java.util.Set;

/** Where a node's rules are kept. A new backend begins with a constant here: CONTRIBUTING.md has the list. */
public enum Backend {
    /** The nft variant of the iptables tools, in the table that it shares with everybody else's rules. */
    IPTABLES_NFT("iptables-nft", "nat", "POSTROUTING"),
    /** The legacy variant, whose tables are not part of nf_tables. */
    IPTABLES_LEGACY("iptables-legacy", "", ""),
    /** A table of our own in each family. */
    NFTABLES("nftables", "ip-masq-agent", "");

    private final String key;
    private final String table;
    private final String baseChain;

    Backend(String key, String table, String baseChain) {
        this.key = key;
        this.table = table;
        this.baseChain = baseChain;
    }

    /**
     * A table of nf_tables.
     *
     * @param baseChain the chain that leads to ours, where others have chains in this table too; empty if all of the table
     *     is ours
     */
    public record Table(String name, Optional<String> baseChain) {
        /** The chains of this table that concern us, if ours has this name; empty for all. */
        public Set<String> chains(String ours) {
            return baseChain.map(base -> Set.of(base, ours)).orElse(Set.of());
        }
    }

    /** The name in settings, JSON, metrics and the stored state. */
    public String key() {
        return key;
    }

    /** The table of nf_tables, one per managed family, that holds the rules; empty if they are kept elsewhere. */
    public Optional<Table> table() {
        Optional<String> base = Optional.of(baseChain).filter(name -> !name.isEmpty());
        return movesGeneration() ? Optional.of(new Table(table, base)) : Optional.empty();
    }

    /** Whether the generation of nf_tables moves when rules of this backend change. */
    public boolean movesGeneration() {
        return !table.isEmpty();
    }
}
