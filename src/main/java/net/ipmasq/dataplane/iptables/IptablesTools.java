package net.ipmasq.dataplane.iptables;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.net.IpFamily;

/** Finds and runs the iptables programs of one variant. */
final class IptablesTools {
    /** Longest time that any call may take; a table of 50,000 rules is read in under two seconds. */
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private static final Pattern VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\.(\\d+)(?: \\((\\w+)\\))?");

    private final CommandRunner runner;
    private final Map<String, CommandRunner.Outcome> versions = new ConcurrentHashMap<>();

    IptablesTools(CommandRunner runner) {
        this.runner = runner;
    }

    /** Reads a table while it is printed. */
    <T> Streamed<T> save(
            IpFamily family, Variant variant, String table, boolean counters, CommandRunner.Reading<T> reading) {
        String program = program(family, variant, "-save");
        List<String> argv = counters ? List.of(program, "-c", "-t", table) : List.of(program, "-t", table);
        return runner.stream(argv, LIMIT, reading);
    }

    /** Writes one transaction; waits up to five seconds for the legacy lock. */
    CommandRunner.Outcome restore(IpFamily family, Variant variant, String payload) {
        return run(List.of(program(family, variant, "-restore"), "--noflush", "-w", "5"), payload);
    }

    /** Whether it is there, as far as is known: one that could not be asked is taken to be there, and asked again. */
    boolean has(IpFamily family, Variant variant) {
        return find(family, variant, "-save").isPresent();
    }

    /** Why it is not known whether this variant is there; empty if it is. */
    Optional<Failure> doubt(IpFamily family, Variant variant) {
        String base = Variant.base(family);
        boolean told = runner.has(variant.tool(family, "-save")) || !runner.has(base + "-save");
        return told ? Optional.empty() : doubt(version(base), family, base);
    }

    private static Optional<Failure> doubt(CommandRunner.Outcome version, IpFamily family, String program) {
        return version instanceof Exited
                ? Optional.empty()
                : IptablesFailures.of(version, family, program)
                        .filter(failure -> !failure.code().isLasting());
    }

    /** Whether the tool knows {@code --random-fully} (iptables 1.6.2 and later); costs one call per family. */
    boolean hasRandomFully(IpFamily family, Variant variant) {
        Matcher version = VERSION.matcher(words(version(program(family, variant, ""))));
        if (!version.find()) {
            // it could not be asked, so it need not be too old, and a refusal would be remembered
            return true;
        }
        int number = Integer.parseInt(version.group(1)) * 10_000
                + Integer.parseInt(version.group(2)) * 100
                + Integer.parseInt(version.group(3));
        return number >= 1_06_02;
    }

    /** The program for messages, also when it is not there. */
    String program(IpFamily family, Variant variant, String verb) {
        return find(family, variant, verb).orElseGet(() -> variant.tool(family, verb));
    }

    private Optional<String> find(IpFamily family, Variant variant, String verb) {
        String specific = variant.tool(family, verb);
        if (runner.has(specific)) {
            return Optional.of(specific);
        }
        // distributions with one variant only have no suffixed names; before 1.8 there was only legacy, unmarked
        String generic = Variant.base(family) + verb;
        if (!runner.has(generic)) {
            return Optional.empty();
        }
        CommandRunner.Outcome said = version(Variant.base(family));
        if (doubt(said, family, Variant.base(family)).isPresent()) {
            return Optional.of(generic);
        }
        Matcher version = VERSION.matcher(words(said));
        String word = version.find() && version.group(4) != null ? version.group(4) : Variant.LEGACY.versionWord();
        return word.equals(variant.versionWord()) ? Optional.of(generic) : Optional.empty();
    }

    private static String words(CommandRunner.Outcome version) {
        return version instanceof Exited exited && exited.code() == 0 ? exited.stdout() : "";
    }

    private CommandRunner.Outcome version(String program) {
        CommandRunner.Outcome known = versions.get(program);
        if (known != null) {
            return known;
        }
        CommandRunner.Outcome outcome = run(List.of(program, "--version"), "");
        // a tool that could not answer once may do so next time
        if (outcome instanceof Exited exited && exited.code() == 0) {
            versions.put(program, outcome);
        }
        return outcome;
    }

    private CommandRunner.Outcome run(List<String> argv, String stdin) {
        return runner.run(argv, stdin, LIMIT);
    }
}
