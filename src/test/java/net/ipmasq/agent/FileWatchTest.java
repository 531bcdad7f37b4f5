package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.Slow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Slow
class FileWatchTest {
    @TempDir
    private Path directory;

    /** What a pass throws, or one of those who listen to it, must not be the end of the watch. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aLookThatThrowsIsSaidOnceAndTheEditIsFollowedLater(boolean error) throws IOException {
        Path file = Files.writeString(directory.resolve("config"), "one");
        AtomicReference<String> seen = new AtomicReference<>("");
        List<String> lines = new CopyOnWriteArrayList<>();
        List<String> states = new CopyOnWriteArrayList<>();
        List<Integer> failures = new CopyOnWriteArrayList<>();
        Runnable look = () -> {
            String text = read(file);
            if (text.equals("two") && failures.isEmpty()) {
                failures.add(1);
                if (error) {
                    throw new AssertionError("not built into this image");
                }
                throw new IllegalStateException("a listener");
            }
            seen.set(text);
        };
        new FileWatch(file, () -> false, look, lines::add, states::add).start();
        Eventually.holds("the first", () -> seen.get(), value -> value.equals("one"));
        Files.writeString(file, "two");
        Eventually.holds("the edit that failed", () -> seen.get(), value -> value.equals("two"));
        Files.writeString(file, "three");
        Eventually.holds("the next edit", () -> seen.get(), value -> value.equals("three"));
        assertThat(failures).hasSize(1);
        assertThat(lines).hasSize(2);
        assertThat(lines.getFirst()).contains(error ? "not built" : "a listener");
        assertThat(lines.getLast()).isEqualTo("the configuration file is followed again");
        assertThat(states).as("what status shows").containsExactly(lines.getFirst(), "");
    }

    /** As on a node that has no inotify instance to give; an archive stands in, whose file system has no watches at all. */
    @Test
    void aSystemWithoutWatchesIsSaidOnceAndShown() throws IOException {
        List<String> lines = new CopyOnWriteArrayList<>();
        List<String> states = new CopyOnWriteArrayList<>();
        try (FileSystem archive = FileSystems.newFileSystem(directory.resolve("a.zip"), Map.of("create", "true"))) {
            new FileWatch(archive.getPath("/config"), () -> false, () -> {}, lines::add, states::add).start();
            Eventually.holds("shown", () -> states, value -> !value.isEmpty());
        }
        assertThat(states).hasSize(1);
        assertThat(states.getFirst()).contains("not noticed (java.lang.UnsupportedOperationException");
        assertThat(lines).isEqualTo(states);
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
