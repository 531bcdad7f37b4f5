package net.ipmasq.agent;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import net.ipmasq.text.FileProblem;
import org.jspecify.annotations.Nullable;

/** Reads the mounted file. A mount that hangs makes the configuration unknown, not absent, and never stops healing. */
public final class FileSource implements ConfigSource {
    /** One byte more than is accepted, so that the reader can report that it is too much. */
    private static final int MOST_BYTES = (1 << 20) + 1;

    /** A file that was not written for this long is complete; shorter than a person or a test waits. */
    private static final Duration QUIET = Duration.ofMillis(40);

    private static final int MOST_LOOKS = 5;

    private final Path file;
    private final Duration patience;
    private @Nullable CompletableFuture<SourceReading<Content>> pending;

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
    public synchronized SourceReading<Content> read() {
        CompletableFuture<SourceReading<Content>> reading = pending == null ? start() : pending;
        pending = reading;
        try {
            SourceReading<Content> result = reading.get(patience.toMillis(), TimeUnit.MILLISECONDS);
            pending = null;
            return result;
        } catch (TimeoutException e) {
            // the read goes on, and the next call waits for the same one: a mount that hangs costs one thread
            return new SourceReading.Unknown<>(file + " has not answered within " + patience.toMillis() + " ms");
        } catch (ExecutionException e) {
            pending = null;
            return new SourceReading.Unknown<>(file + " cannot be read: " + e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return new SourceReading.Unknown<>("interrupted while reading " + file);
        }
    }

    private CompletableFuture<SourceReading<Content>> start() {
        CompletableFuture<SourceReading<Content>> reading = new CompletableFuture<>();
        Thread.ofPlatform().daemon().name("config-reader").start(() -> {
            try {
                reading.complete(readNow());
            } catch (RuntimeException | Error e) {
                reading.completeExceptionally(e);
            }
        });
        return reading;
    }

    private SourceReading<Content> readNow() {
        if (!isReadable()) {
            return new SourceReading.Unknown<>(
                    file + " is a directory or a pipe, not a file; mount the ConfigMap's key 'config' as this"
                            + " file (items: config -> " + file.getFileName() + ")");
        }
        try {
            return settled();
        } catch (NoSuchFileException e) {
            return new SourceReading.Absent<>(false);
        } catch (IOException e) {
            return new SourceReading.Unknown<>(file + " cannot be read: " + FileProblem.why(e));
        }
    }

    /**
     * The content once it no longer changes. A writer that does not rename empties the file first and fills it later; what
     * is read in between would look like a configuration without keys.
     */
    private SourceReading<Content> settled() throws IOException {
        byte[] bytes = content();
        for (int looks = 0; looks < MOST_LOOKS; looks++) {
            if (!isBeingWritten()) {
                return new SourceReading.Present<>(new Text(bytes));
            }
            LockSupport.parkNanos(QUIET.toNanos());
            byte[] again = content();
            if (Arrays.equals(bytes, again) && !isBeingWritten()) {
                return new SourceReading.Present<>(new Text(again));
            }
            bytes = again;
        }
        return new SourceReading.Unknown<>(file + " is being written all the time");
    }

    private byte[] content() throws IOException {
        try (InputStream stream = Files.newInputStream(file)) {
            return stream.readNBytes(MOST_BYTES);
        }
    }

    /** Whether the file was written so recently that its writer may not have finished. */
    private boolean isBeingWritten() throws IOException {
        if (!Files.isRegularFile(file)) {
            return false;
        }
        Duration age = Duration.between(Files.getLastModifiedTime(file).toInstant(), Instant.now());
        return age.abs().compareTo(QUIET) < 0;
    }

    /**
     * A pipe without a writer would block its reader for ever, even after a file has taken its place. Those under /dev are a
     * shell's {@code <(...)}, which has a writer.
     */
    private boolean isReadable() {
        boolean handedOver = file.startsWith("/dev") || file.startsWith("/proc");
        return handedOver || !Files.exists(file) || Files.isRegularFile(file);
    }
}
