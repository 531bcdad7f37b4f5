package net.ipmasq.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** {@link LogFlag} for picocli, in the spellings of Go's programs: one dash or two, underscores or dashes. */
final class LogFlags {
    @Option(
            names = {"--add_dir_header", "-add_dir_header", "--add-dir-header", "-add-dir-header"},
            hidden = true,
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String addDirHeader;

    @Option(
            names = {"--alsologtostderr", "-alsologtostderr"},
            hidden = true,
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String alsoLogToStderr;

    @Option(
            names = {"--alsologtostderrthreshold", "-alsologtostderrthreshold"},
            hidden = true,
            paramLabel = "SEVERITY",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String alsoLogToStderrThreshold;

    @Option(
            names = {
                "--legacy_stderr_threshold_behavior",
                "-legacy_stderr_threshold_behavior",
                "--legacy-stderr-threshold-behavior",
                "-legacy-stderr-threshold-behavior"
            },
            hidden = true,
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String legacyStderrThresholdBehavior;

    @Option(
            names = {"--log_backtrace_at", "-log_backtrace_at", "--log-backtrace-at", "-log-backtrace-at"},
            hidden = true,
            paramLabel = "FILE:LINE",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String logBacktraceAt;

    @Option(
            names = {"--log_dir", "-log_dir", "--log-dir", "-log-dir"},
            hidden = true,
            paramLabel = "DIR",
            description = "Accepted for compatibility; files are not written.")
    @Nullable
    String logDir;

    @Option(
            names = {"--log_file", "-log_file", "--log-file", "-log-file"},
            paramLabel = "FILE",
            description = "Where the log of run goes: /dev/stdout or /dev/stderr (default); files are not written.")
    @Nullable
    String logFile;

    @Option(
            names = {"--log_file_max_size", "-log_file_max_size", "--log-file-max-size", "-log-file-max-size"},
            hidden = true,
            paramLabel = "MB",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String logFileMaxSize;

    @Option(
            names = {"--logtostderr", "-logtostderr"},
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "True beats --log_file.")
    @Nullable
    String logToStderr;

    @Option(
            names = {"--one_output", "-one_output", "--one-output", "-one-output"},
            hidden = true,
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String oneOutput;

    @Option(
            names = {"--skip_headers", "-skip_headers", "--skip-headers", "-skip-headers"},
            hidden = true,
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String skipHeaders;

    @Option(
            names = {"--skip_log_headers", "-skip_log_headers", "--skip-log-headers", "-skip-log-headers"},
            hidden = true,
            arity = "0..1",
            fallbackValue = "true",
            paramLabel = "BOOL",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String skipLogHeaders;

    @Option(
            names = {"--stderrthreshold", "-stderrthreshold"},
            hidden = true,
            paramLabel = "SEVERITY",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String stderrThreshold;

    @Option(
            names = {"-v", "--v"},
            paramLabel = "N",
            description = "Accepted for compatibility; this agent logs changes only.")
    @Nullable
    String verbosity;

    @Option(
            names = {"--vmodule", "-vmodule"},
            hidden = true,
            paramLabel = "PATTERN=N",
            description = "Accepted for compatibility; has no effect.")
    @Nullable
    String vmodule;

    /** By {@link LogFlag#key()}; only those that were given. */
    Map<String, String> given() {
        Map<String, String> given = new LinkedHashMap<>();
        CommonOptions.put(given, LogFlag.ADD_DIR_HEADER.key(), addDirHeader);
        CommonOptions.put(given, LogFlag.ALSOLOGTOSTDERR.key(), alsoLogToStderr);
        CommonOptions.put(given, LogFlag.ALSOLOGTOSTDERRTHRESHOLD.key(), alsoLogToStderrThreshold);
        CommonOptions.put(given, LogFlag.LEGACY_STDERR_THRESHOLD_BEHAVIOR.key(), legacyStderrThresholdBehavior);
        CommonOptions.put(given, LogFlag.LOG_BACKTRACE_AT.key(), logBacktraceAt);
        CommonOptions.put(given, LogFlag.LOG_DIR.key(), logDir);
        CommonOptions.put(given, LogFlag.LOG_FILE.key(), logFile);
        CommonOptions.put(given, LogFlag.LOG_FILE_MAX_SIZE.key(), logFileMaxSize);
        CommonOptions.put(given, LogFlag.LOGTOSTDERR.key(), logToStderr);
        CommonOptions.put(given, LogFlag.ONE_OUTPUT.key(), oneOutput);
        CommonOptions.put(given, LogFlag.SKIP_HEADERS.key(), skipHeaders);
        CommonOptions.put(given, LogFlag.SKIP_LOG_HEADERS.key(), skipLogHeaders);
        CommonOptions.put(given, LogFlag.STDERRTHRESHOLD.key(), stderrThreshold);
        CommonOptions.put(given, LogFlag.V.key(), verbosity);
        CommonOptions.put(given, LogFlag.VMODULE.key(), vmodule);
        return given;
    }
}
