package net.ipmasq.bundle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.ipmasq.text.JsonText;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;
import org.jspecify.annotations.Nullable;

/**
 * The container image that a bundle refers to.
 *
 * @param digest of its manifest, or of its index when it is for several architectures
 * @param layers digests of everything below the manifest, configuration too
 */
public record ImageLayout(String digest, List<String> layers) {
    /** Documents are kilobytes; a layer is never read to memory. */
    private static final long LARGEST_DOCUMENT = 4L << 20;

    /** What an OCI image layout holds, a directory or a tar of one. */
    private record Blobs(Map<String, byte[]> documents, Map<String, Long> sizes) {}

    /** Reads an OCI image layout; every blob that it refers to must be there and have its digest, if it is a document. */
    public static ImageLayout read(Path place) {
        try {
            Blobs blobs = Files.isDirectory(place) ? directory(place) : tar(place);
            byte[] index = blobs.documents().get("index.json");
            if (index == null) {
                throw new BundleException(place + " is no OCI image layout: it has no index.json");
            }
            List<Object> manifests = Tree.list(JsonText.readObject(new String(index, UTF_8)), "manifests");
            if (manifests.size() != 1) {
                throw new BundleException(place + " has " + manifests.size()
                        + " images; give a layout with one manifest, or one index over all architectures");
            }
            String digest = Tree.text(manifests, 0, "digest");
            List<String> below = new java.util.ArrayList<>();
            follow(place, blobs, Tree.map(manifests.getFirst()), below);
            below.remove(digest);
            return new ImageLayout(digest, List.copyOf(below));
        } catch (IOException e) {
            throw new BundleException(place + " cannot be read as an OCI image layout: " + Unread.why(e));
        }
    }

    private static void follow(Path place, Blobs blobs, Map<String, Object> descriptor, List<String> found)
            throws IOException {
        String digest = Tree.text(descriptor, "digest");
        if (!Sha256.DIGEST.matcher(digest).matches()) {
            throw new BundleException(place + " refers to the digest '" + digest + "', which is no sha256");
        }
        String path = "blobs/sha256/" + digest.substring("sha256:".length());
        Long size = blobs.sizes().get(path);
        if (size == null || !Tree.text(descriptor, "size").equals(size.toString())) {
            throw new BundleException(place + " lacks the blob " + digest + ", or it has another size than said");
        }
        found.add(digest);
        byte[] document = blobs.documents().get(path);
        if (document == null) {
            return;
        }
        if (!Sha256.digest(document).equals(digest)) {
            throw new BundleException(place + ": the content of " + digest + " has another digest");
        }
        if (Tree.text(descriptor, "mediaType").matches(".*(manifest|index).*json")) {
            Map<String, Object> manifest = JsonText.readObject(new String(document, UTF_8));
            Stream<Object> children =
                    Stream.of("manifests", "layers").flatMap(key -> Tree.list(manifest, key).stream());
            for (Object child : Stream.concat(Tree.at(manifest, "config").stream(), children)
                    .toList()) {
                follow(place, blobs, Tree.map(child), found);
            }
        }
    }

    private static Blobs directory(Path root) throws IOException {
        Blobs blobs = new Blobs(new TreeMap<>(), new TreeMap<>());
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                long size = Files.size(file);
                byte[] document = size <= LARGEST_DOCUMENT ? Files.readAllBytes(file) : null;
                keep(blobs, root.relativize(file).toString().replace('\\', '/'), size, document);
            }
        }
        return blobs;
    }

    private static Blobs tar(Path file) throws IOException {
        Blobs blobs = new Blobs(new TreeMap<>(), new TreeMap<>());
        try (TarArchiveInputStream tar = new TarArchiveInputStream(Files.newInputStream(file), UTF_8.name())) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isFile()) {
                    byte[] document = entry.getSize() <= LARGEST_DOCUMENT ? tar.readAllBytes() : null;
                    keep(blobs, entry.getName().replaceFirst("^\\./", ""), entry.getSize(), document);
                }
            }
        }
        return blobs;
    }

    private static void keep(Blobs blobs, String path, long size, byte @Nullable [] document) {
        blobs.sizes().put(path, size);
        if (document != null) {
            blobs.documents().put(path, document);
        }
    }
}
