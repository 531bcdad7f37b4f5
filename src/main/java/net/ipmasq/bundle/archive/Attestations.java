package net.ipmasq.bundle.archive;

import static net.ipmasq.text.JsonText.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

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
        String bundle = "bundle";
        String image = "image";
        List<Map<String, Object>> components = new ArrayList<>();
        files.content()
                .forEach((path, file) -> components.add(object(
                        "type",
                        "file",
                        "bom-ref",
                        "file:" + path,
                        "name",
                        path,
                        "hashes",
                        List.of(object("alg", "SHA-256", "content", Sha256.hex(file))))));
        components.add(imageComponent(image));
        inputs.packages().forEach(one -> components.add(one.component()));
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
                object(
                        "component",
                        object(
                                "type",
                                "application",
                                "bom-ref",
                                bundle,
                                "name",
                                archive,
                                "version",
                                files.version(),
                                "hashes",
                                List.of(object("alg", "SHA-256", "content", Sha256.hex(content))))),
                "components",
                components,
                "dependencies",
                List.of(
                        object("ref", bundle, "dependsOn", List.of(image)),
                        object(
                                "ref",
                                image,
                                "dependsOn",
                                inputs.packages().stream()
                                        .map(BasePackage::purl)
                                        .distinct()
                                        .toList())));
    }

    private Map<String, Object> imageComponent(String reference) {
        Map<String, Object> declared = Tree.map(files.yaml(BundleFiles.ADDON), "images", 0);
        String repository = Tree.text(declared, "repository");
        Optional<String> digest = inputs.image().map(ImageLayout::digest);
        return object(
                "type",
                "container",
                "bom-ref",
                reference,
                "name",
                repository,
                "version",
                digest.orElse(files.version()),
                "hashes",
                digest.map(known -> List.of(object("alg", "SHA-256", "content", known.substring("sha256:".length()))))
                        .orElse(null),
                "purl",
                digest.map(known -> "pkg:oci/" + repository + "@" + known.replace(":", "%3A"))
                        .orElse(null));
    }

    /** An in-toto statement with SLSA's provenance; {@code subjects} are digests by name. */
    Map<String, Object> provenance(Map<String, String> subjects) {
        List<Map<String, Object>> materials = new ArrayList<>();
        inputs.commit()
                .ifPresent(commit -> materials.add(object("name", "source", "digest", object("gitCommit", commit))));
        materials.add(material("bundle-directory", source));
        inputs.image().ifPresent(image -> materials.add(material("image", image.digest())));
        inputs.packagesDigest().ifPresent(digest -> materials.add(material("image-packages", digest)));
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
                object(
                        "buildDefinition",
                        object(
                                "buildType",
                                BUILD_TYPE,
                                "externalParameters",
                                object("bundle", files.name(), "version", files.version()),
                                "resolvedDependencies",
                                materials),
                        "runDetails",
                        object(
                                "builder",
                                object("id", BUILDER, "version", object("ip-masq-agent", inputs.builderVersion())))));
    }

    private static Map<String, Object> material(String name, String digest) {
        return object("name", name, "digest", object("sha256", digest.replaceFirst("^sha256:", "")));
    }
}
