package net.ipmasq.image;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.StreamSupport;
import java.util.zip.GZIPInputStream;

/** An OCI layout in a tar, read as a registry and a container runtime would: nothing counts that no digest vouches for. */
record OciImage(Path layout, String digest, JsonNode manifest, JsonNode config) {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String PREFIX = "sha256:";

    /** Reads it into an empty directory and checks every size and digest. */
    static OciImage read(Path tar, Path into) throws IOException {
        Shell.run("tar", "-C", into.toString(), "-xf", tar.toString());
        demand("1.0.0", JSON.readTree(into.resolve("oci-layout").toFile()).path("imageLayoutVersion"));
        JsonNode index = JSON.readTree(into.resolve("index.json").toFile());
        demand("application/vnd.oci.image.index.v1+json", index.path("mediaType"));
        if (index.path("manifests").size() != 1) {
            throw new AssertionError("not one manifest: " + index);
        }
        JsonNode descriptor = index.path("manifests").get(0);
        JsonNode manifest = JSON.readTree(blob(into, descriptor).toFile());
        demand(descriptor.path("mediaType").asText(), manifest.path("mediaType"));
        JsonNode config = JSON.readTree(blob(into, manifest.path("config")).toFile());
        OciImage image = new OciImage(into, descriptor.path("digest").asText(), manifest, config);
        JsonNode diffs = config.path("rootfs").path("diff_ids");
        if (diffs.size() != manifest.path("layers").size()) {
            throw new AssertionError("not one diff id for each layer: " + config);
        }
        for (int i = 0; i < diffs.size(); i++) {
            demand(PREFIX + sha256(new GZIPInputStream(Files.newInputStream(image.layer(i)))), diffs.get(i));
        }
        return image;
    }

    /** Layers one over the other, as a runtime does. The image has no whiteouts, so nothing is ever taken away. */
    void unpack(Path root) throws IOException {
        Files.createDirectories(root);
        for (int i = 0; i < manifest.path("layers").size(); i++) {
            Shell.run(
                    "tar",
                    "-C",
                    root.toString(),
                    "--keep-directory-symlink",
                    "--same-permissions",
                    "--same-owner",
                    "-xzf",
                    layer(i).toString());
        }
    }

    Path layer(int index) throws IOException {
        return blob(layout, manifest.path("layers").get(index));
    }

    List<String> layerDigests() {
        return StreamSupport.stream(manifest.path("layers").spliterator(), false)
                .map(layer -> layer.path("digest").asText())
                .toList();
    }

    List<String> entrypoint() {
        List<String> words = new ArrayList<>();
        config.path("config").path("Entrypoint").forEach(word -> words.add(word.asText()));
        return words;
    }

    Map<String, String> environment() {
        Map<String, String> variables = new TreeMap<>();
        for (JsonNode each : config.path("config").path("Env")) {
            String[] pair = each.asText().split("=", 2);
            variables.put(pair[0], pair[1]);
        }
        return variables;
    }

    String label(String name) {
        return config.path("config")
                .path("Labels")
                .path("org.opencontainers.image." + name)
                .asText();
    }

    private static Path blob(Path layout, JsonNode descriptor) throws IOException {
        String digest = descriptor.path("digest").asText();
        Path file = layout.resolve("blobs/sha256").resolve(digest.substring(PREFIX.length()));
        demand(PREFIX + sha256(Files.newInputStream(file)), descriptor.path("digest"));
        demand(Long.toString(Files.size(file)), descriptor.path("size"));
        return file;
    }

    static String sha256(InputStream bytes) throws IOException {
        try (bytes) {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            bytes.transferTo(new DigestOutputStream(OutputStream.nullOutputStream(), digest));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    private static void demand(String wanted, JsonNode found) {
        if (!wanted.equals(found.asText())) {
            throw new AssertionError("'" + found.asText() + "' should be '" + wanted + "'");
        }
    }
}
