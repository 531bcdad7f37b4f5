package net.ipmasq.bundle.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.ipmasq.bundle.Bundle;
import net.ipmasq.bundle.BundleCli;
import net.ipmasq.json.JsonReader;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a build writes: the same for the same input, and whole in itself. */
class BundleBuildTest {
    private static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";

    @TempDir
    Path dir;

    private final FakeImage image = new FakeImage("layer");
    private Path tar;
    private Path packages;

    @BeforeEach
    void inputs() throws IOException {
        tar = image.tar(dir.resolve("image.tar"));
        packages = Files.writeString(
                dir.resolve("packages"), "iptables\t1.8.9-2\tamd64\nlibc6:amd64 2.36-9+deb12u10\nnftables 1:1.0.6-2\n");
    }

    private Path build(Path tree, String out) {
        Path target = dir.resolve(out);
        BundleCli.build(tree, target, "--image", tar, "--packages", packages, "--commit", COMMIT);
        return target;
    }

    private static Map<String, byte[]> files(Path root) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.filter(Files::isRegularFile).toList()) {
                files.put(root.relativize(file).toString(), Files.readAllBytes(file));
            }
        }
        return files;
    }

    private static Map<String, String> digests(Path root) throws IOException {
        Map<String, String> digests = new TreeMap<>();
        files(root).forEach((path, content) -> digests.put(path, FakeImage.sha256(content)));
        return digests;
    }

    private static Map<String, Object> json(byte[] text) throws IOException {
        return JsonReader.object(new String(text, StandardCharsets.UTF_8));
    }

    private Map<String, Object> json(Path root, String suffix) throws IOException {
        return json(Files.readAllBytes(root.resolve("ip-masq-agent-addon-" + Bundle.version() + suffix)));
    }

    @Test
    void twiceGivesTheSameBytes() throws IOException {
        assertThat(digests(build(Bundle.ROOT, "one")))
                .isEqualTo(digests(build(Bundle.ROOT, "two")))
                .hasSizeGreaterThan(10);
    }

    /** Another directory, other times and permissions, another user. */
    @Test
    void nothingOfTheMachineIsInIt() throws IOException {
        Map<String, String> here = digests(build(Bundle.ROOT, "one"));
        Path copy = BundleCopy.in(dir).root();
        try (Stream<Path> files = Files.walk(copy)) {
            for (Path file : files.filter(Files::isRegularFile).toList()) {
                Files.setLastModifiedTime(file, FileTime.fromMillis(1_000_000_000_000L + file.hashCode()));
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
            }
        }
        String user = System.setProperty("user.name", "somebody");
        try {
            assertThat(digests(build(copy, "two"))).isEqualTo(here);
        } finally {
            System.setProperty("user.name", user);
        }
    }

    @Test
    void otherContentGivesAnotherDigest() throws IOException {
        Path copy = BundleCopy.in(dir).replace("README.md", "add-on", "addon").root();
        assertThat(digests(build(copy, "two")).get("SHA256SUMS"))
                .isNotEqualTo(digests(build(Bundle.ROOT, "one")).get("SHA256SUMS"));
    }

    /** A second build into one directory leaves nothing of the first in the layout. */
    @Test
    void theLayoutIsThatOfTheLastBuild() throws IOException {
        Path copy = BundleCopy.in(dir).replace("README.md", "add-on", "addon").root();
        build(copy, "one");
        assertThat(digests(build(Bundle.ROOT, "one"))).isEqualTo(digests(build(Bundle.ROOT, "two")));
    }

    @Test
    void theDigestOfTheImageIsWhereverTheImageIs() throws IOException {
        BundleFiles built = BundleFiles.read(archive(build(Bundle.ROOT, "one")));
        assertThat(Bundle.at(built.yaml("addon.yaml"), "images", 0, "digest")).contains(image.digest);
        assertThat(Bundle.at(built.yaml("chart/values.yaml"), "image", "digest"))
                .contains(image.digest);
        assertThat(Bundle.at(built.yaml("chart/Chart.yaml"), "annotations", "artifacthub.io/images")
                        .orElseThrow()
                        .toString())
                .contains("image: ip-masq-agent@" + image.digest);
        // and nothing else differs from the tree
        BundleFiles tree = BundleFiles.read(Bundle.ROOT);
        assertThat(built.content().keySet()).isEqualTo(tree.content().keySet());
        assertThat(built.text("addon.yaml")
                        .replace("\"" + image.digest + "\"\n    platforms: [linux/amd64, linux/arm64]\n", "\"\"\n"))
                .isEqualTo(tree.text("addon.yaml"));
    }

    private static Path archive(Path out) {
        return out.resolve("ip-masq-agent-addon-" + Bundle.version() + ".tgz");
    }

    @Test
    void aDirectoryOfAnImageIsAsGoodAsItsTar() throws IOException {
        Path out = dir.resolve("two");
        Path layout = image.directory(dir.resolve("layout"));
        BundleCli.build(Bundle.ROOT, out, "--image", layout, "--packages", packages, "--commit", COMMIT);
        assertThat(digests(out)).isEqualTo(digests(build(Bundle.ROOT, "one")));
    }

    /** Every descriptor leads to a blob of its size and digest, and every blob is reached. */
    @Test
    void theLayoutIsWholeInItself() throws IOException {
        Path out = build(Bundle.ROOT, "one");
        Map<String, byte[]> layout = files(out.resolve("oci"));
        assertThat(json(layout.get("oci-layout"))).containsEntry("imageLayoutVersion", "1.0.0");
        List<String> reached = new ArrayList<>();
        List<Object> manifests = Bundle.list(json(layout.get("index.json")).get("manifests"));
        for (Object descriptor : manifests) {
            Map<String, Object> manifest = json(blob(layout, descriptor, reached));
            assertThat(manifest)
                    .containsEntry("schemaVersion", 2L)
                    .containsEntry("artifactType", Bundle.map(descriptor).get("artifactType"))
                    .containsEntry("mediaType", Bundle.map(descriptor).get("mediaType"));
            blob(layout, manifest.get("config"), reached);
            for (Object layer : Bundle.list(manifest.get("layers"))) {
                blob(layout, layer, reached);
            }
            if (manifest.containsKey("subject")) {
                assertThat(Bundle.map(manifest.get("subject")).get("digest"))
                        .isEqualTo(Bundle.map(manifests.getFirst()).get("digest"));
            }
        }
        assertThat(layout.keySet().stream().filter(path -> path.startsWith("blobs/")))
                .containsOnlyElementsOf(reached);
        Map<String, Object> artifact = json(blob(layout, manifests.getFirst(), reached));
        assertThat(blob(layout, Bundle.at(artifact, "layers", 0).orElseThrow(), reached))
                .isEqualTo(Files.readAllBytes(archive(out)));
        assertThat(Bundle.at(artifact, "config", "mediaType")).contains(OciArtifact.CONFIG);
        assertThat(manifests).hasSize(3);
    }

    private static byte[] blob(Map<String, byte[]> layout, Object descriptor, List<String> reached) {
        String digest = Bundle.map(descriptor).get("digest").toString();
        String path = "blobs/" + digest.replace(':', '/');
        reached.add(path);
        byte[] content = layout.get(path);
        assertThat(content).as(digest).isNotNull();
        assertThat("sha256:" + FakeImage.sha256(content)).isEqualTo(digest);
        assertThat(Bundle.map(descriptor)).containsEntry("size", (long) content.length);
        return content;
    }

    @Test
    void checksumsCoverEverything() throws IOException {
        Path out = build(Bundle.ROOT, "one");
        Map<String, String> expected = digests(out);
        expected.remove("SHA256SUMS");
        assertThat(Files.readAllLines(out.resolve("SHA256SUMS")))
                .containsExactlyElementsOf(expected.entrySet().stream()
                        .map(file -> file.getValue() + "  " + file.getKey())
                        .toList());
    }

    @Test
    void theSbomNamesFilesImageAndPackages() throws IOException {
        Path out = build(Bundle.ROOT, "one");
        Map<String, Object> sbom = json(out, ".cdx.json");
        assertThat(sbom).containsEntry("bomFormat", "CycloneDX").containsEntry("specVersion", "1.6");
        Map<String, Map<String, Object>> components = new TreeMap<>();
        Bundle.list(sbom.get("components"))
                .forEach(one -> components.put((String) Bundle.map(one).get("name"), Bundle.map(one)));
        BundleFiles.read(archive(out))
                .content()
                .forEach((path, content) -> assertThat(Bundle.at(components.get(path), "hashes", 0, "content"))
                        .as(path)
                        .contains(FakeImage.sha256(content)));
        assertThat(components.get("ip-masq-agent"))
                .containsEntry("type", "container")
                .containsEntry("version", image.digest);
        assertThat(components.get("iptables")).containsEntry("purl", "pkg:deb/debian/iptables@1.8.9-2?arch=amd64");
        assertThat(components.get("libc6"))
                .containsEntry("version", "2.36-9+deb12u10")
                .containsEntry("purl", "pkg:deb/debian/libc6@2.36-9%2Bdeb12u10?arch=amd64");
        assertThat(components.get("nftables")).containsEntry("version", "1:1.0.6-2");
        assertThat(Bundle.list(sbom.get("dependencies"))).hasSize(2);
    }

    @Test
    void theProvenanceNamesWhatWasMadeAndOfWhat() throws IOException {
        Path out = build(Bundle.ROOT, "one");
        Map<String, Object> statement = json(out, ".intoto.json");
        assertThat(statement)
                .containsEntry("_type", "https://in-toto.io/Statement/v1")
                .containsEntry("predicateType", "https://slsa.dev/provenance/v1");
        assertThat(Bundle.at(statement, "subject", 0, "digest", "sha256"))
                .contains(FakeImage.sha256(Files.readAllBytes(archive(out))));
        assertThat(Bundle.at(statement, "subject", 1, "digest", "sha256"))
                .isEqualTo(Bundle.at(json(Files.readAllBytes(out.resolve("oci/index.json"))), "manifests", 0, "digest")
                        .map(digest -> digest.toString().substring("sha256:".length())));
        Object made = Bundle.at(statement, "predicate", "buildDefinition", "resolvedDependencies")
                .orElseThrow();
        assertThat(Bundle.list(made).stream().map(one -> Bundle.map(one).get("name")))
                .containsExactly("source", "bundle-directory", "image", "image-packages");
        assertThat(Bundle.at(made, 0, "digest", "gitCommit")).contains(COMMIT);
        assertThat(Bundle.at(made, 2, "digest", "sha256")).contains(image.digest.substring("sha256:".length()));
        assertThat(Bundle.at(statement, "predicate", "runDetails", "builder", "id"))
                .isNotEqualTo(Optional.empty());
    }

    @Test
    void withoutAnImageItSaysSo() {
        BundleCli run = BundleCli.run("build", "--out", dir.resolve("one"));
        assertThat(run.code()).isZero();
        assertThat(run.err()).contains("without an image").contains("[digest-missing]");
    }

    @Test
    void whatCannotBeTheImageIsRefused() throws IOException {
        FakeImage broken = new FakeImage("layer");
        broken.files
                .keySet()
                .removeIf(path -> path.endsWith(FakeImage.sha256("layer".getBytes(StandardCharsets.UTF_8))));
        refused("lacks the blob", "--image", broken.tar(dir.resolve("broken.tar")));
        FakeImage changed = new FakeImage("layer");
        changed.files.replaceAll((path, content) -> path.startsWith("blobs/")
                ? new String(content, StandardCharsets.UTF_8)
                        .replace("amd64", "arm64")
                        .getBytes(StandardCharsets.UTF_8)
                : content);
        refused("has another digest", "--image", changed.tar(dir.resolve("changed.tar")));
        FakeImage layer = new FakeImage("layer");
        layer.files.replaceAll(
                (path, content) -> content.length == 5 ? "other".getBytes(StandardCharsets.UTF_8) : content);
        refused("has another digest", "--image", layer.tar(dir.resolve("layer.tar")));
        FakeImage two = new FakeImage("layer");
        two.files.computeIfPresent(
                "index.json",
                (path, content) -> new String(content, StandardCharsets.UTF_8)
                        .replace("[{", "[{},{")
                        .getBytes(StandardCharsets.UTF_8));
        refused("has 2 images", "--image", two.tar(dir.resolve("two.tar")));
        refused("not an OCI image layout", "--image", Files.createDirectory(dir.resolve("empty")));
        refused("no such file", "--image", dir.resolve("absent.tar"));
        refused("not an OCI image layout", "--image", packages);
    }

    @Test
    void badOptionsAreRefused() throws IOException {
        refused("is not a git commit", "--commit", "main");
        refused(
                "is not NAME VERSION",
                "--packages",
                Files.writeString(dir.resolve("bad"), "a package with many words"));
        refused("is not a bundle", "--bundle", dir);
        Path filled = BundleCopy.in(dir)
                .replace("addon.yaml", "digest: \"\"", "digest: " + image.digest)
                .root();
        refused("has to be empty", "--bundle", filled, "--image", tar);
        Path linked = BundleCopy.in(dir).root();
        Files.createSymbolicLink(linked.resolve("link"), Path.of("/etc/hostname"));
        refused("is a link", "--bundle", linked);
    }

    private void refused(String message, Object... options) {
        List<Object> args = new ArrayList<>(List.of("build", "--out", dir.resolve("refused")));
        args.addAll(List.of(options));
        BundleCli run = BundleCli.run(args.toArray());
        assertThat(run.code()).as(run.toString()).isEqualTo(2);
        assertThat(run.err()).contains(message).doesNotContain("\tat ");
    }
}
