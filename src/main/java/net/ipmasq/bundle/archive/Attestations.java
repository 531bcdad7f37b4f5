package net.ipmasq.bundle.archive;

import static net.ipmasq.json.JsonText.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * SBOM and provenance of a built bundle: what is in it, and what it was made from. They contain no times, so that the same input
 * gives the same documents.
 *
 * @param source digest of the files in the tree, before the image's digest is filled in
 */
record Attestations(BundleFiles files, String source, BundleBuild.Inputs inputs) {
    private static final String BUILD_TYPE = "https://bundle.ipmasq.net/build/v1";
    private static final String BUILDER = "https://bundle.ipmasq.net/builder/ip-masq-agent";

    /** A CycloneDX document. */
    Map<String, Object> sbom(String archive, byte[] content) {
        List<Map<String, Object>> components = new ArrayList<>();
        files.content()
                .forEach((path, file) ->
                        components.add(component("file", "file:" + path, path, null, Sha256.hex(file), null)));
        components.add(image());
        inputs.packages().forEach(one -> components.add(one.component()));
        Map<String, Object> bundle =
                component("application", "bundle", archive, files.version(), Sha256.hex(content), null);
        List<String> packages =
                inputs.packages().stream().map(BasePackage::purl).distinct().toList();
        return object(
                "bomFormat",
                "CycloneDX",
                "specVersion",
                "1.6",
                // made from the content, where others take a random one
                "serialNumber",
                "urn:uuid:" + UUID.nameUUIDFromBytes(content),
                "version",
                1,
                "metadata",
                object("component", bundle),
                "components",
                components,
                "dependencies",
                List.of(
                        object("ref", "bundle", "dependsOn", List.of("image")),
                        object("ref", "image", "dependsOn", packages)));
    }

    private Map<String, Object> image() {
        String repository = Tree.text(files.yaml(BundleFiles.ADDON), "images", 0, "repository");
        return inputs.image()
                .map(ImageLayout::digest)
                .map(digest -> component(
                        "container",
                        "image",
                        repository,
                        digest,
                        digest.substring("sha256:".length()),
                        "pkg:oci/" + repository + "@" + digest.replace(":", "%3A")))
                .orElseGet(() -> component("container", "image", repository, files.version(), null, null));
    }

    private static Map<String, Object> component(
            String type,
            String reference,
            String name,
            @Nullable String version,
            @Nullable String sha256,
            @Nullable String purl) {
        return object(
                "type", type,
                "bom-ref", reference,
                "name", name,
                "version", version,
                "hashes", sha256 == null ? null : List.of(object("alg", "SHA-256", "content", sha256)),
                "purl", purl);
    }

    /** An in-toto statement with SLSA's provenance; {@code subjects} are digests by name. */
    Map<String, Object> provenance(Map<String, String> subjects) {
        List<Map<String, Object>> materials = new ArrayList<>();
        inputs.commit()
                .ifPresent(commit -> materials.add(object("name", "source", "digest", object("gitCommit", commit))));
        materials.add(material("bundle-directory", source));
        inputs.image().ifPresent(image -> materials.add(material("image", image.digest())));
        inputs.packagesDigest().ifPresent(digest -> materials.add(material("image-packages", digest)));
        Map<String, Object> definition = object(
                "buildType", BUILD_TYPE,
                "externalParameters", object("bundle", files.name(), "version", files.version()),
                "resolvedDependencies", materials);
        Map<String, Object> builder =
                object("id", BUILDER, "version", object("ip-masq-agent", inputs.builderVersion()));
        return object(
                "_type",
                "https://in-toto.io/Statement/v1",
                "subject",
                subjects.entrySet().stream()
                        .map(subject -> material(subject.getKey(), subject.getValue()))
                        .toList(),
                "predicateType",
                "https://slsa.dev/provenance/v1",
                "predicate",
                object("buildDefinition", definition, "runDetails", object("builder", builder)));
    }

    private static Map<String, Object> material(String name, String digest) {
        return object("name", name, "digest", object("sha256", digest.replaceFirst("^sha256:", "")));
    }
}
