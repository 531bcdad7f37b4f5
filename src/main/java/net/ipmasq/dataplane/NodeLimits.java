package net.ipmasq.dataplane;

import java.util.Optional;

/** What this process may do and what the node has switched off, from files that are free to read. */
public final class NodeLimits {
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_NET_RAW = 13;

    public static final Failure NOT_PERMITTED = new Failure(
            FailureCode.NOT_PERMITTED,
            "CAP_NET_ADMIN is missing, so the kernel's rules can be neither read nor written",
            "run as root, or give the container the capabilities NET_ADMIN and NET_RAW");

    private final NodeFiles files;

    public NodeLimits(NodeFiles files) {
        this.files = files;
    }

    public boolean mayAdministrate() {
        return has(CAP_NET_ADMIN);
    }

    public boolean mayOpenRawSockets() {
        return has(CAP_NET_RAW);
    }

    /** Judged from CapEff, since the tools' exit codes for a missing right differ (iptables: 4 for nft, 2 for legacy). */
    private boolean has(int capability) {
        return files.read("/proc/self/status")
                .flatMap(text ->
                        text.lines().filter(line -> line.startsWith("CapEff:")).findFirst())
                .map(line -> Long.parseUnsignedLong(
                        line.substring("CapEff:".length()).strip(), 16))
                .map(caps -> (caps >>> capability & 1) == 1)
                .orElse(true);
    }

    /** Why there is no IPv6; empty if there is. */
    public Optional<Failure> ipv6Off() {
        if (!files.exists("/proc/net/if_inet6")) {
            return Optional.of(new Failure(
                    FailureCode.TABLE_MISSING,
                    "the kernel has no IPv6 (/proc/net/if_inet6 is missing)",
                    "boot without ipv6.disable=1 to have IPv6 rules"));
        }
        boolean disabled = files.read("/proc/sys/net/ipv6/conf/all/disable_ipv6")
                .map(text -> text.strip().equals("1"))
                .orElse(false);
        return disabled
                ? Optional.of(new Failure(
                        FailureCode.TABLE_MISSING,
                        "IPv6 is switched off (net.ipv6.conf.all.disable_ipv6 is 1)",
                        "set that sysctl to 0 to have IPv6 rules"))
                : Optional.empty();
    }
}
