package net.ipmasq.dataplane;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Runs programs of this machine. */
public final class SystemCommandRunner implements CommandRunner {

    private final List<Path> path;

    /**
     * @param path the directories to look in, separated as PATH is; the caller passes the environment's
     */
    public SystemCommandRunner(String path) {
        this.path = java.util.Arrays.stream(path.split(":"))
                .filter(entry -> !entry.isEmpty())
                .map(Path::of)
                .toList();
    }

    @Override
    public boolean has(String program) {
        return path.stream().anyMatch(directory -> Files.isExecutable(directory.resolve(program)));
    }

    @Override
    public Outcome run(List<String> argv, String stdin, Duration limit) {
        Process process;
        try {
            ProcessBuilder builder = new ProcessBuilder(argv);
            if (stdin.isEmpty()) {
                builder.redirectInput(
                        ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
            }
            process = builder.start();
        } catch (IOException e) {
            return new NotStarted(String.valueOf(e.getMessage()));
        }
        CompletableFuture<String> stdout = reader(process.getInputStream());
        CompletableFuture<String> stderr = reader(process.getErrorStream());
        if (!stdin.isEmpty()) {
            start("stdin", () -> write(process.getOutputStream(), stdin));
        }
        try {
            if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                process.destroyForcibly();
                return new TimedOut(limit);
            }
            return new Exited(process.exitValue(), stdout.join(), stderr.join());
        } catch (InterruptedException e) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
            return new NotStarted("interrupted");
        }
    }

    // readers of their own, so that neither a full pipe nor a child that never ends can block the caller
    private static CompletableFuture<String> reader(InputStream stream) {
        CompletableFuture<String> text = new CompletableFuture<>();
        start("reader", () -> {
            try (stream) {
                text.complete(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
            } catch (IOException e) {
                text.completeExceptionally(new UncheckedIOException(e));
            }
        });
        return text;
    }

    private static void write(OutputStream stream, String text) {
        try (stream) {
            stream.write(text.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            // a tool that stops reading says why on stderr and by its exit code, which the caller sees
            System.getLogger(SystemCommandRunner.class.getName())
                    .log(System.Logger.Level.DEBUG, "a tool stopped reading its input", e);
        }
    }

    private static void start(String name, Runnable work) {
        Thread.ofPlatform().daemon().name("tool-" + name).start(work);
    }
}
