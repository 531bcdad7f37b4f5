package net.ipmasq.image;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.Artifact;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.PackagedAgent;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The container image of the native binary under test: no Java, and the agent at work from it under a pod's rights. */
@PackagedAgent
@NeedsKernel(tools = {"ip", "iptables-nft", "nft", "curl", "setpriv", "unshare", "mount", "chroot"})
class NativeImageIT {
    private static final Path BUILT = Path.of("target", "image");

    @TempDir
    static Path unpacked;

    private static OciImage image;
    private static Path root;

    @TempDir
    Path dir;

    @BeforeAll
    static void build() throws IOException {
        assumeTrue(Artifact.underTest().isNative(), "the agent under test is a jar");
        Shell.run(
                "./dev",
                "image",
                "--native",
                Artifact.underTest().binary().orElseThrow().toString());
        image = OciImage.read(
                BUILT.resolve("ip-masq-agent.oci.tar"), Files.createDirectory(unpacked.resolve("layout")));
        root = unpacked.resolve("root");
        image.unpack(root);
    }

    @Test
    void isSmallAndHoldsNoJava() throws IOException {
        assertThat(image.entrypoint()).containsExactly("/opt/ip-masq-agent/ip-masq-agent");
        assertThat(image.layerDigests()).hasSize(2);
        assertThat(root.resolve("opt/jre")).doesNotExist();
        try (Stream<Path> files = Files.list(root.resolve("opt/ip-masq-agent"))) {
            assertThat(files.map(file -> file.getFileName().toString()))
                    .allMatch(name -> name.equals("ip-masq-agent") || name.matches("lib[a-z_]+\\.so"));
        }
        assertThat(Files.size(BUILT.resolve("ip-masq-agent.oci.tar")) >> 20)
                .as("MiB of the compressed image")
                .isLessThanOrEqualTo(30);
    }

    @Test
    void servesFromTheImage() throws IOException {
        try (NetNs ns = NetNs.create()) {
            ImagePod pod = new ImagePod(image, root, dir);
            Files.writeString(pod.config().resolve("ip-masq-agent"), "nonMasqueradeCIDRs: [10.77.0.0/16]\n");
            try (AgentProcess agent =
                    AgentProcess.startCommand(ns, Map.of(), pod.command(ns.lockFile(), List.of(), "run"))) {
                agent.awaitLine("rules in place");
                Eventually.holds(
                        "ready",
                        () -> ns.sh("curl -s http://127.0.0.1:19180/q/health/ready || true"),
                        value -> value.contains("\"UP\""));
                AgentProcess.Result status = AgentProcess.runCommand(
                        ns, Map.of(), pod.commandOf(ns.lockFile(), "/usr/bin/cce-ip-masq-agent", "status"));
                assertThat(status.code()).as("%s", status).isZero();
                assertThat(status.out()).contains("in sync         true", "10.77.0.0/16");
                agent.terminate();
            }
        }
    }
}
