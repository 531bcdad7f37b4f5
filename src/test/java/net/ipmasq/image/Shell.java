package net.ipmasq.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Programs that work on images: minutes at most, and they say why when they fail. */
final class Shell {
    private static final int MINUTES = 10;

    private Shell() {}

    /** Runs a program, which must exit with 0, and returns what it printed on both streams. */
    static String run(Map<String, String> environment, List<String> argv) {
        try {
            Path printed = Files.createTempFile("ipmasq-image-", ".log");
            try {
                ProcessBuilder builder = new ProcessBuilder(argv)
                        .redirectErrorStream(true)
                        .redirectInput(Path.of("/dev/null").toFile())
                        .redirectOutput(printed.toFile());
                builder.environment().putAll(environment);
                Process process = builder.start();
                if (!process.waitFor(MINUTES, TimeUnit.MINUTES)) {
                    // SIGTERM: a script removes what it made
                    process.destroy();
                    throw new AssertionError(argv + " took more than " + MINUTES + " minutes");
                }
                // bytes of any kind: tar names files as they are
                String text = Files.readString(printed, StandardCharsets.ISO_8859_1);
                if (process.exitValue() != 0) {
                    throw new AssertionError(argv + " exited with " + process.exitValue() + ":\n" + text);
                }
                return text;
            } finally {
                Files.delete(printed);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    static String run(String... argv) {
        return run(Map.of(), List.of(argv));
    }
}
