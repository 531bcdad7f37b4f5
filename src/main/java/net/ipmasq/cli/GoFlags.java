package net.ipmasq.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Flags of the Go agents, in their spellings with one dash or two, so that only the image has to change in an existing
 * DaemonSet. Booleans take a value after {@code =} only, as Go's do.
 */
final class GoFlags {
    @Option(
            names = {"--masq-chain", "-masq-chain"},
            paramLabel = "NAME",
            description = "Name of the nat chain (default: the profile's).")
    @Nullable
    String chain;

    @Option(
            names = {"--to-ports", "-to-ports"},
            paramLabel = "A-B,C-D",
            description = "Source ports of masqueraded packets, for the last rule only.")
    @Nullable
    String toPorts;

    @Option(
            names = {"--nomasq-all-reserved-ranges", "-nomasq-all-reserved-ranges"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "All reserved IPv4 ranges keep the pod's address by default.")
    @Nullable
    String reserved;

    @Option(
            names = {"--enable-ipv6", "-enable-ipv6"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Manage IPv6 (default: the profile's mode).")
    @Nullable
    String enableIpv6;

    @Option(
            names = {"--random-fully", "-random-fully"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Pick source ports fully at random (default: the profile's).")
    @Nullable
    String randomFully;

    @Option(
            names = {"--resync-interval", "-resync-interval"},
            paramLabel = "SECONDS",
            description = "Default of resyncInterval, in seconds or as a duration such as 90s.")
    @Nullable
    String resyncInterval;

    /** By {@link LogFlag#key()}; only those that were given. Commands get these options by {@link LogFlags}. */
    final Map<String, String> log = new LinkedHashMap<>();

    /**
     * By setting name; only those that were given.
     *
     * @throws net.ipmasq.agent.UsageException if a flag about the log has a wrong value
     */
    Map<String, String> flags() {
        logTarget();
        Map<String, String> flags = new LinkedHashMap<>();
        CommonOptions.put(flags, "masq-chain", chain);
        CommonOptions.put(flags, "to-ports", toPorts);
        CommonOptions.put(flags, "nomasq-all-reserved-ranges", reserved);
        CommonOptions.put(flags, "enable-ipv6", enableIpv6);
        CommonOptions.put(flags, "random-fully", randomFully);
        CommonOptions.put(flags, "resync-interval", resyncInterval);
        return flags;
    }

    /** Where the flags send the log of a service. */
    LogTarget logTarget() {
        return LogTarget.of(log);
    }
}
