package net.ipmasq.lab;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.CommandRunner.NotStarted;
import net.ipmasq.dataplane.CommandRunner.TimedOut;

/** Starts programs for the lab and finds them on a PATH. */
public final class Programs {
    private static final Executor THREADS = task -> Thread.ofPlatform().daemon().start(task);

    private Programs() {}

    /** The test JVM's PATH with the system directories, which a user's PATH often lacks. */
    public static String path() {
        return System.getenv().getOrDefault("PATH", "") + ":/usr/sbin:/sbin";
    }

    static Optional<Path> find(String program, String path) {
        if (program.startsWith("/")) {
            return Optional.of(Path.of(program)).filter(Files::isExecutable);
        }
        for (String directory : path.split(":")) {
            Path candidate = Path.of(directory, program);
            if (!directory.isEmpty() && Files.isRegularFile(candidate) && Files.isExecutable(candidate)) {
                return Optional.of(candidate);
            }
        }
        return Optional.empty();
    }

    /** Runs to the end or to the limit, never longer. */
    public static CommandRunner.Outcome run(List<String> argv, String stdin, Map<String, String> env, Duration limit) {
        ProcessBuilder builder = new ProcessBuilder(argv);
        builder.environment().putAll(env);
        Process process;
        try {
            process = builder.start();
        } catch (IOException e) {
            return new NotStarted(String.valueOf(e.getMessage()));
        }
        CompletableFuture<String> out = drain(process.getInputStream());
        CompletableFuture<String> err = drain(process.getErrorStream());
        CompletableFuture<Void> in = CompletableFuture.runAsync(() -> feed(process, stdin), THREADS);
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return new TimedOut(limit);
            }
            in.join();
            return new Exited(process.exitValue(), out.join(), err.join());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return new NotStarted("interrupted");
        }
    }

    private static CompletableFuture<String> drain(InputStream stream) {
        return CompletableFuture.supplyAsync(
                () -> {
                    try (stream) {
                        return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
                    } catch (IOException e) {
                        // the stream of a program that we ended
                        return "";
                    }
                },
                THREADS);
    }

    private static void feed(Process process, String stdin) {
        try (OutputStream to = process.getOutputStream()) {
            to.write(stdin.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // a program may close its input without reading it all, and tells why with its exit code; Java itself
            // closes
            // the stream of one that has ended
            boolean ended = "Broken pipe".equals(e.getMessage()) || "Stream closed".equals(e.getMessage());
            if (!stdin.isEmpty() && !ended) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
