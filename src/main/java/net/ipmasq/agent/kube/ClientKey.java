package net.ipmasq.agent.kube;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.PrivateKey;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A private key as openssl and cluster tools write it. The client (7.5) takes EC keys only where the first block of the
 * text is the key and says EC; kubectl takes all of these.
 */
final class ClientKey {
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final List<String> ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

    /** 1.2.840.113549.1.1.1 (rsaEncryption) and no parameters. */
    private static final byte[] RSA = {6, 9, 0x2A, (byte) 0x86, 0x48, (byte) 0x86, (byte) 0xF7, 0x0D, 1, 1, 1, 5, 0};
    /** 1.2.840.10045.2.1 (ecPublicKey); a curve follows. */
    private static final byte[] EC = {6, 7, 0x2A, (byte) 0x86, 0x48, (byte) 0xCE, 0x3D, 2, 1};

    private static final byte[] VERSION_0 = {2, 1, 0};
    private static final String OTHERWISE = "; write it as PKCS#8: openssl pkcs8 -topk8 -nodes -in KEY -out NEW";

    private ClientKey() {}

    /**
     * The key in a PEM text.
     *
     * @throws AccessException if there is none that can be used, with the reason
     */
    static PrivateKey read(String pem) {
        Map<String, byte[]> blocks = blocks(pem);
        byte[] any = blocks.get("PRIVATE KEY");
        byte[] rsa = blocks.get("RSA PRIVATE KEY");
        byte[] ec = blocks.get("EC PRIVATE KEY");
        if (any != null) {
            return key(any);
        }
        if (rsa != null) {
            return key(pkcs8(RSA, rsa));
        }
        if (ec != null) {
            byte[] curve = blocks.get("EC PARAMETERS");
            return key(pkcs8(Der.join(EC, curve == null ? curve(ec) : curve), ec));
        }
        throw new AccessException("the client key has no private key in PEM form, but "
                + (blocks.isEmpty() ? "no PEM block at all" : String.join(", ", blocks.keySet())));
    }

    private static Map<String, byte[]> blocks(String pem) {
        Map<String, byte[]> blocks = new LinkedHashMap<>();
        for (Matcher block = BLOCK.matcher(pem); block.find(); ) {
            if (block.group(1).equals("ENCRYPTED PRIVATE KEY") || block.group(2).contains("ENCRYPTED")) {
                throw new AccessException(
                        "the client key is encrypted, and there is no way to ask for its passphrase" + OTHERWISE);
            }
            // headers as in RFC 1421 stand before the key
            String base64 =
                    block.group(2).lines().filter(line -> !line.contains(":")).collect(Collectors.joining());
            try {
                blocks.putIfAbsent(block.group(1), Base64.getMimeDecoder().decode(base64));
            } catch (IllegalArgumentException e) {
                throw new AccessException("the client key is damaged: " + block.group(1) + " is not Base64", e);
            }
        }
        return blocks;
    }

    private static PrivateKey key(byte[] pkcs8) {
        AccessException none = new AccessException("the client key is damaged, or of an algorithm other than "
                + String.join(", ", ALGORITHMS) + OTHERWISE);
        for (String algorithm : ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (InvalidKeySpecException e) {
                none.addSuppressed(e);
            } catch (NoSuchAlgorithmException e) {
                throw new IllegalStateException(e);
            }
        }
        throw none;
    }

    /** PrivateKeyInfo as in RFC 5208. */
    private static byte[] pkcs8(byte[] algorithm, byte[] key) {
        return Der.of(Der.SEQUENCE, VERSION_0, Der.of(Der.SEQUENCE, algorithm), Der.of(Der.OCTET_STRING, key));
    }

    /** The curve that ECPrivateKey (RFC 5915) names itself, in its element [0]. */
    private static byte[] curve(byte[] ec) {
        try {
            ByteBuffer curve = Der.elements(
                            Der.elements(ByteBuffer.wrap(ec)).getFirst().content())
                    .stream()
                    .filter(element -> element.tag() == Der.CONTEXT_0)
                    .findFirst()
                    .orElseThrow(() -> new AccessException("the client key does not name its curve" + OTHERWISE))
                    .content();
            byte[] bytes = new byte[curve.remaining()];
            curve.get(bytes);
            return bytes;
        } catch (IndexOutOfBoundsException | BufferUnderflowException | NoSuchElementException e) {
            throw new AccessException("the client key is damaged: EC PRIVATE KEY is not DER", e);
        }
    }
}
