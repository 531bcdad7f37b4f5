package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A file that is being written in place is never taken for the empty text that it holds for a moment. */
class HalfWrittenTest {
    private static final String TEXT = "nonMasqueradeCIDRs: [10.0.0.0/8]\n";
    private static final int WRITES = 200;

    @TempDir
    Path dir;

    @Test
    void rewritingInPlaceNeverShowsAnEmptyText() throws IOException, InterruptedException {
        Path file = Files.writeString(dir.resolve("config"), TEXT);
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(60)));
        FileSource source = new FileSource(file, Duration.ofSeconds(10));
        CountDownLatch started = new CountDownLatch(1);
        Thread writer = Thread.ofPlatform().start(() -> {
            for (int i = 0; i < WRITES; i++) {
                try {
                    Files.writeString(file, TEXT);
                } catch (IOException e) {
                    throw new java.io.UncheckedIOException(e);
                }
                started.countDown();
            }
        });
        started.await();
        SourceReading<ConfigSource.Content> whole =
                new SourceReading.Present<>(new ConfigSource.Text(TEXT.getBytes(StandardCharsets.UTF_8)));
        while (writer.isAlive()) {
            SourceReading<ConfigSource.Content> reading = source.read();
            // on a busy machine every look can meet a write; saying so is no wrong text
            if (!(reading instanceof SourceReading.Unknown<ConfigSource.Content>(String why)
                    && why.endsWith("is being written all the time"))) {
                assertThat(reading).isEqualTo(whole);
            }
        }
        writer.join();
        assertThat(source.read()).isEqualTo(whole);
    }

    @Test
    void aFileThatIsEmptyAndStaysSoIsAnEmptyText() throws IOException {
        Path file = Files.writeString(dir.resolve("config"), "");
        assertThat(new FileSource(file, Duration.ofSeconds(10)).read())
                .isEqualTo(new SourceReading.Present<>(new ConfigSource.Text(new byte[0])));
    }
}
