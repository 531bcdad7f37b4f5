package net.ipmasq.dataplane;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Reads files of this machine. */
public final class SystemNodeFiles implements NodeFiles {
    @Override
    public boolean exists(String path) {
        return Files.exists(Path.of(path));
    }

    @Override
    public Optional<String> read(String path) {
        try {
            return text(Path.of(path));
        } catch (InvalidPathException e) {
            // not a file name in this machine's charset
            return Optional.empty();
        }
    }

    @Override
    public boolean any(String directory, Set<String> but, String file, Predicate<String> text) {
        // the entries themselves, not their names: a device's name need not fit the charset
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(Path.of(directory))) {
            for (Path folder : folders) {
                if (!but.contains(String.valueOf(folder.getFileName()))
                        && text(folder.resolve(file)).filter(text).isPresent()) {
                    return true;
                }
            }
            return false;
        } catch (IOException | DirectoryIteratorException e) {
            // treated as a file that cannot be read
            return false;
        }
    }

    private static Optional<String> text(Path path) {
        try {
            return Optional.of(Files.readString(path));
        } catch (IOException e) {
            // under /proc, missing and unreadable both mean that the kernel does not offer it
            return Optional.empty();
        }
    }
}
