package net.ipmasq.dataplane;

import java.io.FilterReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.Reader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.CommandRunner.NotStarted;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.CommandRunner.TimedOut;
import net.ipmasq.dataplane.CommandRunner.Unread;

/**
 * One run of a program. All that can block, from starting it to the end of its pipes, happens on threads of its own, and
 * the caller waits for all of it in one place and no longer than the limit; whatever ends one of these threads ends the
 * wait.
 */
final class ToolCall<T> {
    /** A tool reports what is wrong in its first lines; the rest is read and dropped, so that the tool can end. */
    private static final int MOST_ERROR_TEXT = 64 * 1024;

    private final List<String> argv;
    private final String stdin;
    private final CommandRunner.Reading<T> reading;
    private final AtomicInteger threads;
    private final CompletableFuture<Process> process = new CompletableFuture<>();
    private final CompletableFuture<T> value = new CompletableFuture<>();
    private final CompletableFuture<String> errors = new CompletableFuture<>();
    private final CompletableFuture<Boolean> written = new CompletableFuture<>();

    private static final class StartFailed extends Exception {
        private static final long serialVersionUID = 1;

        StartFailed(Throwable cause) {
            super(String.valueOf(cause.getMessage()), cause);
        }
    }

    /**
     * @param threads counts the threads of all calls that have not ended
     */
    ToolCall(List<String> argv, String stdin, CommandRunner.Reading<T> reading, AtomicInteger threads) {
        this.argv = argv;
        this.stdin = stdin;
        this.reading = reading;
        this.threads = threads;
    }

    /** Runs it; where it cannot be started, {@link NotStarted} says so with {@code missing} unset. */
    Streamed<T> within(Duration limit) {
        long end = System.nanoTime() + limit.toNanos();
        try {
            thread("reader", this::startAndRead);
            CompletableFuture.allOf(process, value, errors, written).get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            Process ended = process.join();
            if (!ended.waitFor(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                throw new TimeoutException();
            }
            return new Streamed<>(new Exited(ended.exitValue(), "", errors.join()), Optional.of(value.join()));
        } catch (TimeoutException e) {
            return given(new TimedOut(limit));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return given(new NotStarted("interrupted", false));
        } catch (ExecutionException e) {
            return given(ended(Objects.requireNonNullElse(e.getCause(), e)));
        } catch (OutOfMemoryError e) {
            // no memory for a thread
            return given(new NotStarted(String.valueOf(e.getMessage()), false));
        }
    }

    private static CommandRunner.Outcome ended(Throwable cause) {
        return switch (cause) {
            case StartFailed failed -> new NotStarted(String.valueOf(failed.getMessage()), false);
            case OutOfMemoryError full -> new Unread("it does not fit the memory of this process");
            default -> new Unread(String.valueOf(cause.getMessage()));
        };
    }

    @SuppressWarnings("FutureReturnValueIgnored") // nobody is left to tell
    private Streamed<T> given(CommandRunner.Outcome outcome) {
        // also one that is still about to start
        process.thenAccept(started -> {
            started.descendants().forEach(ProcessHandle::destroyForcibly);
            started.destroyForcibly();
        });
        return new Streamed<>(outcome, Optional.empty());
    }

    private void startAndRead() throws Exception {
        Process started = start();
        process.complete(started);
        thread("errors", () -> errors.complete(beginning(started.getErrorStream())));
        if (stdin.isEmpty()) {
            written.complete(true);
        } else {
            thread("input", () -> written.complete(write(started.getOutputStream())));
        }
        try (Reader text = new InputStreamReader(started.getInputStream(), StandardCharsets.UTF_8)) {
            T made = reading.read(new Unclosed(text));
            // a tool whose output is not read to the end would not end
            text.transferTo(Writer.nullWriter());
            value.complete(made);
        }
    }

    /** Readings may close what they read; the pipe stays open until all is read. */
    private static final class Unclosed extends FilterReader {
        Unclosed(Reader text) {
            super(text);
        }

        @Override
        public void close() {
            // the pipe is closed by who opened it
        }
    }

    private Process start() throws StartFailed {
        ProcessBuilder builder = new ProcessBuilder(argv);
        if (stdin.isEmpty()) {
            builder.redirectInput(
                    ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()));
        }
        try {
            return builder.start();
        } catch (IOException | OutOfMemoryError e) {
            throw new StartFailed(e);
        }
    }

    private static String beginning(InputStream stream) throws IOException {
        try (stream) {
            byte[] bytes = stream.readNBytes(MOST_ERROR_TEXT);
            stream.transferTo(OutputStream.nullOutputStream());
            return new String(bytes, StandardCharsets.UTF_8);
        }
    }

    private boolean write(OutputStream stream) {
        try (stream) {
            stream.write(stdin.getBytes(StandardCharsets.UTF_8));
            return true;
        } catch (IOException e) {
            // a tool that stops reading says why on stderr and by its exit code, which the caller sees
            System.getLogger(ToolCall.class.getName())
                    .log(System.Logger.Level.DEBUG, "a tool stopped reading its input", e);
            return false;
        }
    }

    private interface Work {
        void run() throws Exception;
    }

    private void thread(String name, Work work) {
        threads.incrementAndGet();
        try {
            Thread.ofPlatform().daemon().name("tool-" + name).start(() -> {
                try {
                    work.run();
                } catch (Throwable e) {
                    fail(e);
                } finally {
                    threads.decrementAndGet();
                }
            });
        } catch (OutOfMemoryError e) {
            threads.decrementAndGet();
            throw e;
        }
    }

    private void fail(Throwable cause) {
        process.completeExceptionally(cause);
        value.completeExceptionally(cause);
        errors.completeExceptionally(cause);
        written.completeExceptionally(cause);
    }
}
