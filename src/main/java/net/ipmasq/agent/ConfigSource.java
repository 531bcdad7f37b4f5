package net.ipmasq.agent;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.config.Problem;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.ProviderProfile;
import org.jspecify.annotations.Nullable;

/** Where the configuration text comes from. */
public interface ConfigSource {

    /** What the source reports now; never blocks for long and never throws. */
    SourceReading<Content> read();

    /** Where it looks, for people. */
    String where();

    /**
     * Which state of an API object a text is. Two agents that saw the same edit hold the same version.
     *
     * @param uid the object's, new when it is deleted and made again
     */
    record Version(String uid, String resourceVersion) {}

    /** What a source holds. */
    sealed interface Content {
        /** Empty for a file. */
        Optional<Version> version();
    }

    /** The text, as bytes since they may be no valid UTF-8. */
    @SuppressWarnings("ArrayRecordComponent")
    record Text(byte[] bytes, Optional<Version> version) implements Content {

        /** The text of a file. */
        public Text(byte[] bytes) {
            this(bytes, Optional.empty());
        }

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof Text text && Arrays.equals(bytes, text.bytes) && version.equals(text.version);
        }

        @Override
        public int hashCode() {
            return Arrays.hashCode(bytes);
        }
    }

    /** An object is there, but its data cannot be a configuration: the problems give the reason. */
    record Unusable(List<Problem> problems, Optional<Version> version) implements Content {
        public Unusable {
            problems = List.copyOf(problems);
        }
    }

    /** What a reading means under a profile. */
    static ConfigOutcome judge(SourceReading<Content> reading, ProviderProfile profile) {
        return switch (reading) {
            case SourceReading.Unknown<Content> unknown -> new ConfigOutcome.Unknown(unknown.why());
            case SourceReading.Absent<Content> absent -> new ConfigOutcome.Absent();
            case SourceReading.Present<Content>(Unusable unusable) -> new ConfigOutcome.Invalid(unusable.problems());
            case SourceReading.Present<Content>(Text text) ->
                ConfigJudge.judge(ConfigReader.read(text.bytes()), profile);
        };
    }
}
