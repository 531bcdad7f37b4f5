package net.ipmasq.dataplane;

import java.util.Optional;

/** Reads small files of the node, under {@code /proc} for the most part. */
public interface NodeFiles {

    /** The file's text; empty if it does not exist or cannot be read, which for these files means the same. */
    Optional<String> read(String path);

    /** Whether the file exists, which can be told where there is no file descriptor left to read it. */
    default boolean exists(String path) {
        return read(path).isPresent();
    }
}
