package net.ipmasq.dataplane.backend;

import java.util.Locale;
import java.util.Optional;
import net.ipmasq.dataplane.ForeignRuleProbe;
import net.ipmasq.dataplane.nftables.NftablesDataplane;

/**
 * Which backend {@code auto} takes, and why.
 *
 * @param nftables whether it is nftables; else iptables
 * @param reason for machines
 * @param text for people
 * @param firm false if a look failed, so that a choice made before is better
 */
public record BackendChoice(boolean nftables, Reason reason, String text, boolean firm) {
    /** What kube-proxy itself asks for in its nftables mode; older kernels have no counters for entries of sets. */
    static final int OLDEST_KERNEL = 5_13;

    static final int OLDEST_NFT = NftablesDataplane.OLDEST_TOOL;

    /** Reasons; in texts and JSON the lower-case form with dashes. */
    public enum Reason {
        KERNEL_TOO_OLD,
        TOOL_MISSING,
        TOOL_TOO_OLD,
        LOOK_FAILED,
        IPTABLES_NAT_NATIVE,
        KUBE_PROXY_NOT_NFTABLES,
        IPTABLES_NAT_UNREADABLE,
        IPTABLES_NAT_IN_USE,
        ALL_NFTABLES;

        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Decides; asks the survey no more than it needs. */
    public static BackendChoice decide(Survey survey) {
        int kernel = survey.kernel();
        if (kernel < OLDEST_KERNEL) {
            return iptables(Reason.KERNEL_TOO_OLD, "the kernel is " + dotted(kernel) + ", and 5.13 is needed");
        }
        int nft = survey.nft();
        if (nft == 0) {
            return survey.doubt()
                    .map(BackendChoice::lookFailed)
                    .orElseGet(() -> iptables(Reason.TOOL_MISSING, "nft is not installed"));
        }
        if (nft < OLDEST_NFT) {
            return iptables(
                    Reason.TOOL_TOO_OLD, "nft is " + dotted(nft / 100) + "." + nft % 100 + ", and 1.0.6 is needed");
        }
        if (!survey.kubeProxyInNftables()) {
            return survey.doubt()
                    .map(BackendChoice::lookFailed)
                    .or(() -> survey.closedToIptables().map(BackendChoice::onlyNftables))
                    .orElseGet(
                            () -> iptables(Reason.KUBE_PROXY_NOT_NFTABLES, "kube-proxy does not run in nftables mode"));
        }
        return beside(survey);
    }

    private static BackendChoice lookFailed(String why) {
        return new BackendChoice(false, Reason.LOOK_FAILED, "a look at the node failed: " + why, false);
    }

    private static BackendChoice onlyNftables(String why) {
        return new BackendChoice(true, Reason.IPTABLES_NAT_NATIVE, "iptables cannot work here: " + why, true);
    }

    /** What others have in iptables beside a kube-proxy in nftables mode. */
    private static BackendChoice beside(Survey survey) {
        ForeignRuleProbe others = survey.othersInIptables();
        if (others.closed()) {
            return new BackendChoice(
                    true,
                    Reason.IPTABLES_NAT_UNREADABLE,
                    "kube-proxy runs in nftables mode, and iptables cannot work here: "
                            + others.issue().orElse(""),
                    true);
        }
        Optional<BackendChoice> unknown = others.issue()
                .map(why -> new BackendChoice(
                        false, Reason.IPTABLES_NAT_UNREADABLE, "iptables' nat table cannot be read: " + why, false));
        return unknown.or(() -> others.rule()
                        .map(rule -> iptables(
                                Reason.IPTABLES_NAT_IN_USE, "somebody else holds nat rules in iptables: " + rule)))
                .orElseGet(() -> new BackendChoice(
                        true,
                        Reason.ALL_NFTABLES,
                        "kube-proxy runs in nftables mode and nobody else holds nat rules in iptables",
                        true));
    }

    private static BackendChoice iptables(Reason reason, String text) {
        return new BackendChoice(false, reason, text, true);
    }

    private static String dotted(int number) {
        return number == 0 ? "of an unknown version" : number / 100 + "." + number % 100;
    }

    String oneLine() {
        return "auto: " + text + " [" + reason.key() + "]";
    }
}
