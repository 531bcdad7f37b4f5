package net.ipmasq.cli;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.ipmasq.agent.UsageException;

/**
 * Where the log goes: to standard error, or to standard output for a line that names it as the log file, as GKE's
 * DaemonSet does. There are no log files: who sets one gets the log on standard error, and a line that tells it.
 *
 * @param standardOutput instead of standard error
 * @param warnings what of the flags is not done, as lines for the log
 */
public record LogTarget(boolean standardOutput, List<String> warnings) {
    /** Where it goes when no flag is set. */
    public static final LogTarget DEFAULT = new LogTarget(false, List.of());

    private static final Set<String> STANDARD_OUTPUT = Set.of("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1");
    private static final Set<String> STANDARD_ERROR = Set.of("/dev/stderr", "/dev/fd/2", "/proc/self/fd/2");

    /** The stream of this process. */
    public PrintStream stream() {
        return standardOutput ? System.out : System.err;
    }

    /**
     * What the flags ask for. As in klog, a true {@code logtostderr} beats all others; without one, naming a file is
     * enough here, while klog wants {@code logtostderr=false} too.
     *
     * @param given values by {@link LogFlag#key()}
     * @throws UsageException if a value is not valid
     */
    static LogTarget of(Map<String, String> given) {
        if (given.isEmpty()) {
            return DEFAULT;
        }
        for (LogFlag flag : LogFlag.values()) {
            String value = given.get(flag.key());
            if (value != null) {
                flag.fault(value).ifPresent(wanted -> {
                    throw new UsageException("--" + flag.key() + ": '" + value + "' is not valid: " + wanted);
                });
            }
        }
        String toStderr = given.getOrDefault(LogFlag.LOGTOSTDERR.key(), "");
        String file = given.getOrDefault(LogFlag.LOG_FILE.key(), "");
        String directory = given.getOrDefault(LogFlag.LOG_DIR.key(), "");
        if (LogFlag.isTrue(toStderr) || STANDARD_ERROR.contains(file)) {
            return DEFAULT;
        }
        if (STANDARD_OUTPUT.contains(file)) {
            return new LogTarget(true, List.of());
        }
        List<String> asked = new ArrayList<>();
        if (!file.isEmpty()) {
            asked.add("--log_file=" + file);
        } else if (!directory.isEmpty()) {
            asked.add("--log_dir=" + directory);
        } else if (!toStderr.isEmpty()) {
            asked.add("--logtostderr=" + toStderr);
        }
        return new LogTarget(
                false,
                asked.stream()
                        .map(flag -> flag + ": this agent writes no log files, so its log is here, on standard error;"
                                + " --log_file=/dev/stdout puts it on standard output")
                        .toList());
    }
}
