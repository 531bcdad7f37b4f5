package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A client that lives on while the file of its certificate authority changes. */
class ReloadingTrustTest {
    @TempDir
    private Path dir;

    private HttpsServer server;
    private KubernetesClient client;

    private Path file(String name) {
        return dir.resolve(name);
    }

    private void certificate(String name) throws IOException {
        Process openssl = new ProcessBuilder(
                        "openssl",
                        "req",
                        "-x509",
                        "-newkey",
                        "rsa:2048",
                        "-nodes",
                        "-subj",
                        "/CN=" + name,
                        "-addext",
                        "subjectAltName=IP:127.0.0.1",
                        "-keyout",
                        file(name + ".key").toString(),
                        "-out",
                        file(name + ".crt").toString())
                .redirectErrorStream(true)
                .start();
        String printed = new String(openssl.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(openssl.onExit().join().exitValue()).as(printed).isZero();
    }

    @BeforeEach
    void start() throws Exception {
        certificate("server");
        certificate("stranger");
        authority("stranger");
        char[] secret = "secret".toCharArray();
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (var in = Files.newInputStream(file("server.crt"))) {
            store.setKeyEntry(
                    "server",
                    ClientKey.read(Files.readString(file("server.key"))),
                    secret,
                    new java.security.cert.Certificate[] {
                        java.security.cert.CertificateFactory.getInstance("X.509")
                                .generateCertificate(in)
                    });
        }
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, secret);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(context));
        server.createContext("/", exchange -> {
            // the next request is to make a connection of its own
            exchange.getResponseHeaders().add("Connection", "close");
            exchange.sendResponseHeaders(204, -1);
            exchange.close();
        });
        server.start();
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:" + server.getAddress().getPort())
                .withCaCertFile(file("ca").toString())
                .withRequestRetryBackoffLimit(0)
                .build();
        client = ApiClient.builder(config).build();
    }

    @AfterEach
    void stop() {
        client.close();
        server.stop(0);
    }

    private void authority(String name) throws IOException {
        Files.copy(file(name + ".crt"), file("ca"), StandardCopyOption.REPLACE_EXISTING);
    }

    private int code() throws Exception {
        return client.getHttpClient()
                .sendAsync(
                        client.getHttpClient()
                                .newHttpRequestBuilder()
                                .uri(client.getMasterUrl().toURI())
                                .build(),
                        String.class)
                .get(30, TimeUnit.SECONDS)
                .code();
    }

    @Test
    void aFileThatIsNotThereIsNamedWithTheReason() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://127.0.0.1:1")
                .withCaCertFile(file("none").toString())
                .build();
        assertThatThrownBy(() -> ApiClient.builder(config))
                .isInstanceOf(AccessException.class)
                .hasMessage("the certificate authority " + file("none") + " cannot be read: there is no such file");
    }

    @Test
    void anAuthorityThatIsPutRightAppliesToTheNextConnection() throws Exception {
        assertThatThrownBy(this::code).satisfies(ReloadingTrustTest::isTls);
        authority("server");
        assertThat(code()).isEqualTo(204);
    }

    @Test
    void aFileThatCannotBeUsedLeavesTheOneBefore() throws Exception {
        authority("server");
        assertThat(code()).isEqualTo(204);
        Files.writeString(file("ca"), "-----BEGIN CERTIFICATE-----\nMIIB\n");
        assertThat(code()).isEqualTo(204);
        Files.delete(file("ca"));
        assertThat(code()).isEqualTo(204);
    }

    private static void isTls(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof SSLException) {
                return;
            }
        }
        throw new AssertionError("no problem of TLS", problem);
    }
}
