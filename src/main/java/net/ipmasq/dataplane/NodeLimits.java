package net.ipmasq.dataplane;

import java.util.Optional;
import java.util.Set;

/** What this process may do and what the node has switched off, from files that are free to read. */
public final class NodeLimits {
    private static final int CAP_NET_ADMIN = 12;
    private static final int CAP_NET_RAW = 13;

    public static final Failure NOT_PERMITTED = new Failure(
            FailureCode.NOT_PERMITTED,
            "CAP_NET_ADMIN is missing, so the kernel's rules can be neither read nor written",
            "run as root, or give the container the capabilities NET_ADMIN and NET_RAW");

    private static final String CONF = "/proc/sys/net/ipv6/conf";
    private static final String DISABLE = "disable_ipv6";

    /** The kernel gives no IPv6 to a device that is named as one of the first two. */
    private static final Set<String> NO_DEVICES = Set.of("all", "default", "lo");

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

    /**
     * Why there is no IPv6; empty if there is. The sysctl of {@code all} only sets those of the devices at the moment when
     * it is written: a device with 0 has IPv6 whatever the value of {@code all}.
     */
    public Optional<Failure> ipv6Off() {
        if (!files.exists("/proc/net/if_inet6")) {
            return Optional.of(new Failure(
                    FailureCode.TABLE_MISSING,
                    "the kernel has no IPv6 (/proc/net/if_inet6 is missing)",
                    "boot without ipv6.disable=1 to have IPv6 rules"));
        }
        boolean disabled = files.read(CONF + "/all/" + DISABLE)
                        .filter(text -> !isZero(text))
                        .isPresent()
                && !isOnDevice(files.read("/proc/net/if_inet6").orElse(""))
                && !files.any(CONF, NO_DEVICES, DISABLE, NodeLimits::isZero);
        return disabled
                ? Optional.of(new Failure(
                        FailureCode.TABLE_MISSING,
                        "IPv6 is switched off (net.ipv6.conf.all.disable_ipv6 is 1, and so is that of every device)",
                        "set that sysctl, or the one of the device in use, to 0 to have IPv6 rules"))
                : Optional.empty();
    }

    private static boolean isZero(String text) {
        return text.strip().equals("0");
    }

    /** Whether a device has an IPv6 address, which takes one read for all of them; the loopback is left out. */
    private static boolean isOnDevice(String addresses) {
        return addresses
                .lines()
                .map(line -> line.substring(line.lastIndexOf(' ') + 1))
                .anyMatch(device -> !device.isEmpty() && !device.equals("lo"));
    }
}
