package net.ipmasq.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** Reads the mounted file. A mount that hangs makes the configuration unknown, not absent, and never stops healing. */
public final class FileSource implements ConfigSource {
    /** One byte more than is accepted, so that the reader can say that it is too much. */
    private static final int MOST_BYTES = (1 << 20) + 1;

    private final Path file;
    private final Duration patience;
    private @Nullable CompletableFuture<Reading> pending;

    /**
     * @param patience how long one call waits for the file system
     */
    public FileSource(Path file, Duration patience) {
        this.file = file;
        this.patience = patience;
    }

    @Override
    public String where() {
        return "file " + file;
    }

    public Path path() {
        return file;
    }

    /** When a file's content was written, links followed; empty if it is not there. */
    public static Optional<Instant> modified(Path file) {
        try {
            return Optional.of(Files.getLastModifiedTime(file).toInstant());
        } catch (IOException e) {
            // gone meanwhile: then it is not newer than anything
            return Optional.empty();
        }
    }

    @Override
    public synchronized Reading read() {
        CompletableFuture<Reading> reading = pending == null ? start() : pending;
        pending = reading;
        try {
            Reading result = reading.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            pending = null;
            return result;
        } catch (TimeoutException e) {
            // kept: the next call asks the same read, so a hanging mount costs one thread
            return new Unknown(file + " has not answered within " + patience.toMillis() + " ms");
        } catch (ExecutionException e) {
            pending = null;
            return new Unknown(file + " cannot be read: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new Unknown("interrupted while reading " + file);
        }
    }

    private CompletableFuture<Reading> start() {
        CompletableFuture<Reading> reading = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("config-reader").start(() -> {
            try {
                reading.complete(readNow());
            } catch (RuntimeException | Error e) {
                reading.completeExceptionally(e);
            }
        });
        return reading;
    }

    private Reading readNow() {
        if (!isReadable()) {
            return new Unknown(
                    file + " is a directory or a pipe, not a file; mount the ConfigMap's key 'config' as this"
                            + " file (items: config -> " + file.getFileName() + ")");
        }
        try (InputStream stream = Files.newInputStream(file)) {
            return new Text(stream.readNBytes(MOST_BYTES));
        } catch (NoSuchFileException e) {
            return new Absent();
        } catch (IOException e) {
            return new Unknown(file + " cannot be read: " + Unreadable.why(e));
        }
    }

    /**
     * A pipe that nobody writes to would hold its reader for ever, even after a file has taken its place; those under
     * /dev are a shell's {@code <(...)}, which has a writer.
     */
    private boolean isReadable() {
        boolean handedOver = file.startsWith("/dev") || file.startsWith("/proc");
        return handedOver || !Files.exists(file) || Files.isRegularFile(file);
    }
}
