package net.ipmasq.profile;

import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.net.Quoted;

/** Which texts can name our chain. */
public final class ChainName {
    /** The kernel's limit (XT_EXTENSION_MAXNAMELEN - 1). */
    private static final int LONGEST = 28;

    /** iptables takes these as targets or built-in chains, so a chain of that name could never be jumped to. */
    private static final Set<String> TAKEN = Set.of("""
            PREROUTING INPUT FORWARD OUTPUT POSTROUTING ACCEPT DROP QUEUE RETURN REJECT MASQUERADE SNAT DNAT
            REDIRECT NETMAP LOG NFLOG NFQUEUE ULOG MARK CONNMARK CONNSECMARK SECMARK CLASSIFY CLUSTERIP CHECKSUM
            CT NOTRACK DSCP ECN TOS TTL HL HMARK IDLETIMER LED RATEEST SET SYNPROXY TCPMSS TCPOPTSTRIP TEE
            TPROXY TRACE AUDIT SNPT DNPT""".split("\\s"));

    private ChainName() {}

    /** What is wrong with {@code name}; empty if it is fine. */
    public static Optional<String> fault(String name) {
        if (name.isEmpty() || name.length() > LONGEST) {
            return Optional.of(
                    Quoted.of(name) + " has " + name.length() + " characters; 1 to " + LONGEST + " are allowed");
        }
        if (!name.matches("[A-Za-z0-9_.][A-Za-z0-9_.-]*")) {
            return Optional.of(Quoted.of(name) + " has other characters than A-Z a-z 0-9 _ . - or starts with '-'");
        }
        String upper = name.toUpperCase(Locale.ROOT);
        if (TAKEN.contains(upper)) {
            return Optional.of(Quoted.of(name) + " is a target or a built-in chain of iptables");
        }
        // our chain is rewritten as a whole, so sharing one with kube-proxy would cut off all services
        return upper.startsWith("KUBE-")
                ? Optional.of(Quoted.of(name) + " is a name of Kubernetes' own chains")
                : Optional.empty();
    }
}
