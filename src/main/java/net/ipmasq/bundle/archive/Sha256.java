package net.ipmasq.bundle.archive;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Digests, and the text that {@code sha256sum --check} reads. */
final class Sha256 {
    /** A digest as OCI writes it. */
    static final Pattern DIGEST = Pattern.compile("sha256:[0-9a-f]{64}");

    private static final Pattern LINE = Pattern.compile("([0-9a-f]{64})  (.+)");

    private Sha256() {}

    static String hex(byte[] content) {
        return HexFormat.of().formatHex(start().digest(content));
    }

    static MessageDigest start() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static String digest(byte[] content) {
        return "sha256:" + hex(content);
    }

    /** Lines in the order of the map. */
    static byte[] sums(Map<String, byte[]> files) {
        StringBuilder text = new StringBuilder();
        files.forEach((path, content) ->
                text.append(hex(content)).append("  ").append(path).append('\n'));
        return text.toString().getBytes(StandardCharsets.UTF_8);
    }

    /** Digests by path; a line of another form is skipped, so its file is reported as not listed. */
    static Map<String, String> read(String sums) {
        Map<String, String> digests = new TreeMap<>();
        sums.lines().map(LINE::matcher).forEach(line -> {
            if (line.matches()) {
                digests.put(line.group(2), line.group(1));
            }
        });
        return digests;
    }
}
