package net.ipmasq.agent.kube;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.ipmasq.agent.ProfileSource;
import net.ipmasq.agent.SourceReading;
import net.ipmasq.agent.StateStore;
import net.ipmasq.config.Problem;
import net.ipmasq.profile.ConfigMapRef;
import net.ipmasq.profile.ProfileOverrides;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import org.jspecify.annotations.Nullable;

/** The provider's optional ConfigMap overrides the profile of the process; flags override both. */
final class ClusterProfile implements ProfileSource {
    /** The key that holds the profile's YAML. */
    static final String KEY = "profile";

    /** No message names more. */
    private static final int MOST_KEYS = 20;

    private final ConfigMapCache watched;
    private final ClusterConfig config;
    private final ConfigMapRef ref;
    private final ProviderProfile own;
    private final ProfileOverrides flags;
    private final StateStore store;
    private final boolean mayFallBack;
    private @Nullable ProviderProfile lastValid;

    /**
     * @param own the profile of the process, flags not yet applied
     * @param mayFallBack whether the mounted file is used while the API has not answered
     */
    ClusterProfile(
            ConfigMapCache watched,
            ClusterConfig config,
            ConfigMapRef ref,
            ProviderProfile own,
            ProfileOverrides flags,
            StateStore store,
            boolean mayFallBack) {
        this.watched = watched;
        this.config = config;
        this.ref = ref;
        this.own = own;
        this.flags = flags;
        this.store = store;
        this.mayFallBack = mayFallBack;
    }

    @Override
    public synchronized SourceReading<Selected> read() {
        return switch (watched.reading()) {
            case SourceReading.Absent<ConfigMapData> absent -> new SourceReading.Present<>(valid(own));
            case SourceReading.Present<ConfigMapData>(ConfigMapData map) -> new SourceReading.Present<>(of(map));
            case SourceReading.Unknown<ConfigMapData>(String why) ->
                mayFallBack && !config.hasAnswered()
                        ? new SourceReading.Present<>(new Selected(stored(), Optional.empty()))
                        : new SourceReading.Unknown<>(why);
        };
    }

    private Selected valid(ProviderProfile profile) {
        ProviderProfile valid = flags.applyTo(profile);
        lastValid = valid;
        return new Selected(valid, Optional.empty());
    }

    private Selected of(ConfigMapData map) {
        Optional<byte[]> yaml = map.bytes(KEY);
        if (yaml.isEmpty()) {
            return invalid("it has no key '" + KEY + "'; keys found: "
                    + (map.keys().isEmpty()
                            ? "none"
                            : String.join(
                                    ", ", map.keys().stream().limit(MOST_KEYS).toList())));
        }
        return switch (ProfileReader.read(yaml.get(), ref.name())) {
            case ProfileReader.Good good -> valid(good.profile());
            case ProfileReader.Bad bad ->
                invalid(String.join("; ", bad.findings().lines(Problem::oneLine)));
        };
    }

    /** A bad profile changes nothing: the last valid one stays, or the stored one, or that of the process. */
    private Selected invalid(String why) {
        ProviderProfile before = lastValid;
        ProviderProfile profile = before != null ? before : stored();
        return new Selected(
                profile,
                Optional.of("profile ConfigMap " + ref.namespace() + "/" + ref.name() + " is not valid, "
                        + profile.name() + " stays in use: " + why));
    }

    private ProviderProfile stored() {
        return store.load()
                .map(last -> ProfileReader.read(last.profile().getBytes(StandardCharsets.UTF_8), own.name()))
                .filter(ProfileReader.Good.class::isInstance)
                .map(good -> flags.applyTo(((ProfileReader.Good) good).profile()))
                .orElseGet(() -> flags.applyTo(own));
    }
}
