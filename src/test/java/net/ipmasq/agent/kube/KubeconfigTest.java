package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.client.Config;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What leads to a cluster, and what is said when it does not. */
class KubeconfigTest {
    private static final String GOOD = """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", certificate-authority: ca}}]
            users: [{name: u, user: {tokenFile: token}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """;

    @TempDir
    private Path dir;

    @BeforeEach
    void files() throws IOException {
        Files.writeString(dir.resolve("ca"), "");
        Files.writeString(dir.resolve("token"), "first\n");
    }

    private Path file(String text) throws IOException {
        return Files.writeString(dir.resolve("kubeconfig"), text);
    }

    private Optional<Path> check(String text) throws IOException {
        return Kubeconfig.check(List.of(file(text)), Optional.empty());
    }

    @ParameterizedTest
    @CsvSource({
        "current-context: x, current-context: y, has no context y",
        "current-context: x, '', has no current-context",
        "cluster: c, cluster: d, 'names the cluster d, which is not in it'",
        "user: u, user: v, 'names the user v, which is not in it'",
        "certificate-authority: ca, certificate-authority: /nowhere/ca, certificate-authority /nowhere/ca of",
        "tokenFile: token, tokenFile: nowhere, /nowhere of the kubeconfig",
        "tokenFile: token, 'client-key: k, client-certificate: ca', client-key",
        "tokenFile: token, 'client-key: ca, client-certificate: k', client-certificate",
        "apiVersion: v1, '[', is not a kubeconfig",
        "apiVersion: v1, 'clusters: 7', is not a kubeconfig"
    })
    void whatIsMissingOrWrongIsNamed(String part, String instead, String words) throws IOException {
        assertThat(GOOD).contains(part);
        assertThatThrownBy(() -> check(GOOD.replace(part, instead)))
                .isInstanceOf(AccessException.class)
                .hasMessageContainingAll(dir.resolve("kubeconfig").toString(), words)
                .satisfies(problem -> assertThat(problem.getMessage()).doesNotContain("\n"));
    }

    @Test
    void filesThatAreNotThereAreNamedUnlessOneIs() throws IOException {
        Path missing = dir.resolve("missing");
        assertThatThrownBy(() -> Kubeconfig.check(List.of(missing), Optional.empty()))
                .hasMessage("the kubeconfig " + missing + " does not exist");
        assertThatThrownBy(() -> Kubeconfig.check(List.of(dir), Optional.empty()))
                .hasMessageContaining("cannot be read");
        assertThat(Kubeconfig.check(List.of(missing, file(GOOD)), Optional.empty()))
                .isPresent();
        assertThatThrownBy(() -> check("")).isInstanceOf(AccessException.class);
    }

    @Test
    void aContextCanBeAskedFor() throws IOException {
        assertThatThrownBy(() -> Kubeconfig.check(List.of(file(GOOD)), Optional.of("z")))
                .hasMessageContaining("has no context z");
        assertThat(Kubeconfig.check(
                        List.of(file(GOOD.replace("current-context: x", "current-context: y"))), Optional.of("x")))
                .isPresent();
    }

    /** The client knows tokens in the kubeconfig itself only. */
    @Test
    void aTokenFileIsReadForEveryRequest() throws IOException {
        Path file = file(GOOD);
        Config config = ApiClient.from(List.of(file), Optional.empty(), () -> Config.fromKubeconfig(file.toFile()));
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("first");
        Files.writeString(dir.resolve("token"), "second\n");
        assertThat(config.getOauthTokenProvider().getToken()).isEqualTo("second");
    }
}
