package net.ipmasq.bundle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/** Copies of the chart that a test may change, below the build directory. */
final class ChartCopy {
    private ChartCopy() {}

    /** Copies the chart, each file's text as {@code change} makes it. */
    static Path of(UnaryOperator<String> change) {
        try {
            Path copy = Files.createDirectories(Path.of("target", "charts"));
            Path root = Files.createTempDirectory(copy.toAbsolutePath(), "chart");
            try (Stream<Path> files = Files.walk(Bundle.CHART)) {
                for (Path file : files.filter(Files::isRegularFile).toList()) {
                    Path target = root.resolve(Bundle.CHART.relativize(file).toString());
                    Files.createDirectories(target.getParent());
                    Files.writeString(target, change.apply(Bundle.text(file)));
                }
            }
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
