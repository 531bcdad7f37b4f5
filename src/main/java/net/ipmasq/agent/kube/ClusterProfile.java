package net.ipmasq.agent.kube;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import net.ipmasq.agent.ProfileSource;
import net.ipmasq.agent.StateStore;
import net.ipmasq.config.Problem;
import net.ipmasq.profile.ConfigMapRef;
import net.ipmasq.profile.ProfileOverrides;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import org.jspecify.annotations.Nullable;

/** The provider's optional ConfigMap over the process' own profile, flags over both. */
final class ClusterProfile implements ProfileSource {
    /** The key that holds the profile's YAML. */
    static final String KEY = "profile";

    /** No message names more. */
    private static final int MOST_KEYS = 20;

    private final Watched watched;
    private final ClusterConfig config;
    private final ConfigMapRef ref;
    private final ProviderProfile own;
    private final ProfileOverrides flags;
    private final StateStore store;
    private final boolean mayFallBack;
    private @Nullable Known lastValid;

    /**
     * @param own the process' profile, flags not yet applied
     * @param mayFallBack whether the mounted file counts while the API has not answered
     */
    ClusterProfile(
            Watched watched,
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
    public synchronized Reading read() {
        return switch (watched.state()) {
            case Watched.Absent absent -> valid(own);
            case Watched.Present present -> of(present);
            case Watched.Unknown unknown ->
                mayFallBack && !config.hasAnswered() ? stored() : new Unknown(unknown.why());
        };
    }

    private Known valid(ProviderProfile profile) {
        Known known = new Known(flags.applyTo(profile), Optional.empty());
        lastValid = known;
        return known;
    }

    private Reading of(Watched.Present present) {
        Optional<byte[]> yaml = present.bytes(KEY);
        if (yaml.isEmpty()) {
            return invalid("it has no key '" + KEY + "'; keys found: "
                    + (present.keys().isEmpty()
                            ? "none"
                            : String.join(
                                    ", ",
                                    present.keys().stream().limit(MOST_KEYS).toList())));
        }
        return switch (ProfileReader.read(yaml.get(), ref.name())) {
            case ProfileReader.Good good -> valid(good.profile());
            case ProfileReader.Bad bad ->
                invalid(String.join("; ", bad.findings().lines(Problem::oneLine)));
        };
    }

    /** A bad profile changes nothing: the last valid one stays, or the one stored, or the process' own. */
    private Known invalid(String why) {
        Known before = lastValid;
        ProviderProfile profile = before != null ? before.profile() : stored().profile();
        return new Known(
                profile,
                Optional.of("profile ConfigMap " + ref.namespace() + "/" + ref.name() + " is not valid, "
                        + profile.name() + " stays in use: " + why));
    }

    private Known stored() {
        return store.load()
                .map(last -> ProfileReader.read(last.profile().getBytes(StandardCharsets.UTF_8), own.name()))
                .filter(ProfileReader.Good.class::isInstance)
                .map(good -> new Known(flags.applyTo(((ProfileReader.Good) good).profile()), Optional.empty()))
                .orElseGet(() -> new Known(flags.applyTo(own), Optional.empty()));
    }
}
