package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.PackagedAgent;
import net.ipmasq.lab.Shared;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The API server turns the agent away: status and log say so, the rules stay, and nobody has to restart anything. */
@PackagedAgent
@NeedsKernel
@NeedsKube
class ClusterRightsLostIT {
    @Shared
    private static ClusterRig rig;

    @TempDir
    Path dir;

    @BeforeEach
    void reset() {
        rig.reset();
    }

    @Test
    void aRotatedTokenIsReadAgain() throws IOException {
        Path token = dir.resolve("token");
        Files.writeString(token, token());
        rig.configure("10.1.0.0/16");
        try (AgentProcess agent = rig.start(dir, "kubernetes", inPod(token))) {
            agent.awaitLine("is in force");
            rig.await("10.1.0.0/16");
            // tokens are bound to the account's uid
            rig.kubectl("delete", "serviceaccount", ClusterRig.NAME);
            rig.api.applyYaml(Rights.YAML);
            closeWatches();
            agent.awaitLine("does not accept this agent's token (401)");
            assertThat(rig.status()).contains("ApiUnreachable", "(401)");
            rig.flushAndAwaitHealing(1, "10.1.0.0/16");
            rig.configure("10.2.0.0/16");
            assertThat(rig.keeps("10.2.0.0/16")).isFalse();
            // as the kubelet does: at once for every reader
            Path fresh = Files.writeString(dir.resolve("fresh"), token());
            Files.move(fresh, token, StandardCopyOption.ATOMIC_MOVE);
            rig.await("10.2.0.0/16");
            agent.awaitLine("no longer: ApiUnreachable");
            rig.configure("10.3.0.0/16");
            rig.await("10.3.0.0/16");
        }
    }

    @Test
    void aRevokedRightIsSaidAndRecoveredFrom() {
        rig.configure("10.1.0.0/16");
        try (AgentProcess agent = rig.start(dir, "kubernetes", rig.kubeconfig())) {
            agent.awaitLine("is in force");
            rig.kubectl("delete", "rolebinding", ClusterRig.NAME);
            closeWatches();
            assertThat(agent.awaitLine("may not read it (403)")).contains("code=ApiUnreachable", "the Role must allow");
            assertThat(rig.status()).contains("ApiUnreachable", "(403)");
            rig.flushAndAwaitHealing(2, "10.1.0.0/16");
            rig.configure("10.2.0.0/16");
            assertThat(rig.keeps("10.2.0.0/16")).isFalse();
            rig.api.applyYaml(Rights.YAML);
            rig.await("10.2.0.0/16");
            agent.awaitLine("no longer: ApiUnreachable");
            Eventually.holds("status is clear", () -> rig.status(), value -> !value.contains("ApiUnreachable"));
            rig.configure("10.3.0.0/16");
            rig.await("10.3.0.0/16");
        }
    }

    /** The server asks for rights when a watch begins, not later. */
    private static void closeWatches() {
        rig.stopApi();
        rig.startApi();
    }

    private static String token() {
        return rig.api.token("kube-system", ClusterRig.NAME, Duration.ofHours(1));
    }

    /** What a pod has: no kubeconfig, the server's address in the environment and a token in a file. */
    private static Map<String, String> inPod(Path token) {
        String[] address = rig.api.url().replaceFirst("https://", "").split(":");
        return Map.of(
                "KUBERNETES_SERVICE_HOST",
                address[0],
                "KUBERNETES_SERVICE_PORT",
                address[1],
                "KUBERNETES_AUTH_TRYKUBECONFIG",
                "false",
                "KUBERNETES_CERTS_CA_FILE",
                rig.api.caCertificate().toString(),
                "KUBERNETES_AUTH_SERVICEACCOUNT_TOKEN",
                token.toString());
    }
}
