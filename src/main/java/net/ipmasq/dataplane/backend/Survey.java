package net.ipmasq.dataplane.backend;

import java.util.Optional;
import net.ipmasq.dataplane.ForeignRuleProbe;

/** What the choice of a backend depends on. Cheap questions come first, and no more are asked than needed. */
public interface Survey {

    /** Major and minor of the running kernel as one number, {@code 5_13} for 5.13; 0 if unknown. */
    int kernel();

    /** Major, minor and patch of nft as one number, {@code 1_00_06} for 1.0.6; 0 if it is not there. */
    int nft();

    /** Whether kube-proxy keeps its rules in nft tables of its own. */
    boolean kubeProxyInNftables();

    /** Why the last answer of {@link #nft} or {@link #kubeProxyInNftables} may be wrong: a look failed. Empty if none did. */
    default Optional<String> doubt() {
        return Optional.empty();
    }

    /** Why iptables cannot work with its nat table at all; empty if it can, as far as is known. */
    default Optional<String> closedToIptables() {
        return Optional.empty();
    }

    /** A nat rule of another program in an iptables table. */
    ForeignRuleProbe othersInIptables();
}
