package net.ipmasq.bundle.archive;

import static net.ipmasq.json.JsonText.object;

import com.github.zafarkhaja.semver.Version;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.ipmasq.agent.UsageException;
import net.ipmasq.bundle.archive.BundleFinding.Code;
import net.ipmasq.json.JsonText;
import net.ipmasq.text.FileProblem;

/**
 * A built bundle in memory: archive, OCI layout, checksums, SBOM and provenance. The same inputs give the same bytes.
 *
 * @param artifact digest of the OCI manifest
 * @param files by path below the output directory
 * @param warnings for those who ship it
 */
public record BundleBuild(
        String version, String artifact, SortedMap<String, byte[]> files, List<BundleFinding> warnings) {

    /**
     * What goes into a bundle besides its files.
     *
     * @param packagesDigest of the list of packages
     * @param commit of the source
     * @param builderVersion version of the program that builds
     */
    public record Inputs(
            Optional<ImageLayout> image,
            List<BasePackage> packages,
            Optional<String> packagesDigest,
            Optional<String> commit,
            String builderVersion) {

        /** Reads the files that the options name. */
        public static Inputs of(
                Optional<Path> image, Optional<Path> packages, Optional<String> commit, String builderVersion) {
            if (commit.isPresent() && !commit.get().matches("[0-9a-f]{40}|[0-9a-f]{64}")) {
                throw new UsageException("'" + commit.get() + "' is not a git commit; give all of its hex digits");
            }
            return new Inputs(
                    image.map(ImageLayout::read),
                    packages.map(BasePackage::read).orElse(List.of()),
                    packages.map(Inputs::digest),
                    commit,
                    builderVersion);
        }

        private static String digest(Path file) {
            try {
                return Sha256.digest(Files.readAllBytes(file));
            } catch (IOException e) {
                throw new UsageException(file + " cannot be read: " + FileProblem.why(e));
            }
        }
    }

    /** Builds from a bundle's directory. */
    public static BundleBuild of(BundleFiles tree, Inputs inputs) {
        if (!Version.isValid(tree.version())) {
            throw new UsageException(BundleFiles.ADDON + ": version '" + tree.version()
                    + "' is not a version as defined by https://semver.org");
        }
        BundleFiles filled =
                inputs.image().map(image -> FilledIn.with(tree, image)).orElse(tree);
        String stem = tree.name() + "-addon-" + tree.version();
        String archive = stem + ".tgz";
        byte[] content = BundleArchive.write(filled, stem);
        Attestations said = new Attestations(filled, Sha256.digest(Sha256.sums(tree.content())), inputs);
        OciArtifact oci = OciArtifact.of(config(filled, inputs), content, archive, tree.version());
        byte[] sbom = pretty(said.sbom(archive, content));
        Map<String, String> subjects = new LinkedHashMap<>();
        subjects.put(archive, Sha256.digest(content));
        subjects.put(stem + ".oci", oci.digest());
        subjects.put(stem + ".cdx.json", Sha256.digest(sbom));
        byte[] provenance = pretty(said.provenance(subjects));
        oci.attach("application/vnd.cyclonedx+json", sbom, stem + ".cdx.json");
        oci.attach("application/vnd.in-toto+json", provenance, stem + ".intoto.json");

        SortedMap<String, byte[]> files = new TreeMap<>();
        files.put(archive, content);
        files.put(stem + ".cdx.json", sbom);
        files.put(stem + ".intoto.json", provenance);
        oci.files().forEach((path, file) -> files.put("oci/" + path, file));
        files.put(BundleFiles.SUMS, Sha256.sums(files));
        return new BundleBuild(tree.version(), oci.digest(), files, warnings(filled, inputs));
    }

    private static Map<String, Object> config(BundleFiles files, Inputs inputs) {
        return object(
                "name", files.name(),
                "version", files.version(),
                "image", inputs.image().map(ImageLayout::digest).orElse(""),
                "requires", Tree.map(files.yaml(BundleFiles.ADDON), "requires"));
    }

    private static byte[] pretty(Map<String, Object> document) {
        return JsonText.pretty(document).getBytes(StandardCharsets.UTF_8);
    }

    private static List<BundleFinding> warnings(BundleFiles filled, Inputs inputs) {
        return inputs.image().isPresent()
                ? Platforms.judge(filled).stream().map(BundleFinding::asWarning).toList()
                : List.of(Code.DIGEST_MISSING
                        .of(
                                BundleFiles.ADDON,
                                "built without an image, so the image's digest is empty",
                                "give --image; verify refuses this bundle without --allow-missing-digest")
                        .asWarning());
    }

    /** Name of the archive. */
    public String archive() {
        return files.keySet().stream()
                .filter(path -> path.endsWith(".tgz"))
                .findFirst()
                .orElseThrow();
    }

    /** Writes everything below a directory, in place of an earlier build's layout. */
    public void writeTo(Path out) {
        try {
            Path layout = out.resolve("oci");
            if (Files.exists(layout.resolve("oci-layout"))) {
                remove(layout);
            }
            for (Map.Entry<String, byte[]> file : files.entrySet()) {
                Path target = out.resolve(file.getKey());
                Files.createDirectories(target.toAbsolutePath().getParent());
                Files.write(target, file.getValue());
            }
        } catch (IOException e) {
            throw new UsageException(out + " cannot be written: " + FileProblem.why(e));
        }
    }

    private static void remove(Path directory) throws IOException {
        try (Stream<Path> files = Files.walk(directory)) {
            for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
