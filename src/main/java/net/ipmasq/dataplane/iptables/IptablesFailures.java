package net.ipmasq.dataplane.iptables;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.NodeLimits;
import net.ipmasq.net.IpFamily;

/** Turns what a tool did into a cause and a fix. Texts are those of iptables 1.8.9. */
final class IptablesFailures {
    private IptablesFailures() {}

    /** What iptables-nft reports for a match or target that the kernel lacks; the table itself is fine. */
    private static final Pattern MODULE = Pattern.compile("Extension (\\w+) revision \\d+ not supported");

    static final Failure NO_RAW_SOCKET = new Failure(
            FailureCode.NOT_PERMITTED,
            "CAP_NET_RAW is missing, and iptables-legacy reads and writes through a raw socket",
            "run as root, or give the container the capabilities NET_ADMIN and NET_RAW");

    private static final String INSTALL = "install the package iptables, or correct PATH";

    static Failure toolMissing(IpFamily family, String program) {
        return new Failure(
                FailureCode.TOOL_MISSING,
                program + " is not on PATH, so " + family.label() + " rules cannot be managed",
                INSTALL);
    }

    /** The failure behind an outcome; empty when the tool ended with 0. */
    static Optional<Failure> of(CommandRunner.Outcome outcome, IpFamily family, String program) {
        return Failure.of(
                outcome,
                program,
                INSTALL,
                "look for a process that holds the xtables lock, and for load on the node",
                (words, said) -> refused(words, said, family, program));
    }

    private static Failure refused(String words, String said, IpFamily family, String program) {
        if (words.contains("xtables lock")) {
            return new Failure(
                    FailureCode.LOCK_HELD,
                    said,
                    "another program keeps the xtables lock; find it with 'fuser /run/xtables.lock'");
        }
        if (words.contains("Permission denied") || words.contains("Operation not permitted")) {
            return new Failure(FailureCode.NOT_PERMITTED, said, NodeLimits.NOT_PERMITTED.fix());
        }
        Matcher module = MODULE.matcher(words);
        if (module.find()) {
            return new Failure(FailureCode.REJECTED, said, "load the kernel module: modprobe xt_" + module.group(1));
        }
        if (words.contains("Table does not exist")
                || words.contains("not supported")
                || words.contains("can't initialize")
                || words.contains("unable to initialize")
                || words.contains("Failed to initialize")) {
            return new Failure(
                    FailureCode.TABLE_MISSING,
                    said,
                    "load the kernel's nat support for " + family.label() + " (modprobe "
                            + Variant.base(family).replace("tables", "table") + "_nat or nf_tables)");
        }
        return new Failure(
                FailureCode.REJECTED, said, "nothing was changed; report this with the output of '" + program + "'");
    }

    static Failure unreadable(String why, IpFamily family) {
        String nft = family == IpFamily.IPV4 ? "ip" : "ip6";
        return new Failure(
                FailureCode.UNREADABLE,
                "the table nat cannot be read (" + why + "), so nothing is written",
                "move native rules out of it: 'nft list table " + nft + " nat' shows what iptables cannot");
    }
}
