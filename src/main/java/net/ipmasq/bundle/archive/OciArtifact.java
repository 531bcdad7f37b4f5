package net.ipmasq.bundle.archive;

import static net.ipmasq.json.JsonText.object;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import net.ipmasq.json.JsonText;

/**
 * An OCI image layout whose artifact is the bundle, so that a registry can hold it. SBOM and provenance refer to it as their
 * subject and travel with it.
 */
final class OciArtifact {
    static final String TYPE = "application/vnd.ipmasq.addon.v1";
    static final String CONFIG = "application/vnd.ipmasq.addon.config.v1+json";
    static final String CONTENT = "application/vnd.ipmasq.addon.content.v1.tar+gzip";
    private static final String MANIFEST = "application/vnd.oci.image.manifest.v1+json";
    private static final String TITLE = "org.opencontainers.image.title";

    private final SortedMap<String, byte[]> files = new TreeMap<>();
    private final List<Map<String, Object>> manifests = new ArrayList<>();
    private final Map<String, Object> bundle;

    private OciArtifact(byte[] config, byte[] content, String title, String version) {
        Map<String, Object> annotations = object(TITLE, title, "org.opencontainers.image.version", version);
        this.bundle =
                manifest(TYPE, blob(CONFIG, config), layer(CONTENT, content, title), annotations, Optional.empty());
        Map<String, Object> listed = new java.util.LinkedHashMap<>(bundle);
        // the name by which tools such as oras find a manifest in a layout
        listed.put("annotations", object("org.opencontainers.image.ref.name", version));
        manifests.add(listed);
    }

    /** A layout with the bundle alone. */
    static OciArtifact of(Map<String, Object> config, byte[] content, String title, String version) {
        return new OciArtifact(bytes(config), content, title, version);
    }

    /** Digest of the manifest, by which the bundle is fetched and signed. */
    String digest() {
        return Tree.text(bundle, "digest");
    }

    /** Adds a document about the bundle. */
    void attach(String mediaType, byte[] document, String title) {
        Map<String, Object> nothing = blob("application/vnd.oci.empty.v1+json", "{}".getBytes(StandardCharsets.UTF_8));
        manifests.add(manifest(mediaType, nothing, layer(mediaType, document, title), Map.of(), Optional.of(bundle)));
    }

    /** The files of the layout by path. */
    SortedMap<String, byte[]> files() {
        SortedMap<String, byte[]> all = new TreeMap<>(files);
        all.put("oci-layout", bytes(object("imageLayoutVersion", "1.0.0")));
        all.put(
                "index.json",
                bytes(object(
                        "schemaVersion",
                        2,
                        "mediaType",
                        "application/vnd.oci.image.index.v1+json",
                        "manifests",
                        manifests)));
        return all;
    }

    private Map<String, Object> manifest(
            String type,
            Map<String, Object> config,
            Map<String, Object> layer,
            Map<String, Object> annotations,
            Optional<Map<String, Object>> subject) {
        Map<String, Object> descriptor = blob(
                MANIFEST,
                bytes(object(
                        "schemaVersion",
                        2,
                        "mediaType",
                        MANIFEST,
                        "artifactType",
                        type,
                        "config",
                        config,
                        "layers",
                        List.of(layer),
                        "subject",
                        subject.orElse(null),
                        "annotations",
                        annotations.isEmpty() ? null : annotations)));
        descriptor.put("artifactType", type);
        return descriptor;
    }

    private Map<String, Object> layer(String mediaType, byte[] content, String title) {
        Map<String, Object> layer = blob(mediaType, content);
        layer.put("annotations", object(TITLE, title));
        return layer;
    }

    private Map<String, Object> blob(String mediaType, byte[] content) {
        files.put("blobs/sha256/" + Sha256.hex(content), content);
        return object("mediaType", mediaType, "digest", Sha256.digest(content), "size", content.length);
    }

    private static byte[] bytes(Map<String, Object> document) {
        return JsonText.compact(document).getBytes(StandardCharsets.UTF_8);
    }
}
