package net.ipmasq.bundle.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import net.ipmasq.bundle.Bundle;

/** A copy of the bundle's directory that a test may change. */
record BundleCopy(Path root) {

    static BundleCopy in(Path directory) {
        try (Stream<Path> files = Files.walk(Bundle.ROOT)) {
            Path root = Files.createTempDirectory(directory, "bundle");
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Path target = root.resolve(Bundle.ROOT.relativize(file).toString());
                Files.createDirectories(target.getParent());
                Files.copy(file, target);
            }
            return new BundleCopy(root);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Replaces a text, which has to be there. */
    BundleCopy replace(String file, String from, String to) {
        String text = Bundle.text(root.resolve(file));
        if (!text.contains(from)) {
            throw new AssertionError(file + " has no " + from);
        }
        return write(file, text.replace(from, to));
    }

    BundleCopy write(String file, String text) {
        try {
            Files.writeString(root.resolve(file), text);
            return this;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Another version everywhere. */
    BundleCopy version(String version) {
        for (String file : new String[] {"addon.yaml", "compatibility.yaml", "chart/Chart.yaml"}) {
            replace(file, Bundle.version(), version);
        }
        return this;
    }
}
