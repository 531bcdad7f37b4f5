package net.ipmasq.agent;

import java.util.Optional;
import net.ipmasq.profile.ProviderProfile;

/** Where the provider's profile comes from; it can change while the agent runs. */
public interface ProfileSource {

    /**
     * What the source reports now; never blocks. Absent means that nobody overrides the profile of the settings. While it is
     * unknown, no configuration may be judged.
     */
    SourceReading<Selected> read();

    /**
     * The profile to use, with flags applied.
     *
     * @param issue why it is not the one that the provider wants; empty if it is
     */
    record Selected(ProviderProfile profile, Optional<String> issue) {}

    /** Reports that the profile of the settings is the only one. */
    static ProfileSource none() {
        return () -> new SourceReading.Absent<>(false);
    }
}
