package net.ipmasq.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** A small JVM inside a namespace that speaks lines; ended by {@link #close}, and by itself when the test JVM dies. */
final class LabProcess implements AutoCloseable {
    private static final int KEPT_LINES = 20;
    private static final long START_LIMIT_SECONDS = 30;

    private final Process process;
    private final Writer in;
    private final Consumer<String> lines;
    private final CompletableFuture<Void> ready = new CompletableFuture<>();
    private final AtomicReference<IllegalStateException> broken = new AtomicReference<>();
    private final Deque<String> recent = new ArrayDeque<>();

    private LabProcess(Process process, Consumer<String> lines) {
        this.process = process;
        this.lines = lines;
        this.in = process.outputWriter(StandardCharsets.UTF_8);
    }

    /** Starts {@code main} in {@code ns}; its lines go to {@code lines} on a thread of their own. */
    static LabProcess start(NetNs ns, Class<?> main, Consumer<String> lines, String... args) {
        List<String> argv = Stream.concat(
                        Stream.of(
                                Path.of(System.getProperty("java.home"), "bin", "java")
                                        .toString(),
                                "-XX:+UseSerialGC",
                                "-XX:TieredStopAtLevel=1",
                                "-Xmx64m",
                                "-cp",
                                classes(main),
                                main.getName()),
                        Stream.of(args))
                .toList();
        ProcessBuilder builder = new ProcessBuilder(ns.enter(argv)).redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("JAVA_TOOL") || name.startsWith("JDK_JAVA"));
        try {
            LabProcess started = new LabProcess(builder.start(), lines);
            // cores
            Thread.ofPlatform().daemon().start(started::read);
            return started;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String classes(Class<?> main) {
        try {
            return Path.of(main.getProtectionDomain()
                            .getCodeSource()
                            .getLocation()
                            .toURI())
                    .toString();
        } catch (URISyntaxException e) {
            throw new IllegalStateException(e);
        }
    }

    LabProcess awaitReady() {
        try {
            ready.get(START_LIMIT_SECONDS, TimeUnit.SECONDS);
            return this;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        } catch (ExecutionException | TimeoutException e) {
            throw new IllegalStateException("a lab process did not start: " + recent(), e);
        }
    }

    void send(String text) {
        synchronized (in) {
            try {
                in.write(text);
                in.flush();
            } catch (IOException e) {
                throw new UncheckedIOException("a lab process is gone: " + recent(), e);
            }
        }
    }

    /** Its last lines, for failure messages. */
    String recent() {
        synchronized (recent) {
            return String.join(" | ", recent);
        }
    }

    private void read() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                remember(line);
                if (line.equals("ready")) {
                    ready.complete(null);
                } else {
                    handle(line);
                }
            }
        } catch (IOException e) {
            // the pipe of a process that close() ended
            remember("ended: " + e.getMessage());
        }
        ready.completeExceptionally(new IllegalStateException("ended before it was ready"));
    }

    /** A line that the lab does not understand must not hide those that follow; {@link #check} reports it. */
    private void handle(String line) {
        try {
            lines.accept(line);
        } catch (RuntimeException e) {
            broken.compareAndSet(null, new IllegalStateException("the lab did not understand: " + line, e));
        }
    }

    /** Throws if a line was not understood, since nothing that follows can then be trusted. */
    void check() {
        IllegalStateException fault = broken.get();
        if (fault != null) {
            throw fault;
        }
    }

    private void remember(String line) {
        synchronized (recent) {
            if (recent.size() == KEPT_LINES) {
                recent.removeFirst();
            }
            recent.addLast(line);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            if (!process.waitFor(START_LIMIT_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("a lab process does not end: pid " + process.pid());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
