import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;

/**
 * Java's trust store from a file of PEM certificates: java TrustStore.java PEM STORE. jlink copies the store of the JDK
 * that it runs on, which Debian's packages and administrators fill with what that machine trusts; an image must not
 * inherit that. Without password and protection, as the JDK's own, so that the same certificates give the same bytes.
 */
final class TrustStore {
    private TrustStore() {}

    public static void main(String[] args) throws Exception {
        System.setProperty("keystore.pkcs12.certProtectionAlgorithm", "NONE");
        System.setProperty("keystore.pkcs12.macAlgorithm", "NONE");
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        try (InputStream pem = Files.newInputStream(Path.of(args[0]))) {
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                X509Certificate authority = (X509Certificate) each;
                String name = authority.getSubjectX500Principal().getName();
                store.setCertificateEntry(++number + " " + name, authority);
            }
        }
        try (OutputStream to = Files.newOutputStream(Path.of(args[1]))) {
            store.store(to, null);
        }
    }
}
