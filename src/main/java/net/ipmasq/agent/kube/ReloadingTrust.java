package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.SSLUtils;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts the certificate authority that its file holds at the moment: one that is rotated or corrected applies to the next
 * handshake. The client (7.5) reads the file once.
 */
final class ReloadingTrust extends X509ExtendedTrustManager {
    private final Config config;
    private final Path file;
    private byte[] content;
    private X509ExtendedTrustManager trusted;

    private ReloadingTrust(Config config, Path file) throws GeneralSecurityException, IOException {
        this.config = config;
        this.file = file;
        this.content = Files.readAllBytes(file);
        this.trusted = load(config);
    }

    /** What a client with this configuration trusts; only an authority in a file of its own can change. */
    static TrustManager[] of(Config config) throws GeneralSecurityException, IOException {
        String file = config.getCaCertFile();
        boolean inFile = file != null && !file.isEmpty() && config.getCaCertData() == null && !config.isTrustCerts();
        return inFile ? new TrustManager[] {new ReloadingTrust(config, Path.of(file))} : SSLUtils.trustManagers(config);
    }

    private static X509ExtendedTrustManager load(Config config) throws GeneralSecurityException, IOException {
        return Arrays.stream(SSLUtils.trustManagers(config))
                .filter(X509ExtendedTrustManager.class::isInstance)
                .map(X509ExtendedTrustManager.class::cast)
                .findFirst()
                .orElseThrow(() -> new CertificateException("this Java has no trust manager for X.509"));
    }

    private synchronized X509ExtendedTrustManager current() {
        try {
            byte[] now = Files.readAllBytes(file);
            if (!Arrays.equals(now, content)) {
                trusted = load(config);
                content = now;
            }
        } catch (GeneralSecurityException | IOException e) {
            // half written, or gone: the one before decides, and the next connection looks again
            System.getLogger(ReloadingTrust.class.getName())
                    .log(System.Logger.Level.DEBUG, "certificate authority " + file, e);
        }
        return trusted;
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        current().checkServerTrusted(chain, type, engine);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        current().checkServerTrusted(chain, type, socket);
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) throws CertificateException {
        current().checkServerTrusted(chain, type);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) throws CertificateException {
        current().checkClientTrusted(chain, type, engine);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) throws CertificateException {
        current().checkClientTrusted(chain, type, socket);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
        current().checkClientTrusted(chain, type);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return current().getAcceptedIssuers();
    }
}
