package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.lab.Artifact;
import net.ipmasq.lab.PackagedAgent;
import net.ipmasq.lab.Programs;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged artifact, jar or native binary: what it brings along, without any file of this machine. */
@PackagedAgent
class PackagedIT {
    private static Exited run(String... args) {
        return (Exited) Programs.run(Artifact.underTest().command(args), "", Map.of(), Duration.ofSeconds(60));
    }

    @Test
    void holdsTheProfiles() {
        assertThat(run("profile", "list").stdout()).contains("cce", "gke", "upstream");
    }

    @Test
    void rendersWithTheProfileItBrings(@TempDir Path dir) throws IOException {
        Path config = Files.writeString(dir.resolve("config"), "masqLinkLocal: false\n");
        assertThat(run("render", "--profile", "gke", "--config", config.toString())
                        .stdout())
                .contains(":IP-MASQ - [0:0]", "-d 240.0.0.0/4", "--random-fully");
    }

    @Test
    void endsWithTheCodeOfTheCommand(@TempDir Path dir) {
        Exited result =
                run("explain", "nowhere", "--config", dir.resolve("config").toString());
        assertThat(result.code()).isEqualTo(2);
        assertThat(result.stderr()).contains("'nowhere'");
    }
}
