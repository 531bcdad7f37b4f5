package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import io.fabric8.kubernetes.client.utils.Utils;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManager;
import net.ipmasq.text.FileProblem;
import org.jspecify.annotations.Nullable;

/** Makes every client of the API server that this program uses. It accepts what kubectl accepts. */
public final class ApiClient {
    /** Password of a key store that is never written to a file. */
    private static final char[] IN_MEMORY = "in-memory".toCharArray();

    private ApiClient() {}

    /**
     * The default access to the cluster: KUBECONFIG, {@code ~/.kube/config}, or the pod's own account.
     *
     * @param load reads the configuration, after it was checked
     * @throws AccessException naming what is missing or wrong
     */
    public static Config configured(Optional<String> context, Supplier<Config> load) {
        List<Path> files =
                Config.getKubeconfigFilenames().stream().map(Path::of).toList();
        boolean asked = Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_AUTH_TRYKUBECONFIG_SYSTEM_PROPERTY, true);
        boolean named = !Utils.getSystemPropertyOrEnvVar(Config.KUBERNETES_KUBECONFIG_FILE, "")
                .isEmpty();
        return asked && (named || files.stream().anyMatch(Files::exists)) ? from(files, context, load) : load.get();
    }

    /**
     * The access that these kubeconfigs give.
     *
     * @param load reads them, after they were checked
     * @throws AccessException naming what is missing or wrong
     */
    public static Config from(List<Path> files, Optional<String> context, Supplier<Config> load) {
        Optional<Path> token = Kubeconfig.check(files, context);
        Config config = load.get();
        token.ifPresent(file -> config.setOauthTokenProvider(() -> token(file)));
        return config;
    }

    /** Read for every request, since the token is replaced from time to time. */
    private static String token(Path file) {
        try {
            return Files.readString(file).strip();
        } catch (IOException e) {
            throw new UncheckedIOException("the token file " + file + " cannot be read: " + FileProblem.why(e), e);
        }
    }

    /**
     * Begins a client. The configuration loses its client certificate, which the builder has from then on.
     *
     * @throws AccessException if its certificates or its key cannot be used
     */
    public static KubernetesClientBuilder builder(Config config) {
        TrustManager[] trust = trust(config);
        KeyManager[] keys = keys(config);
        return new KubernetesClientBuilder()
                .withConfig(config)
                .withHttpClientBuilderConsumer(http -> http.sslContext(keys, trust));
    }

    private static TrustManager[] trust(Config config) {
        try {
            return ReloadingTrust.of(config);
        } catch (FileSystemException e) {
            throw new AccessException(
                    "the certificate authority " + e.getFile() + " cannot be read: " + FileProblem.why(e), e);
        } catch (GeneralSecurityException | IOException e) {
            throw new AccessException("the certificate authority cannot be used: " + e.getMessage(), e);
        }
    }

    private static KeyManager[] keys(Config config) {
        String certificate = text("client certificate", config.getClientCertData(), config.getClientCertFile());
        String key = text("client key", config.getClientKeyData(), config.getClientKeyFile());
        try {
            if (certificate.isEmpty() || key.isEmpty()) {
                return SSLUtils.keyManagers(config);
            }
            // the client would read them once more, and refuses keys that kubectl takes
            config.setClientCertData(null);
            config.setClientCertFile(null);
            config.setClientKeyData(null);
            config.setClientKeyFile(null);
            var chain = CertificateFactory.getInstance("X.509")
                    .generateCertificates(new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII)));
            if (chain.isEmpty()) {
                throw new AccessException("the client certificate's PEM text holds no certificate");
            }
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, IN_MEMORY);
            store.setKeyEntry("client", ClientKey.read(key), IN_MEMORY, chain.toArray(Certificate[]::new));
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(store, IN_MEMORY);
            return factory.getKeyManagers();
        } catch (GeneralSecurityException | IOException e) {
            throw new AccessException("the client certificate cannot be used: " + e.getMessage(), e);
        }
    }

    /** A PEM text, given itself, as Base64 of it, or in a file; empty for none. */
    private static String text(String what, @Nullable String data, @Nullable String file) {
        if (data != null && !data.isBlank()) {
            return data.contains("-----BEGIN") ? data : decoded(what, data);
        }
        if (file == null || file.isBlank()) {
            return "";
        }
        try {
            return Files.readString(Path.of(file), StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new AccessException("the " + what + " " + file + " cannot be read: " + FileProblem.why(e), e);
        }
    }

    private static String decoded(String what, String data) {
        try {
            return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            throw new AccessException("the " + what + " is not Base64: " + e.getMessage(), e);
        }
    }
}
