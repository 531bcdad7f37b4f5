package net.ipmasq.cli;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.agent.UsageException;

/**
 * Reads the plain command lines of {@code run} without picocli, whose classes are too old for the JVM's start-up cache
 * and cost 80 ms that a node would be without its rules. Whatever is not plain (help, {@code --once}, a mistake) is left
 * to picocli, whose messages are better; a test compares both readings.
 *
 * @param settings what the flags set, by setting name
 * @param log where the log goes
 */
public record RunLine(Map<String, String> settings, LogTarget log) {
    private static final Set<String> TEXTS =
            Set.of("config", "profile", "state-dir", "backend", "masq-chain", "to-ports", "resync-interval");

    private static final Set<String> BOOLEANS = Set.of("nomasq-all-reserved-ranges", "enable-ipv6", "random-fully");

    private static final Set<String> FOR_ALL_COMMANDS = Set.of("--help", "-h", "--version", "-V");

    /**
     * A line that begins with a flag is one of {@code run}: containers of the Go agents have flags for arguments and no
     * command, and only their image has to change.
     */
    public static String[] withCommand(String... args) {
        if (args.length == 0 || !args[0].startsWith("-") || FOR_ALL_COMMANDS.contains(args[0])) {
            return args;
        }
        List<String> line = new ArrayList<>(List.of(args));
        line.addFirst("run");
        return line.toArray(String[]::new);
    }

    /** What a line of {@code run} asks for; empty if picocli has to read it. */
    public static Optional<RunLine> parse(String... args) {
        if (args.length == 0 || !args[0].equals("run")) {
            return Optional.empty();
        }
        Map<String, String> settings = new LinkedHashMap<>();
        Map<String, String> log = new LinkedHashMap<>();
        for (int i = 1; i < args.length; i++) {
            int equals = args[i].indexOf('=');
            String name = nameOf(args[i]);
            boolean bool = isBool(name);
            if (!args[i].startsWith("-") || !isFlag(name) || isOurs(name) && !args[i].startsWith("--")) {
                return Optional.empty();
            }
            String value = equals >= 0 ? args[i].substring(equals + 1) : "true";
            if (!bool && equals < 0) {
                i++;
                if (i == args.length || args[i].startsWith("-")) {
                    return Optional.empty();
                }
                value = args[i];
            }
            Map<String, String> values = LogFlag.of(name).isPresent() ? log : settings;
            String key = LogFlag.of(name).map(LogFlag::key).orElse(name);
            if (value.isEmpty() || values.put(key, value) != null) {
                return Optional.empty();
            }
        }
        try {
            return Optional.of(new RunLine(settings, LogTarget.of(log)));
        } catch (UsageException e) {
            // picocli reads the same and reports it
            return Optional.empty();
        }
    }

    /** The name of a flag in a word of a line: without dashes in front and without a value. */
    static String nameOf(String word) {
        String flag = word.startsWith("--") ? word.substring(2) : word.startsWith("-") ? word.substring(1) : word;
        int equals = flag.indexOf('=');
        return equals < 0 ? flag : flag.substring(0, equals);
    }

    /** Whether {@code run} has such a flag, other than those that picocli has to read. */
    static boolean isFlag(String name) {
        return TEXTS.contains(name) || isBool(name) || LogFlag.of(name).isPresent();
    }

    /** Whether it is a flag of the Go agents that takes a value after {@code =} only. */
    static boolean isBool(String name) {
        return BOOLEANS.contains(name)
                || LogFlag.of(name).filter(LogFlag::isBool).isPresent();
    }

    /** Flags that the Go agents do not have take two dashes only. */
    private static boolean isOurs(String name) {
        return Set.of("config", "profile", "state-dir", "backend").contains(name);
    }
}
