package net.ipmasq.dataplane.nftables;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.NodeLimits;

/** Runs {@code nft}. Texts are those of nft 1.0.6. */
final class NftTool {
    static final String NFT = "nft";

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.(\\d+)");

    static final Failure MISSING = new Failure(
            FailureCode.TOOL_MISSING,
            "nft is not on PATH, so nft tables cannot be managed",
            "install the package nftables, correct PATH, or use --backend iptables");

    static Failure tooOld(int version) {
        return new Failure(
                FailureCode.TOOL_MISSING,
                "nft is " + version / 10_000 + "." + version / 100 % 100 + "." + version % 100
                        + ", and 1.0.6 or later is needed",
                "install a newer nftables, or use --backend iptables");
    }

    private final CommandRunner runner;
    private volatile String version = "";
    private volatile Optional<Failure> doubt = Optional.empty();

    NftTool(CommandRunner runner) {
        this.runner = runner;
    }

    boolean isThere() {
        return runner.has(NFT);
    }

    /** Lists as JSON, for example {@code table ip ip-masq-agent}; without counters unless asked. */
    <T> Streamed<T> listJson(boolean counters, CommandRunner.Reading<T> reading, String... what) {
        return list("-j", counters, reading, what);
    }

    /** Lists as text with handles and without counters. */
    <T> Streamed<T> listText(CommandRunner.Reading<T> reading, String... what) {
        return list("-a", false, reading, what);
    }

    private <T> Streamed<T> list(String form, boolean counters, CommandRunner.Reading<T> reading, String... what) {
        List<String> argv = new ArrayList<>(List.of(NFT, form));
        if (!counters) {
            argv.add("-s");
        }
        argv.add("list");
        argv.addAll(List.of(what));
        return runner.stream(argv, LIMIT, reading);
    }

    CommandRunner.Outcome write(String payload) {
        return runner.run(List.of(NFT, "-f", "-"), payload, LIMIT);
    }

    /** Major, minor and patch as one number, {@code 1_00_06} for 1.0.6; 0 if the tool does not report it. Asked once. */
    int version() {
        Optional<Failure> failed = Optional.empty();
        if (version.isEmpty()) {
            CommandRunner.Outcome outcome = runner.run(List.of(NFT, "--version"), "", LIMIT);
            failed = failure(outcome).filter(failure -> !failure.code().isLasting());
            version = outcome instanceof Exited exited && exited.code() == 0 ? exited.stdout() : "";
        }
        doubt = failed;
        Matcher numbers = VERSION.matcher(version);
        return numbers.find()
                ? Integer.parseInt(numbers.group(1)) * 10_000
                        + Integer.parseInt(numbers.group(2)) * 100
                        + Integer.parseInt(numbers.group(3))
                : 0;
    }

    /** Why the tool could not be asked for its version last time, if that can pass by itself. */
    Optional<Failure> doubt() {
        return doubt;
    }

    /** Whether a listing failed because what was asked for is not there. */
    static boolean isAbsent(CommandRunner.Outcome outcome) {
        return outcome instanceof Exited exited
                && exited.code() != 0
                && exited.stderr().contains("No such file or directory");
    }

    /** The failure behind an outcome; empty when the tool ended with 0. */
    static Optional<Failure> failure(CommandRunner.Outcome outcome) {
        return Failure.of(
                outcome,
                NFT,
                MISSING.fix(),
                "look for load on the node, and for a program that keeps changing nft tables",
                NftTool::refused);
    }

    private static Failure refused(String words, String said) {
        if (words.contains("cache initialization failed: Operation not permitted")
                || words.contains("you must be root")) {
            return new Failure(FailureCode.NOT_PERMITTED, said, NodeLimits.NOT_PERMITTED.fix());
        }
        if (words.contains("JSON support not compiled-in")) {
            return new Failure(
                    FailureCode.TOOL_MISSING, said, "install an nft with JSON support, or use --backend iptables");
        }
        if (words.contains("Protocol not supported") || words.contains("Operation not supported")) {
            return new Failure(
                    FailureCode.TABLE_MISSING,
                    said,
                    "load the kernel's nft support (modprobe nf_tables nft_chain_nat nft_masq nft_fib_ipv4"
                            + " nft_fib_ipv6), or use --backend iptables");
        }
        return new Failure(
                FailureCode.REJECTED,
                said,
                "nothing was changed; 'nft list table ip " + NftNames.TABLE + "' (ip6) shows what is there");
    }
}
