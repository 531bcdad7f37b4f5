package net.ipmasq.agent;

import java.util.List;
import java.util.Optional;
import net.ipmasq.config.Problem;

/** Where the configuration text comes from. */
public interface ConfigSource {

    /** What the source says now; never blocks for long and never throws. */
    Reading read();

    /** Where it looks, for people. */
    String where();

    /** What a source said. */
    sealed interface Reading {}

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
