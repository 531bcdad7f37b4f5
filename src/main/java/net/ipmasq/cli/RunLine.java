package net.ipmasq.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Reads the plain command lines of {@code run} without picocli, whose classes are too old for the JVM's start-up cache
 * and cost 80 ms that a node would be without its rules. Whatever is not plain (help, {@code --once}, a mistake) is left
 * to picocli, which says it better; a test holds both readings against each other.
 */
public final class RunLine {
    private RunLine() {}

    private static final Set<String> TEXTS =
            Set.of("config", "profile", "state-dir", "backend", "masq-chain", "to-ports", "resync-interval");

    private static final Set<String> BOOLEANS = Set.of("nomasq-all-reserved-ranges", "enable-ipv6", "random-fully");

    /** Accepted for compatibility and without effect. */
    private static final Set<String> IGNORED_BOOLEANS = Set.of("logtostderr", "alsologtostderr");

    private static final Set<String> IGNORED_NUMBERS = Set.of("v");

    private static final Set<String> IGNORED_TEXTS =
            Set.of("stderrthreshold", "log_dir", "log_backtrace_at", "vmodule");

    private static final Set<String> FOR_ALL_COMMANDS = Set.of("--help", "-h", "--version", "-V");

    /**
     * A line that begins with a flag is one of {@code run}: containers of the Go agents have flags for arguments and no
     * command, and only their image has to change.
     */
    public static String[] withCommand(String... args) {
        // started by the image's launcher, which is a first line for the kernel: that hands over the launcher's own
        // path
        List<String> line = new ArrayList<>(List.of(args));
        if (!line.isEmpty() && line.getFirst().endsWith("/ip-masq-agent")) {
            line.removeFirst();
        }
        if (!line.isEmpty() && line.getFirst().startsWith("-") && !FOR_ALL_COMMANDS.contains(line.getFirst())) {
            line.addFirst("run");
        }
        return line.toArray(String[]::new);
    }

    /** The settings that the flags of {@code run} set, by name; empty if picocli has to read the line. */
    public static Optional<Map<String, String>> parse(String... args) {
        if (args.length == 0 || !args[0].equals("run")) {
            return Optional.empty();
        }
        Map<String, String> flags = new LinkedHashMap<>();
        for (int i = 1; i < args.length; i++) {
            String flag = args[i].startsWith("--") ? args[i].substring(2) : args[i].replaceFirst("^-", "");
            int equals = flag.indexOf('=');
            String name = equals < 0 ? flag : flag.substring(0, equals);
            boolean text = TEXTS.contains(name) || IGNORED_NUMBERS.contains(name) || IGNORED_TEXTS.contains(name);
            boolean bool = BOOLEANS.contains(name) || IGNORED_BOOLEANS.contains(name);
            if (!args[i].startsWith("-") || !text && !bool || isOurs(name) && !args[i].startsWith("--")) {
                return Optional.empty();
            }
            String value = equals >= 0 ? flag.substring(equals + 1) : "true";
            if (text && equals < 0) {
                i++;
                if (i == args.length || args[i].startsWith("-")) {
                    return Optional.empty();
                }
                value = args[i];
            }
            if (value.isEmpty() || flags.containsKey(name) || name.equals("v") && !value.matches("[0-9]{1,9}")) {
                return Optional.empty();
            }
            flags.put(name, value);
        }
        flags.keySet().removeAll(IGNORED_BOOLEANS);
        flags.keySet().removeAll(IGNORED_NUMBERS);
        flags.keySet().removeAll(IGNORED_TEXTS);
        return Optional.of(flags);
    }

    /** Flags that the Go agents do not have take two dashes only. */
    private static boolean isOurs(String name) {
        return Set.of("config", "profile", "state-dir", "backend").contains(name);
    }
}
