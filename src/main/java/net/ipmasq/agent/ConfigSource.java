package net.ipmasq.agent;

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

    /** It answered that there is none. */
    record Absent() implements Reading {}

    /** The text, as bytes since they may be no valid UTF-8. */
    @SuppressWarnings("ArrayRecordComponent")
    record Text(byte[] bytes) implements Reading {
        @Override
        public boolean equals(@org.jspecify.annotations.Nullable Object other) {
            return other instanceof Text text && java.util.Arrays.equals(bytes, text.bytes);
        }

        @Override
        public int hashCode() {
            return java.util.Arrays.hashCode(bytes);
        }
    }
}
