package net.ipmasq.agent;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.json.JsonReader;
import net.ipmasq.json.JsonText;

/** Keeps the last good state across restarts, in one file that is replaced atomically. For any thread. */
public final class StateStore {
    /** In place of a resourceVersion: the API server reported that there is no ConfigMap. */
    public static final String NO_OBJECT = "none";

    /** Many times what a configuration of 1 MiB takes as JSON; a broken file must not cost the agent its memory. */
    private static final long MOST_BYTES = 8 << 20;

    private static final Duration FIRST_WAIT = Duration.ofSeconds(1);
    private static final Duration LONGEST_WAIT = Duration.ofMinutes(5);

    private final Path directory;
    private final Path file;
    private final Clock clock;
    private Optional<LastGood> known = Optional.empty();
    private Optional<Unsaved> unsaved = Optional.empty();
    private Optional<String> unread = Optional.empty();

    /** A state that could not be stored yet; {@code pause} is the time from the last try, at {@code tried}, to the next. */
    private record Unsaved(LastGood state, String why, Instant tried, Duration pause) {}

    /**
     * What was in force at the last success.
     *
     * @param configText the configuration text; empty when there was none
     * @param profile the profile with flags applied, as YAML
     * @param chain the nat chain that was written
     * @param backend the backend that wrote it, for example {@code iptables-nft}
     * @param resourceVersion of the ConfigMap that held the text, or {@link #NO_OBJECT}; empty when a file decided
     */
    public record LastGood(
            Optional<String> configText,
            String profile,
            String chain,
            String backend,
            Optional<String> resourceVersion) {}

    public StateStore(Path directory) {
        this(directory, SteadyClock.system());
    }

    /**
     * @param clock measures the time between two tries to write
     */
    public StateStore(Path directory, Clock clock) {
        this.directory = directory;
        this.file = directory.resolve("last-good.json");
        this.clock = clock;
    }

    /** The stored state; empty if there is none or it cannot be read, in which case {@link #issue} has the reason. */
    public synchronized Optional<LastGood> load() {
        try {
            Map<String, String> values = JsonReader.strings(text());
            String profile = values.get("profile");
            String chain = values.get("chain");
            String backend = values.get("backend");
            if (profile == null || chain == null || backend == null) {
                unread = Optional.of(file + " is incomplete and is not used");
                return Optional.empty();
            }
            unread = Optional.empty();
            known = Optional.of(new LastGood(
                    Optional.ofNullable(values.get("configText")),
                    profile,
                    chain,
                    backend,
                    Optional.ofNullable(values.get("resourceVersion"))));
        } catch (NoSuchFileException e) {
            known = Optional.empty();
            unread = Optional.empty();
        } catch (IOException e) {
            unread = Optional.of(file + " cannot be read and is not used: " + e.getMessage());
        }
        return known;
    }

    private String text() throws IOException {
        long size = Files.size(file);
        if (size > MOST_BYTES) {
            throw new IOException("it has " + size + " bytes, far more than any state");
        }
        return Files.readString(file);
    }

    /**
     * Stores {@code state} if it is not stored. Without a usable directory the agent goes on, and {@link #retry}
     * tries again.
     */
    public synchronized void save(LastGood state) {
        boolean stored = known.equals(Optional.of(state)) && unread.isEmpty() && Files.exists(file);
        if (stored) {
            unsaved = Optional.empty();
        } else if (unsaved.map(Unsaved::state).equals(Optional.of(state))) {
            retry();
        } else {
            attempt(state);
        }
    }

    /** Tries again to store what could not be stored, if the time has come: after 1 s, 2 s and so on up to 5 min. */
    public synchronized void retry() {
        unsaved.filter(state -> !clock.instant().isBefore(state.tried().plus(state.pause())))
                .ifPresent(state -> attempt(state.state()));
    }

    /** How long to wait between two tries; empty while nothing is to be tried again. */
    public synchronized Optional<Duration> retryDelay() {
        return unsaved.map(Unsaved::pause);
    }

    private void attempt(LastGood state) {
        try {
            write(JsonText.pretty(JsonText.object(
                    "configText", state.configText(),
                    "profile", state.profile(),
                    "chain", state.chain(),
                    "backend", state.backend(),
                    "resourceVersion", state.resourceVersion())));
            known = Optional.of(state);
            unsaved = Optional.empty();
            unread = Optional.empty();
        } catch (IOException e) {
            Duration twice =
                    unsaved.map(before -> before.pause().multipliedBy(2)).orElse(FIRST_WAIT);
            unsaved = Optional.of(new Unsaved(
                    state,
                    "state directory " + directory + " cannot be written ("
                            + e.getClass().getSimpleName() + ": " + e.getMessage()
                            + "): the last good configuration will not survive a restart",
                    clock.instant(),
                    twice.compareTo(LONGEST_WAIT) < 0 ? twice : LONGEST_WAIT));
        }
    }

    private void write(String text) throws IOException {
        Files.createDirectories(directory);
        Path fresh = file.resolveSibling(file.getFileName() + ".new");
        try {
            try (FileChannel channel = FileChannel.open(
                    fresh, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
                ByteBuffer bytes = ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
                while (bytes.hasRemaining()) {
                    channel.write(bytes);
                }
                channel.force(true);
            }
            Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            discard(fresh, e);
            throw e;
        }
    }

    /** Half a file is of no use, and on a full disk in the way. */
    private static void discard(Path half, IOException because) {
        try {
            Files.deleteIfExists(half);
        } catch (IOException e) {
            because.addSuppressed(e);
        }
    }

    /** When the state was last written; empty if there is none. */
    public Optional<Instant> savedAt() {
        return FileSource.modified(file);
    }

    /** Forgets the stored state, for clean-up. */
    public synchronized void forget() throws IOException {
        Files.deleteIfExists(file);
        known = Optional.empty();
        unsaved = Optional.empty();
    }

    /** What is wrong with the directory; empty while nothing is. */
    public synchronized Optional<String> issue() {
        return unsaved.map(Unsaved::why).or(() -> unread);
    }
}
