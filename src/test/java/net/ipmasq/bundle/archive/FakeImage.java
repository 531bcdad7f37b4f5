package net.ipmasq.bundle.archive;

import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;

/** A container image of one layer, for both architectures, as an OCI layout, made without the code under test. */
final class FakeImage {
    final Map<String, byte[]> files = new TreeMap<>();
    final String digest;

    FakeImage(String layer) {
        this(layer, "amd64", "arm64");
    }

    /** Of several architectures, an index over them. */
    FakeImage(String layer, String... architectures) {
        String content = blob(layer);
        List<String> manifests = new ArrayList<>();
        for (String architecture : architectures) {
            String config = blob("{\"architecture\":\"%s\",\"os\":\"linux\"}".formatted(architecture));
            manifests.add(blob("""
                    {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":%s,"layers":[%s]}""".formatted(
                            descriptor("application/vnd.oci.image.config.v1+json", config),
                            descriptor("application/vnd.oci.image.layer.v1.tar", content))));
        }
        String one = "application/vnd.oci.image.manifest.v1+json";
        String index = "application/vnd.oci.image.index.v1+json";
        String all =
                manifests.stream().map(manifest -> descriptor(one, manifest)).collect(Collectors.joining(","));
        digest = manifests.size() == 1
                ? manifests.getFirst()
                : blob("{\"schemaVersion\":2,\"mediaType\":\"%s\",\"manifests\":[%s]}".formatted(index, all));
        put("oci-layout", "{\"imageLayoutVersion\":\"1.0.0\"}");
        put(
                "index.json",
                "{\"schemaVersion\":2,\"manifests\":[%s]}"
                        .formatted(descriptor(manifests.size() == 1 ? one : index, digest)));
    }

    private void put(String path, String text) {
        files.put(path, text.getBytes(StandardCharsets.UTF_8));
    }

    private String blob(String text) {
        String hex = sha256(text.getBytes(StandardCharsets.UTF_8));
        put("blobs/sha256/" + hex, text);
        return "sha256:" + hex;
    }

    private String descriptor(String type, String of) {
        return "{\"mediaType\":\"%s\",\"digest\":\"%s\",\"size\":%d}"
                .formatted(type, of, files.get("blobs/" + of.replace(':', '/')).length);
    }

    static String sha256(byte[] content) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(content));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    Path tar(Path file) {
        try (OutputStream out = Files.newOutputStream(file);
                TarArchiveOutputStream tar = new TarArchiveOutputStream(out)) {
            for (Map.Entry<String, byte[]> one : files.entrySet()) {
                TarArchiveEntry entry = new TarArchiveEntry(one.getKey());
                entry.setSize(one.getValue().length);
                tar.putArchiveEntry(entry);
                tar.write(one.getValue());
                tar.closeArchiveEntry();
            }
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    Path directory(Path root) {
        try {
            for (Map.Entry<String, byte[]> one : files.entrySet()) {
                Path file = root.resolve(one.getKey());
                Files.createDirectories(file.getParent());
                Files.write(file, one.getValue());
            }
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
