package net.ipmasq.dataplane;

import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Reads small files of the node, under {@code /proc} for the most part. */
public interface NodeFiles {

    /** The file's text; empty if it does not exist or cannot be read, which for these files means the same. */
    Optional<String> read(String path);

    /** Whether the file exists; works without a free file descriptor, which reading needs. */
    default boolean exists(String path) {
        return read(path).isPresent();
    }

    /**
     * Whether a file has some text in any of the folders of a directory. Reads one after the other until one has it; a file
     * that is not there or cannot be read has none.
     *
     * @param but names of folders to leave out
     * @param file name of the file in each folder
     */
    default boolean any(String directory, Set<String> but, String file, Predicate<String> text) {
        return false;
    }
}
