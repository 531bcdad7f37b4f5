package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
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
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import net.ipmasq.lab.Slow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Keys as openssl writes them, each of which kubectl takes. */
@Slow
class ClientKeyTest {
    @TempDir
    private Path dir;

    private static void openssl(String args) throws IOException {
        Process process = new ProcessBuilder(("openssl " + args).split(" "))
                .redirectErrorStream(true)
                .start();
        process.getOutputStream().close();
        String printed = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.onExit().join().exitValue()).as(printed).isZero();
    }

    private Path file(String name) {
        return dir.resolve(name);
    }

    private String made(String command) throws IOException {
        for (String step : command.replace("DIR", dir.toString()).split("; ")) {
            openssl(step);
        }
        openssl("req -x509 -new -key " + file("key") + " -subj /CN=me -days 30 -out " + file("crt"));
        return Files.readString(file("key"));
    }

    private X509Certificate certificate() throws Exception {
        try (var in = Files.newInputStream(file("crt"))) {
            return (X509Certificate) CertificateFactory.getInstance("X.509").generateCertificate(in);
        }
    }

    private static final String EC = "ecparam -genkey -out DIR/key -name ";

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "EC as openssl req writes it, genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out DIR/key, PRIVATE KEY",
        "EC P-384 as PKCS#8, genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-384 -out DIR/key, PRIVATE KEY",
        "SEC1 behind EC PARAMETERS, " + EC + "prime256v1, EC PARAMETERS",
        "SEC1 P-521 behind EC PARAMETERS, " + EC + "secp521r1, EC PARAMETERS",
        "SEC1 alone, " + EC + "secp384r1 -noout, EC PRIVATE KEY",
        "RSA as PKCS#8, genrsa -out DIR/key 2048, PRIVATE KEY",
        "RSA as PKCS#1, genrsa -traditional -out DIR/key 2048, RSA PRIVATE KEY",
        "Ed25519, genpkey -algorithm ed25519 -out DIR/key, PRIVATE KEY"
    })
    void aServerThatAsksForAKnownClientIsReached(String what, String command, String first) throws Exception {
        String pem = made(command);
        assertThat(pem).startsWith("-----BEGIN " + first + "-----");
        PrivateKey key = ClientKey.read(pem);
        String algorithm = key.getAlgorithm().equals("EdDSA") ? "EdDSA" : "SHA256with" + signs(key);
        Signature signature = Signature.getInstance(algorithm);
        signature.initSign(key);
        signature.update(new byte[] {1, 2, 3});
        byte[] signed = signature.sign();
        signature.initVerify(certificate().getPublicKey());
        signature.update(new byte[] {1, 2, 3});
        assertThat(signature.verify(signed)).isTrue();
        assertThat(whoAmI(new ConfigBuilder(Config.empty())
                        .withClientKeyFile(file("key").toString())
                        .withClientCertFile(file("crt").toString())))
                .isEqualTo("CN=me");
        assertThat(whoAmI(new ConfigBuilder(Config.empty())
                        .withClientKeyData(base64(file("key")))
                        .withClientCertData(base64(file("crt")))))
                .isEqualTo("CN=me");
    }

    private static String signs(PrivateKey key) {
        return key.getAlgorithm().equals("EC") ? "ECDSA" : key.getAlgorithm();
    }

    private static String base64(Path file) throws IOException {
        return Base64.getEncoder().encodeToString(Files.readAllBytes(file));
    }

    /** What a server that lets nobody in without a certificate says of who came. */
    private String whoAmI(ConfigBuilder access) throws Exception {
        openssl("req -x509 -newkey rsa:2048 -nodes -subj /CN=localhost -days 30 -addext subjectAltName=IP:127.0.0.1"
                + " -keyout " + file("server.key") + " -out " + file("server.crt"));
        openssl("pkcs12 -export -passout pass:secret -inkey " + file("server.key") + " -in " + file("server.crt")
                + " -out " + file("server.p12"));
        HttpsServer server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setHttpsConfigurator(demanding());
        server.createContext("/", exchange -> {
            byte[] name = ((HttpsExchange) exchange)
                    .getSSLSession()
                    .getPeerPrincipal()
                    .getName()
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, name.length);
            exchange.getResponseBody().write(name);
            exchange.close();
        });
        server.start();
        Config config = access.withMasterUrl(
                        "https://127.0.0.1:" + server.getAddress().getPort())
                .withCaCertFile(file("server.crt").toString())
                .build();
        try (KubernetesClient client = ApiClient.builder(config).build()) {
            return client.getHttpClient()
                    .sendAsync(
                            client.getHttpClient()
                                    .newHttpRequestBuilder()
                                    .uri(config.getMasterUrl())
                                    .build(),
                            String.class)
                    .get(30, TimeUnit.SECONDS)
                    .body();
        } finally {
            server.stop(0);
        }
    }

    private HttpsConfigurator demanding() throws Exception {
        var own = java.security.KeyStore.getInstance("PKCS12");
        try (var in = Files.newInputStream(file("server.p12"))) {
            own.load(in, "secret".toCharArray());
        }
        var keys = javax.net.ssl.KeyManagerFactory.getInstance("PKIX");
        keys.init(own, "secret".toCharArray());
        var known = java.security.KeyStore.getInstance("PKCS12");
        known.load(null, null);
        known.setCertificateEntry("me", certificate());
        var trust = javax.net.ssl.TrustManagerFactory.getInstance("PKIX");
        trust.init(known);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return new HttpsConfigurator(context) {
            @Override
            public void configure(HttpsParameters parameters) {
                SSLParameters demanding = context.getDefaultSSLParameters();
                demanding.setNeedClientAuth(true);
                parameters.setSSLParameters(demanding);
            }
        };
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "PKCS#8, genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -aes256 -pass pass:secret -out ",
        "PKCS#1, genrsa -traditional -aes256 -passout pass:secret -out "
    })
    void anEncryptedKeyIsNamed(String what, String command) throws IOException {
        openssl(command + " " + file("key"));
        assertThatThrownBy(() -> ClientKey.read(Files.readString(file("key"))))
                .isInstanceOf(AccessException.class)
                .hasMessageContainingAll("encrypted", "openssl pkcs8 -topk8");
    }

    @Test
    void whatIsNoKeyIsNamed() throws IOException {
        String pem = made(EC + "prime256v1");
        assertThatThrownBy(() -> ClientKey.read("")).hasMessageContaining("no PEM block at all");
        assertThatThrownBy(() -> ClientKey.read(Files.readString(file("crt")))).hasMessageContaining("but CERTIFICATE");
        String damaged = "-----BEGIN %s-----\nMIIB\n-----END %s-----\n";
        for (String kind : List.of("PRIVATE KEY", "RSA PRIVATE KEY", "EC PRIVATE KEY")) {
            assertThatThrownBy(() -> ClientKey.read(damaged.replace("%s", kind)))
                    .isInstanceOf(AccessException.class)
                    .hasMessageContaining("damaged");
        }
        // cut anywhere
        String alone = pem.substring(pem.indexOf("-----BEGIN EC PRIVATE KEY"));
        byte[] der = Base64.getMimeDecoder().decode(alone.replaceAll("-----.*-----", ""));
        for (int length = 0; length < der.length - 1; length++) {
            String cut = "-----BEGIN EC PRIVATE KEY-----\n"
                    + Base64.getMimeEncoder().encodeToString(java.util.Arrays.copyOf(der, length))
                    + "\n-----END EC PRIVATE KEY-----\n";
            assertThatThrownBy(() -> ClientKey.read(cut)).isInstanceOf(AccessException.class);
        }
    }
}
