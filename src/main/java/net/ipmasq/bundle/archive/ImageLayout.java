package net.ipmasq.bundle.archive;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.ipmasq.agent.UsageException;
import net.ipmasq.json.JsonReader;
import net.ipmasq.text.FileProblem;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveInputStream;

/**
 * The container image that a bundle refers to.
 *
 * @param digest of its manifest, or of its index when it is for several architectures
 * @param platforms that its configurations name, such as {@code linux/amd64}
 */
public record ImageLayout(String digest, List<String> platforms) {
    private static final int LARGEST_DOCUMENT = 4 << 20;

    /**
     * A file of a layout.
     *
     * @param text the content; empty when it is too large for anything but a layer
     */
    private record Blob(long size, String digest, String text) {
        static Blob read(InputStream content) throws IOException {
            MessageDigest sha256 = Sha256.start();
            DigestInputStream counted = new DigestInputStream(content, sha256);
            byte[] start = counted.readNBytes(LARGEST_DOCUMENT + 1);
            long size = start.length + counted.transferTo(OutputStream.nullOutputStream());
            String digest = "sha256:" + HexFormat.of().formatHex(sha256.digest());
            return new Blob(size, digest, size > LARGEST_DOCUMENT ? "" : new String(start, UTF_8));
        }

        Map<String, Object> json() throws IOException {
            return JsonReader.object(text);
        }
    }

    /** Reads an OCI image layout, a directory or a tar of one. Every blob that it refers to must be there, unchanged. */
    public static ImageLayout read(Path place) {
        try {
            Map<String, Blob> blobs = Files.isDirectory(place) ? directory(place) : tar(place);
            Blob index = blobs.get("index.json");
            if (index == null) {
                throw new UsageException(place + " is not an OCI image layout: it has no index.json");
            }
            List<Object> manifests = Tree.list(index.json(), "manifests");
            if (manifests.size() != 1) {
                throw new UsageException(place + " has " + manifests.size()
                        + " images; give a layout with one manifest, or one index over all architectures");
            }
            SortedSet<String> platforms = new TreeSet<>();
            follow(place, blobs, Tree.map(manifests.getFirst()), platforms);
            return new ImageLayout(Tree.text(manifests, 0, "digest"), List.copyOf(platforms));
        } catch (IOException e) {
            throw new UsageException(place + " cannot be read as an OCI image layout: " + FileProblem.why(e));
        }
    }

    private static void follow(
            Path place, Map<String, Blob> blobs, Map<String, Object> descriptor, SortedSet<String> platforms)
            throws IOException {
        String digest = Tree.text(descriptor, "digest");
        if (!Sha256.DIGEST.matcher(digest).matches()) {
            throw new UsageException(place + " refers to the digest '" + digest + "', which is not a sha256 digest");
        }
        Blob blob = blobs.get("blobs/" + digest.replace(':', '/'));
        if (blob == null || !Tree.text(descriptor, "size").equals(Long.toString(blob.size()))) {
            throw new UsageException(
                    place + " lacks the blob " + digest + ", or the blob has another size than the descriptor says");
        }
        if (!blob.digest().equals(digest)) {
            throw new UsageException(place + ": the content of " + digest + " has another digest");
        }
        if (Tree.text(descriptor, "mediaType").matches(".*(image\\.config|container\\.image).*json")) {
            Map<String, Object> config = blob.json();
            String architecture = Tree.text(config, "architecture");
            // what is attached to an image, such as a provenance, has no platform
            if (!architecture.isEmpty() && !architecture.equals("unknown")) {
                platforms.add(Tree.text(config, "os") + "/" + architecture);
            }
        }
        if (Tree.text(descriptor, "mediaType").matches(".*(manifest|index).*json")) {
            Map<String, Object> manifest = blob.json();
            List<Object> below = new ArrayList<>(Tree.list(manifest, "manifests"));
            below.addAll(Tree.list(manifest, "layers"));
            Tree.at(manifest, "config").ifPresent(below::add);
            for (Object child : below) {
                follow(place, blobs, Tree.map(child), platforms);
            }
        }
    }

    private static Map<String, Blob> directory(Path root) throws IOException {
        Map<String, Blob> blobs = new TreeMap<>();
        try (Stream<Path> files = Files.walk(root)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                try (InputStream content = Files.newInputStream(file)) {
                    blobs.put(root.relativize(file).toString().replace('\\', '/'), Blob.read(content));
                }
            }
        }
        return blobs;
    }

    private static Map<String, Blob> tar(Path file) throws IOException {
        Map<String, Blob> blobs = new TreeMap<>();
        try (TarArchiveInputStream tar =
                new TarArchiveInputStream(new BufferedInputStream(Files.newInputStream(file)), UTF_8.name())) {
            for (TarArchiveEntry entry = tar.getNextEntry(); entry != null; entry = tar.getNextEntry()) {
                if (entry.isFile()) {
                    blobs.put(entry.getName().replaceFirst("^\\./", ""), Blob.read(tar));
                }
            }
        }
        return blobs;
    }
}
