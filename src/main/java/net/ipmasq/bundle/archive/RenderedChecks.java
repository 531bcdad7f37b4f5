package net.ipmasq.bundle.archive;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import net.ipmasq.bundle.archive.BundleFinding.Code;
import net.ipmasq.bundle.archive.Rendering.Manifests;
import org.jspecify.annotations.Nullable;

/** Checks of the rendered manifests: with the defaults, each profile, each example and each switch. */
final class RenderedChecks {
    private static final String BUILD_WITH_IMAGE = "build it with --image, which fills the digest in";

    private final BundleFiles bundle;
    private final HelmChart chart;
    private final boolean withoutDigest;
    private final String repository;
    private final String digest;
    private final List<BundleFinding> findings = new ArrayList<>();
    /** Reported once each, since most cases have the same image. */
    private final Set<String> byTag = new HashSet<>();

    private final Set<String> undeclaredImages = new HashSet<>();

    private final Map<String, Object> defaults;
    private final SortedSet<Right> undeclared = new TreeSet<>();

    RenderedChecks(BundleFiles bundle, HelmChart chart, boolean withoutDigest) {
        this.bundle = bundle;
        this.chart = chart;
        this.withoutDigest = withoutDigest;
        this.defaults = bundle.yaml(BundleFiles.VALUES);
        this.repository = Tree.text(bundle.yaml(BundleFiles.ADDON), "images", 0, "repository");
        this.digest = Tree.text(bundle.yaml(BundleFiles.ADDON), "images", 0, "digest");
    }

    List<BundleFinding> judge() {
        digests();
        ValuesSchema schema = new ValuesSchema(bundle.text(BundleFiles.SCHEMA));
        for (ValuesCase one : ValuesCase.of(bundle)) {
            List<String> refusals = schema.refusals(Tree.over(defaults, one.values()));
            refusals.forEach(refusal -> findings.add(Code.VALUES_REFUSED.of(
                    one.file(), "the schema refuses it: " + refusal, "correct it, or the schema")));
            if (refusals.isEmpty()) {
                render(one);
            }
        }
        for (ValuesCase one : Switches.of(bundle)) {
            // a refusal is fine here: not every switch can be combined with the other defaults
            if (chart.render(one.values()) instanceof Manifests manifests) {
                judge(one, manifests);
            }
        }
        for (Right right : undeclared) {
            findings.add(Code.RIGHT_UNDECLARED.of(
                    BundleFiles.ADDON,
                    "the chart grants a right that is not declared: " + right,
                    "take it out of the chart, or declare it with its reason under permissions"));
        }
        return findings.stream().distinct().toList();
    }

    private void digests() {
        String chartsDigest = Tree.text(bundle.yaml(BundleFiles.VALUES), "image", "digest");
        if (!digest.equals(chartsDigest)) {
            findings.add(Code.DIGESTS_DIFFER.of(
                    BundleFiles.VALUES,
                    "image.digest is '" + chartsDigest + "', but " + BundleFiles.ADDON + " says '" + digest + "'",
                    BUILD_WITH_IMAGE));
        }
        String tag = Tree.text(bundle.yaml(BundleFiles.VALUES), "image", "tag");
        if (!tag.isEmpty()) {
            findings.add(byTag(BundleFiles.VALUES, "image.tag '" + tag + "'"));
        }
        if (!Sha256.DIGEST.matcher(digest).matches()) {
            BundleFinding missing = Code.DIGEST_MISSING.of(
                    BundleFiles.ADDON, "the digest of the image is '" + digest + "'", BUILD_WITH_IMAGE);
            findings.add(mayBeMissing() ? missing.asWarning() : missing);
        }
    }

    private boolean mayBeMissing() {
        return withoutDigest && digest.isEmpty();
    }

    private static BundleFinding byTag(String file, String image) {
        return Code.IMAGE_BY_TAG.of(
                file,
                image + " is not a reference by digest, so its content can change",
                "refer to the image as NAME@sha256:...");
    }

    private void render(ValuesCase one) {
        switch (chart.render(one.values())) {
            case Rendering.Refused refused ->
                findings.add(Code.CHART_NOT_RENDERED.of(
                        one.file(), "Helm refuses it: " + refused.message(), "correct it, or the chart"));
            case Manifests manifests -> judge(one, manifests);
        }
    }

    private void judge(ValuesCase one, Manifests manifests) {
        Map<String, Object> values = Tree.over(defaults, one.values());
        undeclared.addAll(Right.beyond(Right.declared(bundle, values), Right.of(manifests)));
        images(one, manifests.documents());
        if (CaseRules.of(manifests, manifests) instanceof CompiledRules.Bad bad) {
            findings.add(Code.CONFIG_INVALID.of(
                    one.file(), "the agent would not accept " + bad.message() + " (" + one.name() + ")", "correct it"));
        }
    }

    private void images(ValuesCase one, @Nullable Object node) {
        if (node instanceof Map<?, ?> map) {
            if (map.get("containers") instanceof List<?>) {
                PodRights.containers(Tree.map(map)).forEach(container -> image(one, Tree.text(container, "image")));
            }
            map.values().forEach(value -> images(one, value));
        } else if (node instanceof List<?> list) {
            list.forEach(item -> images(one, item));
        }
    }

    private void image(ValuesCase one, String image) {
        String[] parts = image.split("@", 2);
        boolean byDigest = parts.length == 2 && Sha256.DIGEST.matcher(parts[1]).matches();
        if (!byDigest && !mayBeMissing()) {
            if (byTag.add(image)) {
                findings.add(byTag(one.file(), "the image '" + image + "'"));
            }
        } else if (!isDeclared(one, parts, byDigest) && undeclaredImages.add(image)) {
            findings.add(Code.DIGESTS_DIFFER.of(
                    one.file(),
                    "the image '" + image + "' is not the one that " + BundleFiles.ADDON + " names, " + repository + "@"
                            + digest + " (" + one.name() + ")",
                    "take it out of the chart; " + BUILD_WITH_IMAGE));
        }
    }

    /** Whether it is the declared image, except for what the case itself sets, such as a mirror or another image. */
    private boolean isDeclared(ValuesCase one, String[] parts, boolean byDigest) {
        String registry = Tree.text(Tree.over(defaults, one.values()), "image", "registry");
        String of = Tree.at(one.values(), "image", "repository")
                .map(String::valueOf)
                .orElse(repository);
        String wanted =
                Tree.at(one.values(), "image", "digest").map(String::valueOf).orElse(digest);
        String name = byDigest ? parts[0] : parts[0].replaceFirst(":[^:/]*$", "");
        return name.equals(registry.isEmpty() ? of : registry + "/" + of) && (!byDigest || parts[1].equals(wanted));
    }
}
