package net.ipmasq.agent;

import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import net.ipmasq.agent.ProfileSource.Selected;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.profile.ProviderProfile;
import org.jspecify.annotations.Nullable;

/**
 * Reads the sources and judges the answers, one reader at a time and apart from passes: a source that hangs or a text that
 * takes long to judge delays only its reader. Readers run one after the other, so that an older answer never replaces a
 * newer one.
 */
final class ConfigLoader {
    private final ConfigSource source;
    private final ProfileSource profiles;
    private final Selected ofSettings;
    private final ReentrantLock reading = new ReentrantLock();
    private Selected selected;
    private volatile @Nullable Judged latest;

    /** What both sources reported at one moment. */
    record Inputs(SourceReading<ConfigSource.Content> config, SourceReading<Selected> profile) {}

    /**
     * What that means.
     *
     * @param inputs as they were read; their content decides whether there is something new
     * @param reading the configuration's part, unknown while the profile is
     * @param profile under which it was judged
     * @param profileIssue why it is not the profile that the provider wants; empty if it is
     */
    record Judged(
            Inputs inputs,
            SourceReading<ConfigSource.Content> reading,
            ProviderProfile profile,
            Optional<String> profileIssue,
            ConfigOutcome outcome) {}

    /**
     * @param profile of the settings: in use until {@code profiles} has answered, and where it has none
     */
    ConfigLoader(ConfigSource source, ProfileSource profiles, ProviderProfile profile) {
        this.source = source;
        this.profiles = profiles;
        this.ofSettings = new Selected(profile, Optional.empty());
        this.selected = ofSettings;
    }

    /** The last answer, without asking; empty before the first one. */
    Optional<Judged> latest() {
        return Optional.ofNullable(latest);
    }

    /** Asks the sources, after any reader that is asking them already. */
    Judged read() {
        reading.lock();
        try {
            return readNow();
        } finally {
            reading.unlock();
        }
    }

    /** Asks the sources, or returns the last answer while another reader is asking; waits only for the first answer. */
    Judged readUnlessBusy() {
        Judged known = latest;
        if (known != null && !reading.tryLock()) {
            return known;
        }
        if (known == null) {
            return read();
        }
        try {
            return readNow();
        } finally {
            reading.unlock();
        }
    }

    private Judged readNow() {
        Inputs inputs = new Inputs(source.read(), profiles.read());
        Judged before = latest;
        if (before != null && before.inputs.equals(inputs)) {
            return before;
        }
        Judged judged = judge(inputs, before);
        latest = judged;
        return judged;
    }

    private Judged judge(Inputs inputs, @Nullable Judged before) {
        SourceReading<ConfigSource.Content> config = inputs.config;
        switch (inputs.profile) {
            // a configuration means nothing without the profile that it completes
            case SourceReading.Unknown<Selected>(String why) -> config = new SourceReading.Unknown<>(why);
            case SourceReading.Absent<Selected> absent -> selected = ofSettings;
            case SourceReading.Present<Selected>(Selected present) -> selected = present;
        }
        ProviderProfile profile = selected.profile();
        boolean same = before != null && before.reading.equals(config) && before.profile.equals(profile);
        return new Judged(
                inputs,
                config,
                profile,
                selected.issue(),
                same && before != null ? before.outcome : ConfigSource.judge(config, profile));
    }
}
