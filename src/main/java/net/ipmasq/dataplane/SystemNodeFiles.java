package net.ipmasq.dataplane;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** Reads files of this machine. */
public final class SystemNodeFiles implements NodeFiles {
    @Override
    public boolean exists(String path) {
        return Files.exists(Path.of(path));
    }

    @Override
    public Optional<String> read(String path) {
        try {
            return Optional.of(Files.readString(Path.of(path)));
        } catch (IOException e) {
            // for files under /proc, not there and not readable both mean that the kernel does not offer it
            return Optional.empty();
        }
    }
}
