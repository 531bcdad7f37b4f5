package net.ipmasq.agent.kube;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.StateStore;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.profile.ConfigMapRef;

/**
 * The user's ConfigMap from the API, and while that has not answered yet, the mounted file where that cannot be older
 * than what was in force before (docs/adr/0010). Once the API has answered, its last answer holds.
 */
final class ClusterConfig implements ConfigSource {
    /** A kubelet writes an edit into the mount within a minute or two; a file written later than that is newer. */
    private static final Duration KUBELET_LAG = Duration.ofMinutes(2);

    private final Watched watched;
    private final ConfigMapRef ref;
    private final Optional<FileSource> fallback;
    private final StateStore store;

    /**
     * @param fallback the mounted file; empty when only the API counts
     */
    ClusterConfig(Watched watched, ConfigMapRef ref, Optional<FileSource> fallback, StateStore store) {
        this.watched = watched;
        this.ref = ref;
        this.fallback = fallback;
        this.store = store;
    }

    @Override
    public String where() {
        return "ConfigMap " + ref.namespace() + "/" + ref.name()
                + fallback.map(file -> " (or " + file.where() + ")").orElse("");
    }

    @Override
    public Reading read() {
        return switch (watched.state()) {
            case Watched.Absent absent -> new Absent(true);
            case Watched.Present present -> reading(present);
            case Watched.Unknown unknown ->
                fallback.map(file -> mounted(file, unknown.why())).orElseGet(() -> new Unknown(unknown.why()));
        };
    }

    private Reading reading(Watched.Present present) {
        Optional<byte[]> bytes = present.bytes("config");
        if (bytes.isPresent()) {
            return new Text(bytes.get(), Optional.of(present.version()));
        }
        // for its keys only
        Map<String, String> data = present.keys().stream().collect(Collectors.toMap(key -> key, key -> ""));
        ConfigOutcome outcome = ConfigReader.readData(data, ref.namespace(), ref.name());
        return outcome instanceof ConfigOutcome.Invalid invalid
                ? new Unusable(invalid.problems(), present.version())
                : new Text(new byte[0], Optional.of(present.version()));
    }

    /** The file's text; a missing file says nothing here, since the object may exist all the same. */
    private Reading mounted(FileSource file, String why) {
        if (!(file.read() instanceof Text text)) {
            return new Unknown(why);
        }
        Optional<StateStore.LastGood> last = store.load();
        boolean fromApi = last.flatMap(StateStore.LastGood::resourceVersion).isPresent();
        boolean same = last.flatMap(StateStore.LastGood::configText)
                .map(good -> good.equals(new String(text.bytes(), StandardCharsets.UTF_8)))
                .orElse(false);
        if (!fromApi || same || isNewer(file.path())) {
            return text;
        }
        return new Unknown(why + "; " + file.where() + " may be older than what was in force before");
    }

    private boolean isNewer(Path file) {
        Optional<Instant> written = FileSource.modified(file);
        Optional<Instant> saved = store.savedAt();
        return written.isPresent()
                && saved.isPresent()
                && written.get().isAfter(saved.get().plus(KUBELET_LAG));
    }

    boolean hasAnswered() {
        return !(watched.state() instanceof Watched.Unknown);
    }
}
