package net.ipmasq.bundle.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import net.ipmasq.agent.UsageException;
import net.ipmasq.bundle.archive.BundleFinding.Code;
import net.ipmasq.text.FileProblem;

/** Checks an archive before anybody installs it, and reports everything that is wrong at once. */
public final class Verification {
    private static final List<String> REQUIRED = List.of(
            BundleFiles.ADDON,
            BundleFiles.COMPATIBILITY,
            BundleFiles.CHART,
            BundleFiles.VALUES,
            BundleFiles.SCHEMA,
            BundleFiles.USER_TEMPLATE);

    private Verification() {}

    /**
     * Checks one.
     *
     * @param previous the bundle that it is to follow
     * @param withoutDigest whether an empty digest of the image is only a warning
     * @throws UsageException if a file cannot be read, or Helm's engine is missing
     */
    public static List<BundleFinding> of(Path archive, Optional<BundleFiles> previous, boolean withoutDigest) {
        HelmEngine.require();
        List<BundleFinding> findings = new ArrayList<>();
        BundleFiles bundle = BundleArchive.read(bytes(archive), findings);
        findings.addAll(checksums(bundle));
        List<BundleFinding> shape = shape(bundle);
        findings.addAll(shape);
        if (!shape.isEmpty()) {
            // the other checks would repeat it in other words
            return findings;
        }
        findings.addAll(TemplateCheck.judge(bundle));
        Platforms.judge(bundle).ifPresent(findings::add);
        findings.addAll(Versions.judge(bundle, previous));
        previous.flatMap(before -> userTemplate(before, bundle)).ifPresent(findings::add);
        try (HelmEngine engine = HelmEngine.start()) {
            findings.addAll(new RenderedChecks(bundle, engine.chart(bundle), withoutDigest).judge());
        }
        return findings;
    }

    private static byte[] bytes(Path archive) {
        try {
            return Files.readAllBytes(archive);
        } catch (IOException e) {
            throw new UsageException(archive + " cannot be read: " + FileProblem.why(e));
        }
    }

    private static List<BundleFinding> checksums(BundleFiles bundle) {
        Optional<String> text = bundle.find(BundleFiles.SUMS);
        if (text.isEmpty()) {
            return List.of(Code.CHECKSUMS_MISSING.of(
                    BundleFiles.SUMS, "there is none", "use a bundle that ip-masq-fleet bundle build has made"));
        }
        List<BundleFinding> findings = new ArrayList<>();
        Map<String, String> listed = new TreeMap<>(Sha256.read(text.get()));
        bundle.content().forEach((path, content) -> {
            String sum = listed.remove(path);
            if (sum == null) {
                findings.add(Code.FILE_NOT_LISTED.of(
                        path,
                        "it is not listed in " + BundleFiles.SUMS,
                        "somebody has added it; build or fetch it again"));
            } else if (!sum.equals(Sha256.hex(content))) {
                findings.add(Code.CHECKSUM_MISMATCH.of(
                        path,
                        "its checksum differs from the listed one",
                        "somebody has changed it; build or fetch it again"));
            }
        });
        listed.keySet()
                .forEach(path -> findings.add(Code.FILE_MISSING.of(
                        path, "it is listed in " + BundleFiles.SUMS + ", but not there", "build or fetch it again")));
        return findings;
    }

    /** What must be there and readable before anything else can be checked. */
    private static List<BundleFinding> shape(BundleFiles bundle) {
        List<BundleFinding> findings = new ArrayList<>();
        for (String path : REQUIRED) {
            if (bundle.find(path).isEmpty()) {
                findings.add(
                        Code.FILE_REQUIRED.of(path, "a bundle must have it", "add it to the tree and build again"));
            }
        }
        for (String path : bundle.content().keySet()) {
            if (path.endsWith(".yaml") && !path.startsWith("chart/templates/")) {
                try {
                    bundle.yaml(path);
                } catch (UsageException e) {
                    findings.add(Code.FILE_UNREADABLE.of(
                            path, String.valueOf(e.getMessage()), "correct it and build again"));
                }
            }
        }
        bundle.find(BundleFiles.SCHEMA).ifPresent(schema -> {
            try {
                new ValuesSchema(schema).refusals(Map.of());
            } catch (UsageException e) {
                findings.add(Code.FILE_UNREADABLE.of(
                        BundleFiles.SCHEMA, String.valueOf(e.getMessage()), "correct it and build again"));
            }
        });
        return findings;
    }

    /** A finding if clusters with the older bundle's ConfigMap would differ from new ones. */
    static Optional<BundleFinding> userTemplate(BundleFiles before, BundleFiles after) {
        return before.find(BundleFiles.USER_TEMPLATE).equals(after.find(BundleFiles.USER_TEMPLATE))
                ? Optional.empty()
                : Optional.of(Code.USER_TEMPLATE_CHANGED.of(
                        BundleFiles.USER_TEMPLATE,
                        "the template of the user's ConfigMap differs from that of " + before.version(),
                        "restore it; put changes into the profile"));
    }
}
