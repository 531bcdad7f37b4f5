package net.ipmasq.agent;

import java.util.List;
import java.util.Optional;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.config.Problem;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.ProviderProfile;

/** Where the configuration text comes from. */
public interface ConfigSource {

    /** What the source says now; never blocks for long and never throws. */
    Reading read();

    /** Where it looks, for people. */
    String where();

    /** What a source said. */
    sealed interface Reading {

        /** What it means under a profile. */
        default ConfigOutcome judge(ProviderProfile profile) {
            return switch (this) {
                case Unknown unknown -> new ConfigOutcome.Unknown(unknown.why());
                case Absent absent -> new ConfigOutcome.Absent();
                case Unusable unusable -> new ConfigOutcome.Invalid(unusable.problems());
                case Text text -> ConfigJudge.judge(ConfigReader.read(text.bytes()), profile);
            };
        }
    }

    /** It has not answered. */
    record Unknown(String why) implements Reading {}

    /**
     * It answered that there is none.
     *
     * @param byApi whether the API server said so, which outweighs an older file
     */
    record Absent(boolean byApi) implements Reading {
        /** There is no file. */
        public Absent() {
            this(false);
        }
    }

    /**
     * Which state of an API object a text is. Two agents that saw the same edit hold the same version.
     *
     * @param uid the object's, new when it is deleted and made again
     */
    record Version(String uid, String resourceVersion) {}

    /**
     * The text, as bytes since they may be no valid UTF-8.
     *
     * @param version empty for a file
     */
    @SuppressWarnings("ArrayRecordComponent")
    record Text(byte[] bytes, Optional<Version> version) implements Reading {

        /** The text of a file. */
        public Text(byte[] bytes) {
            this(bytes, Optional.empty());
        }

        @Override
        public boolean equals(@org.jspecify.annotations.Nullable Object other) {
            return other instanceof Text text
                    && java.util.Arrays.equals(bytes, text.bytes)
                    && version.equals(text.version);
        }

        @Override
        public int hashCode() {
            return java.util.Arrays.hashCode(bytes);
        }
    }

    /** An object is there, but its data cannot be a configuration: the problems say why. */
    record Unusable(List<Problem> problems, Version version) implements Reading {
        public Unusable {
            problems = List.copyOf(problems);
        }
    }
}
