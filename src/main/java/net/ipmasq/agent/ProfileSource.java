package net.ipmasq.agent;

import java.util.Optional;
import net.ipmasq.profile.ProviderProfile;

/** Where the provider's profile comes from; it can change while the agent runs. */
public interface ProfileSource {

    /** What holds now; never blocks. */
    Reading read();

    /** What a source said. */
    sealed interface Reading {}

    /** It has not answered: no configuration may be judged before it has. */
    record Unknown(String why) implements Reading {}

    /**
     * The profile with flags applied.
     *
     * @param trouble why it is not the one that the provider wants; empty if it is
     */
    record Known(ProviderProfile profile, Optional<String> trouble) implements Reading {}

    /** A profile that never changes. */
    static ProfileSource of(ProviderProfile profile) {
        Known known = new Known(profile, Optional.empty());
        return () -> known;
    }
}
