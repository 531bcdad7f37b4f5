package net.ipmasq.agent;

/**
 * What a source reported when it was read last: the configuration, the profile, or one object of the API.
 *
 * @param <T> what is read
 */
public sealed interface SourceReading<T> {

    /**
     * There is no answer yet, or what is there cannot be read. It is not the same as absent.
     *
     * @param why for people, one line
     */
    record Unknown<T>(String why) implements SourceReading<T> {}

    /**
     * The source answered that there is nothing.
     *
     * @param byApi whether the API server reported it, which outweighs an older file
     */
    record Absent<T>(boolean byApi) implements SourceReading<T> {}

    /** What is there. */
    record Present<T>(T value) implements SourceReading<T> {}
}
