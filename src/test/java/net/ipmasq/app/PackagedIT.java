package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.quarkus.test.junit.main.Launch;
import io.quarkus.test.junit.main.LaunchResult;
import io.quarkus.test.junit.main.QuarkusMainIntegrationTest;
import org.junit.jupiter.api.Test;

/** The packaged artifact, jar or native binary, as Quarkus launches it. */
@QuarkusMainIntegrationTest
class PackagedIT {

    @Test
    @Launch({"profile", "list"})
    void holdsTheProfiles(LaunchResult result) {
        assertThat(result.getOutput()).contains("cce", "gke", "upstream");
    }

    @Test
    @Launch({"render", "--profile", "gke"})
    void rendersWithoutAnyFile(LaunchResult result) {
        assertThat(result.getOutput()).contains(":IP-MASQ - [0:0]", "-d 240.0.0.0/4", "--random-fully");
    }

    @Test
    @Launch(
            value = {"explain", "nowhere"},
            exitCode = 2)
    void endsWithTheCodeOfTheCommand(LaunchResult result) {
        assertThat(result.getErrorOutput()).contains("'nowhere'");
    }
}
