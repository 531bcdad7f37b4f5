package net.ipmasq.cli;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Flags of klog and glog, the Go agents' log libraries, by their names there. All are accepted, so that only the image has
 * to change in an existing DaemonSet; what three of them ask for is done ({@link LogTarget}), the rest has no meaning here.
 */
enum LogFlag {
    ADD_DIR_HEADER(Kind.BOOL),
    ALSOLOGTOSTDERR(Kind.BOOL),
    ALSOLOGTOSTDERRTHRESHOLD(Kind.SEVERITY),
    LEGACY_STDERR_THRESHOLD_BEHAVIOR(Kind.BOOL),
    LOG_BACKTRACE_AT(Kind.PLACE),
    LOG_DIR(Kind.DIRECTORY, "Accepted for compatibility; files are not written.", false),
    LOG_FILE(
            Kind.FILE, "Where the log of run goes: /dev/stdout or /dev/stderr (default); files are not written.", true),
    LOG_FILE_MAX_SIZE(Kind.SIZE),
    LOGTOSTDERR(Kind.BOOL, "True beats --log_file.", true),
    ONE_OUTPUT(Kind.BOOL),
    SKIP_HEADERS(Kind.BOOL),
    SKIP_LOG_HEADERS(Kind.BOOL),
    STDERRTHRESHOLD(Kind.SEVERITY),
    V(Kind.NUMBER, "Accepted for compatibility; this agent logs changes only.", true),
    VMODULE(Kind.MODULES);

    /** What a value looks like: in the help, as a pattern and in words. */
    private enum Kind {
        BOOL("BOOL", "1|0|t|f|T|F|true|false|TRUE|FALSE|True|False", "it is true or false"),
        NUMBER("N", "[+-]?[0-9]{1,9}", "it is a whole number, such as 2"),
        SIZE("MB", "[0-9]{1,18}", "it is a number of megabytes, 0 for no limit"),
        SEVERITY(
                "SEVERITY",
                "(?i:info|warning|error|fatal)|[+-]?[0-9]{1,9}",
                "it is INFO, WARNING, ERROR, FATAL or the number of one, 0 to 3"),
        MODULES("PATTERN=N", "(([^=,]+=[0-9]{1,9})?(,|$))*", "it is a list such as main=2,rules*=4"),
        PLACE("FILE:LINE", "|[^:]*\\.[^:]*:[0-9]{1,9}|:0", "it is a file and a line, such as main.go:42"),
        DIRECTORY("DIR", "(?s).*", ""),
        FILE("FILE", "(?s).*", "");

        private final String label;
        private final String pattern;
        private final String wanted;

        Kind(String label, String pattern, String wanted) {
            this.label = label;
            this.pattern = pattern;
            this.wanted = wanted;
        }
    }

    /** As klog has it, with underscores. */
    private final String key = name().toLowerCase(java.util.Locale.ROOT);

    private final Kind kind;
    private final String description;
    private final boolean shown;

    LogFlag(Kind kind) {
        this(kind, "Accepted for compatibility; has no effect.", false);
    }

    LogFlag(Kind kind, String description, boolean shown) {
        this.kind = kind;
        this.description = description;
        this.shown = shown;
    }

    String key() {
        return key;
    }

    /** With one dash or two, with underscores or, as Kubernetes' own programs have it, with dashes. */
    String[] spellings() {
        return Stream.of(key, key.replace('_', '-'))
                .distinct()
                .flatMap(name -> Stream.of("--" + name, "-" + name))
                .toArray(String[]::new);
    }

    /** What stands for the value in the help. */
    String label() {
        return kind.label;
    }

    String description() {
        return description;
    }

    /** Whether the help lists it. */
    boolean isShown() {
        return shown;
    }

    /** Without a value it is true, and takes one after {@code =} only. */
    boolean isBool() {
        return kind == Kind.BOOL;
    }

    /** What is wrong with a value; empty if nothing is. */
    Optional<String> fault(String value) {
        return value.matches(kind.pattern) ? Optional.empty() : Optional.of(kind.wanted);
    }

    /** Whether a value that {@link #fault} finds nothing in means true. */
    static boolean isTrue(String value) {
        return List.of("1", "t", "true").contains(value.toLowerCase(java.util.Locale.ROOT));
    }

    /** By its name with underscores or, as Kubernetes' own programs have it, with dashes; without leading dashes. */
    static Optional<LogFlag> of(String name) {
        String key = name.replace('-', '_');
        return Arrays.stream(values()).filter(flag -> flag.key.equals(key)).findFirst();
    }
}
