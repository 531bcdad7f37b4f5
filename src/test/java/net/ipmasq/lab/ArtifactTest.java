package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArtifactTest {
    @TempDir
    private Path directory;

    private Path program(String name) throws IOException {
        Path file = Files.writeString(directory.resolve(name), "#!/bin/sh\n");
        assertThat(file.toFile().setExecutable(true)).isTrue();
        return file;
    }

    private static Artifact named(Map<String, String> properties, Map<String, String> environment) {
        return Artifact.named(properties::get, environment::get);
    }

    @Test
    void theBinaryThatIsNamedIsStartedAndItsNameIsTheWholeProgram() throws IOException {
        Path one = program("one");
        Path two = program("two");
        Artifact property = named(
                Map.of("ip-masq.binary", one.toString(), "ip-masq.jar", "some.jar"),
                Map.of("IP_MASQ_BINARY", two.toString()));
        assertThat(property.command("run", "--once")).containsExactly(one.toString(), "run", "--once");
        Artifact variable = named(
                Map.of("ip-masq.binary", "", "ip-masq.jar", "some.jar"), Map.of("IP_MASQ_BINARY", two.toString()));
        assertThat(variable.isNative()).isTrue();
        assertThat(variable.command("status")).containsExactly(two.toString(), "status");
        assertThat(variable.fleetCommand("--version"))
                .startsWith(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString())
                .endsWith("net.ipmasq.bundle.cli.Fleet", "--version");
        assertThat(variable.onJvm().command("status"))
                .endsWith("-jar", Path.of("some.jar").toAbsolutePath().toString(), "status");
    }

    @Test
    void elseTheJarElseTheseClasses() {
        Artifact jar = named(Map.of("ip-masq.binary", "", "ip-masq.jar", "some.jar"), Map.of("IP_MASQ_BINARY", ""));
        assertThat(jar.isNative()).isFalse();
        assertThat(jar.command("run"))
                .contains("-Xmx96m")
                .endsWith("-jar", Path.of("some.jar").toAbsolutePath().toString(), "run");
        assertThat(named(Map.of(), Map.of()).command("run"))
                .endsWith("-cp", System.getProperty("java.class.path"), "net.ipmasq.app.Main", "run");
    }

    /** The jar in its place would be a green run of something else. */
    @Test
    void oneThatCannotBeStartedIsAnError() throws IOException {
        Path text = Files.writeString(directory.resolve("text"), "no program");
        for (Path wrong : new Path[] {directory.resolve("none"), directory, text}) {
            assertThatThrownBy(() -> named(Map.of("ip-masq.jar", "x"), Map.of("IP_MASQ_BINARY", wrong.toString())))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContainingAll(wrong.toString(), "./dev native", "IP_MASQ_BINARY");
        }
    }
}
