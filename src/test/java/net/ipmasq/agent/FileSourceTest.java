package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What stands where the configuration file belongs. */
class FileSourceTest {
    @TempDir
    private Path directory;

    private Path file() {
        return directory.resolve("ip-masq-agent");
    }

    private FileSource source() {
        return new FileSource(file(), Duration.ofSeconds(5));
    }

    @Test
    void nothingIsAbsent() {
        assertThat(source().read()).isInstanceOf(SourceReading.Absent.class);
    }

    @Test
    void aDirectoryIsUnknownAndSaysHowToMount() throws IOException {
        Files.createDirectory(file());
        assertThat(source().read())
                .isInstanceOfSatisfying(
                        SourceReading.Unknown.class,
                        unknown ->
                                assertThat(unknown.why()).contains("is a directory", "items: config -> ip-masq-agent"));
    }

    @Test
    void aPipeDoesNotHoldTheSourceAfterAFileHasTakenItsPlace() throws Exception {
        assertThat(new ProcessBuilder("mkfifo", file().toString()).start().waitFor())
                .isZero();
        FileSource source = source();
        assertThat(source.read()).isInstanceOf(SourceReading.Unknown.class);
        Files.delete(file());
        Files.writeString(file(), "masqOutBound: false\n");
        assertThat(source.read())
                .isEqualTo(new SourceReading.Present<>(
                        new ConfigSource.Text("masqOutBound: false\n".getBytes(StandardCharsets.UTF_8))));
    }
}
