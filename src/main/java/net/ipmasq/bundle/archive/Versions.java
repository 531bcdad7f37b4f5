package net.ipmasq.bundle.archive;

import com.github.zafarkhaja.semver.Version;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.bundle.archive.BundleFinding.Code;

/** The versions in a bundle: all of them equal, and not lower than that of the bundle before. */
final class Versions {
    private Versions() {}

    static List<BundleFinding> judge(BundleFiles bundle, Optional<BundleFiles> previous) {
        List<BundleFinding> findings = new ArrayList<>();
        String version = bundle.version();
        if (!Version.isValid(version)) {
            findings.add(Code.VERSION_INVALID.of(
                    BundleFiles.ADDON,
                    "version '" + version + "' is not a version as defined by https://semver.org",
                    "write one such as 1.2.3"));
        }
        others(bundle).forEach((place, other) -> {
            if (!other.equals(version)) {
                findings.add(Code.VERSIONS_DIFFER.of(
                        place.substring(0, place.indexOf(':')),
                        place.substring(place.indexOf(':') + 1) + " is '" + other + "', but " + BundleFiles.ADDON
                                + " says '" + version + "'",
                        "./dev generate sets both"));
            }
        });
        previous.flatMap(before -> order(before, bundle)).ifPresent(findings::add);
        previous.flatMap(before -> jump(before, bundle)).ifPresent(findings::add);
        return findings;
    }

    /** A finding if {@code after} lists the versions that it can follow, without {@code before}. */
    private static Optional<BundleFinding> jump(BundleFiles before, BundleFiles after) {
        List<String> from = Tree.texts(after.yaml(BundleFiles.ADDON), "upgradableFrom");
        return from.isEmpty() || before.version().equals(after.version()) || from.contains(before.version())
                ? Optional.empty()
                : Optional.of(Code.VERSION_JUMP.of(
                        BundleFiles.ADDON,
                        "it does not follow " + before.version() + ", but " + String.join(", ", from),
                        "upgrade to one of these first, or add it to upgradableFrom"));
    }

    private static Map<String, String> others(BundleFiles bundle) {
        Map<String, String> others = new LinkedHashMap<>();
        Map<String, Object> chart = bundle.yaml(BundleFiles.CHART);
        others.put(BundleFiles.CHART + ":version", Tree.text(chart, "version"));
        others.put(BundleFiles.CHART + ":appVersion", Tree.text(chart, "appVersion"));
        others.put(
                BundleFiles.COMPATIBILITY + ":the newest version",
                Tree.text(bundle.yaml(BundleFiles.COMPATIBILITY), "versions", 0, "version"));
        return others;
    }

    /** A finding if {@code after} is not a later version than {@code before}; the same bundle twice is fine. */
    static Optional<BundleFinding> order(BundleFiles before, BundleFiles after) {
        Optional<Version> from = Version.tryParse(before.version());
        Optional<Version> to = Version.tryParse(after.version());
        if (from.isEmpty() || to.isEmpty()) {
            return Optional.empty();
        }
        int order = to.get().compareToIgnoreBuildMetadata(from.get());
        if (order < 0) {
            return Optional.of(Code.VERSION_DOWNGRADE.of(
                    BundleFiles.ADDON,
                    "version " + after.version() + " comes before " + before.version(),
                    "raise the version, or compare with the bundle that it follows"));
        }
        return order > 0 || before.sameContent(after)
                ? Optional.empty()
                : Optional.of(Code.VERSION_REUSED.of(
                        BundleFiles.ADDON,
                        "version " + after.version() + " was already used for other content",
                        "raise the version: two bundles with one version cannot be told apart"));
    }
}
