package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.PackagedAgent;
import net.ipmasq.lab.Shared;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What leads to the API server is missing or wrong: the agent keeps its rules, says so, and goes on when it is mended. */
@PackagedAgent
@NeedsKernel
@NeedsKube
class BrokenKubeconfigIT {
    @Shared
    private static ClusterRig rig;

    @TempDir
    Path dir;

    @BeforeEach
    void reset() {
        rig.reset();
    }

    @ParameterizedTest
    @CsvSource({
        "'(?s).*', '{ bad: [yaml', is not a kubeconfig",
        "'current-context:.*', 'current-context: nowhere', has no context nowhere",
        "'certificate-authority-data: .*', 'certificate-authority: /nowhere/ca.crt', /nowhere/ca.crt",
        "'token: .*', 'tokenFile: /nowhere/token', /nowhere/token",
        "'token: .*', 'client-certificate: CA\n    client-key: CA', no private key"
    })
    void itGoesOnFromTheFileAndSaysWhyAndRecovers(String part, String instead, String words) throws IOException {
        Path good = rig.kubeconfig();
        String text = Files.readString(good);
        String broken = text.replaceFirst(
                part, instead.replace("CA", rig.api.caCertificate().toString()));
        assertThat(broken).isNotEqualTo(text);
        Path kubeconfig = Files.writeString(dir.resolve("kubeconfig"), broken);
        Files.writeString(dir.resolve("mounted"), ClusterRig.text("10.7.0.0/16"));
        rig.configure("10.8.0.0/16");
        try (AgentProcess agent = rig.start(dir, "auto", kubeconfig)) {
            assertThat(agent.awaitLine("code=ApiUnreachable")).contains(words);
            rig.await("10.7.0.0/16");
            rig.flushAndAwaitHealing(1, "10.7.0.0/16");
            assertThat(rig.status()).contains("ApiUnreachable");
            Files.copy(good, dir.resolve("fresh"));
            Files.move(dir.resolve("fresh"), kubeconfig, StandardCopyOption.ATOMIC_MOVE);
            rig.await("10.8.0.0/16");
            agent.awaitLine("no longer: ApiUnreachable");
            assertThat(agent.isAlive()).isTrue();
        }
    }

    /** What kubectl takes; the client (7.5) answers "Invalid DER". */
    @ParameterizedTest
    @CsvSource({
        "ecparam -name prime256v1 -genkey, EC PARAMETERS",
        "genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256, PRIVATE KEY"
    })
    void anEcClientKeyIsTaken(String how, String first) throws IOException {
        Path key = dir.resolve("key");
        Path certificate = dir.resolve("crt");
        Path authority = rig.api.caCertificate();
        rig.ns.sh("openssl " + how + " -out " + key);
        rig.ns.sh("openssl req -new -key " + key + " -subj /O=system:masters/CN=me | openssl x509 -req -days 30 -CA "
                + authority + " -CAkey " + authority.resolveSibling("ca.key") + " -CAcreateserial -out " + certificate);
        assertThat(Files.readString(key)).startsWith("-----BEGIN " + first);
        Path kubeconfig = Files.writeString(
                dir.resolve("kubeconfig"),
                Files.readString(rig.api.adminKubeconfig())
                        .replaceFirst("token: .*", "client-certificate: " + certificate + "\n    client-key: " + key));
        rig.configure("10.8.0.0/16");
        try (AgentProcess agent = rig.start(dir, "kubernetes", kubeconfig)) {
            agent.awaitLine("is in force");
            rig.await("10.8.0.0/16");
            assertThat(agent.lines()).noneMatch(line -> line.contains("ApiUnreachable"));
        }
        AgentProcess.Result result =
                AgentProcess.runFleet(rig.ns, "bundle", "preflight", "--kubeconfig", kubeconfig.toString());
        assertThat(result.err()).doesNotContain("does not answer");
        assertThat(result.out()).isNotEmpty();
    }

    @Test
    void aKubeconfigThatComesLateIsTaken() throws IOException {
        rig.configure("10.8.0.0/16");
        Path good = rig.kubeconfig();
        Path late = dir.resolve("late");
        try (AgentProcess agent = rig.start(dir, "kubernetes", late)) {
            assertThat(agent.awaitLine("code=ApiUnreachable")).contains(late + " does not exist");
            Files.copy(good, dir.resolve("fresh"));
            Files.move(dir.resolve("fresh"), late, StandardCopyOption.ATOMIC_MOVE);
            rig.await("10.8.0.0/16");
            agent.awaitLine("no longer: ApiUnreachable");
        }
    }
}
