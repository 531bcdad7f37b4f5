package net.ipmasq.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Exited;

/** Runs a main of the tests in a JVM of its own with the flags that the agent is packaged with, read from {@code dev}. */
public final class PackagedHeap {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final Pattern FLAGS = Pattern.compile("(?s)\\njvm_flags=\\((.*?)\\)");
    private static final Pattern PAUSE = Pattern.compile("(\\d+)K\\(\\d+K\\)->(\\d+)K");
    private static final Pattern AT_EXIT = Pattern.compile("(?:DefNew|Tenured) +total \\d+K, used (\\d+)K");

    private PackagedHeap() {}

    /**
     * How a run ended.
     *
     * @param peakKiB the most that the heap held at any moment, garbage included, as the log of collections has it
     * @param liveKiB the most that a collection left in the heap; 0 if there was none
     */
    public record Run(int code, String out, String err, long peakKiB, long liveKiB) {
        public String heap() {
            return "peak heap " + peakKiB / 1024 + " MiB, at most " + liveKiB / 1024 + " MiB after a collection";
        }
    }

    /** Runs {@code main} to its end. */
    public static Run run(Class<?> main, String... args) {
        return run(argv -> argv, Map.of(), main, args);
    }

    /** Runs {@code main} to its end inside a namespace. */
    public static Run run(NetNs ns, Class<?> main, String... args) {
        return run(ns::enter, ns.environment(), main, args);
    }

    private static Run run(UnaryOperator<List<String>> enter, Map<String, String> env, Class<?> main, String... args) {
        try {
            Path log = Files.createTempFile("packaged-heap-", ".log");
            try {
                List<String> argv = enter.apply(command(log, main, args));
                CommandRunner.Outcome outcome = Programs.run(argv, "", env, LIMIT);
                if (!(outcome instanceof Exited exited)) {
                    throw new IllegalStateException(main.getName() + " did not end by itself: " + outcome);
                }
                String collections = Files.readString(log);
                return new Run(
                        exited.code(), exited.stdout(), exited.stderr(), peak(collections), mostLeft(collections));
            } finally {
                Files.delete(log);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<String> command(Path log, Class<?> main, String... args) throws IOException {
        List<String> argv = new ArrayList<>(List.of("env", "-u", "JAVA_TOOL_OPTIONS", "-u", "JDK_JAVA_OPTIONS"));
        argv.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        argv.addAll(flags());
        // in KiB: plain gc messages are in whole MiB
        argv.add("-Xlog:gc*=info:file=" + log);
        argv.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        argv.addAll(List.of(args));
        return argv;
    }

    /** The flags of the packaged agent. */
    public static List<String> flags() throws IOException {
        Matcher flags = FLAGS.matcher(Files.readString(Path.of("dev")));
        if (!flags.find()) {
            throw new IllegalStateException("dev names no jvm_flags");
        }
        return Arrays.asList(flags.group(1).strip().split("\\s+"));
    }

    private static long peak(String log) {
        long atExit = AT_EXIT.matcher(log)
                .results()
                .mapToLong(found -> Long.parseLong(found.group(1)))
                .sum();
        return Math.max(atExit, sums(log, 1));
    }

    private static long mostLeft(String log) {
        return sums(log, 2);
    }

    /** Each collection says for each generation what it held before (group 1) and after (group 2). */
    private static long sums(String log, int group) {
        long most = 0;
        long sum = 0;
        for (String line : log.lines().toList()) {
            boolean generation = line.contains(" DefNew: ") || line.contains(" Tenured: ");
            if (generation) {
                MatchResult sizes = PAUSE.matcher(line).results().findFirst().orElseThrow();
                sum = line.contains(" DefNew: ") ? 0 : sum;
                sum += Long.parseLong(sizes.group(group));
                most = Math.max(most, sum);
            }
        }
        return most;
    }
}
