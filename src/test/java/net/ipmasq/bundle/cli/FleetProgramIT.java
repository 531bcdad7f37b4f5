package net.ipmasq.bundle.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.ipmasq.bundle.Bundle;
import net.ipmasq.lab.Artifact;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher of the operator's program, from a directory as its archive unpacks to. */
class FleetProgramIT {
    @TempDir
    Path dir;

    @Test
    void startsFromWhereItWasUnpackedTo() throws Exception {
        Path launcher = Files.copy(
                Path.of("scripts/ip-masq-fleet"),
                dir.resolve("ip-masq-fleet"),
                java.nio.file.StandardCopyOption.COPY_ATTRIBUTES);
        Path jar = Artifact.underTest().jar().orElseThrow();
        Files.createSymbolicLink(dir.resolve("quarkus-app"), jar.getParent());
        Path onPath = Files.createSymbolicLink(dir.resolve("link"), launcher);
        // outside of the bundle's checkout, with Helm's engine from the jars beside it
        assertThat(run(
                        onPath,
                        "bundle",
                        "render",
                        "--bundle",
                        Bundle.ROOT.toAbsolutePath().toString()))
                .contains("kind: DaemonSet");
        assertThat(run(onPath, "--version")).startsWith("ip-masq-fleet ");
        // a home without a kubeconfig: nothing is asked of a cluster that nobody named
        assertThat(run(2, onPath, "bundle", "preflight"))
                .startsWith("ip-masq-fleet: no kubeconfig was found (" + dir.resolve(".kube/config"))
                .contains("--kubeconfig FILE");
    }

    private String run(Path program, String... args) throws IOException, InterruptedException {
        return run(0, program, args);
    }

    private String run(int code, Path program, String... args) throws IOException, InterruptedException {
        List<String> line = new java.util.ArrayList<>(List.of(program.toString()));
        line.addAll(List.of(args));
        Path out = dir.resolve("out");
        ProcessBuilder builder = new ProcessBuilder(line)
                .directory(dir.toFile())
                .redirectOutput(out.toFile())
                .redirectErrorStream(true);
        builder.environment().keySet().removeIf(name -> name.startsWith("KUBE"));
        builder.environment().put("HOME", dir.toString());
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        assertThat(builder.start().waitFor()).isEqualTo(code);
        return Files.readString(out, StandardCharsets.UTF_8);
    }
}
