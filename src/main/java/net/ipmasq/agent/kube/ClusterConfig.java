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
import net.ipmasq.agent.SourceReading;
import net.ipmasq.agent.StateStore;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.profile.ConfigMapRef;

/**
 * The user's ConfigMap from the API, and while that has not answered yet, the mounted file where that cannot be older
 * than what was in force before (docs/adr/0009). Once the API has answered, its last answer holds.
 */
final class ClusterConfig implements ConfigSource {
    /** A kubelet writes an edit into the mount within a minute or two; a file written later than that is newer. */
    private static final Duration KUBELET_LAG = Duration.ofMinutes(2);

    private final ConfigMapCache watched;
    private final ConfigMapRef ref;
    private final Optional<FileSource> fallback;
    private final StateStore store;

    /**
     * @param fallback the mounted file; empty when only the API is used
     */
    ClusterConfig(ConfigMapCache watched, ConfigMapRef ref, Optional<FileSource> fallback, StateStore store) {
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
    public SourceReading<Content> read() {
        return switch (watched.reading()) {
            case SourceReading.Absent<ConfigMapData>(boolean byApi) -> new SourceReading.Absent<>(byApi);
            case SourceReading.Present<ConfigMapData>(ConfigMapData map) -> new SourceReading.Present<>(content(map));
            case SourceReading.Unknown<ConfigMapData>(String why) ->
                fallback.map(file -> mounted(file, why)).orElseGet(() -> new SourceReading.Unknown<>(why));
        };
    }

    private Content content(ConfigMapData map) {
        Optional<Version> version = Optional.of(map.version());
        Optional<byte[]> bytes = map.bytes("config");
        if (bytes.isPresent()) {
            return new Text(bytes.get(), version);
        }
        // only the keys matter here
        Map<String, String> data = map.keys().stream().collect(Collectors.toMap(key -> key, key -> ""));
        ConfigOutcome outcome = ConfigReader.readData(data, ref.namespace(), ref.name());
        return outcome instanceof ConfigOutcome.Invalid invalid
                ? new Unusable(invalid.problems(), version)
                : new Text(new byte[0], version);
    }

    /** The file's text; a missing file means nothing here, since the object may exist all the same. */
    private SourceReading<Content> mounted(FileSource file, String why) {
        SourceReading<Content> mounted = file.read();
        if (!(mounted instanceof SourceReading.Present<Content>(Text text))) {
            return new SourceReading.Unknown<>(why);
        }
        Optional<StateStore.LastGood> last = store.load();
        boolean fromApi = last.flatMap(StateStore.LastGood::resourceVersion).isPresent();
        boolean same = last.flatMap(StateStore.LastGood::configText)
                .map(good -> good.equals(new String(text.bytes(), StandardCharsets.UTF_8)))
                .orElse(false);
        if (!fromApi || same || isNewer(file.path())) {
            return mounted;
        }
        return new SourceReading.Unknown<>(why + "; " + file.where() + " may be older than what was in force before");
    }

    private boolean isNewer(Path file) {
        Optional<Instant> written = FileSource.modified(file);
        Optional<Instant> saved = store.savedAt();
        return written.isPresent()
                && saved.isPresent()
                && written.get().isAfter(saved.get().plus(KUBELET_LAG));
    }

    boolean hasAnswered() {
        return watched.hasAnswered();
    }
}
