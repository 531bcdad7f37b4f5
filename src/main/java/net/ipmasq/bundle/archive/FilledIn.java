package net.ipmasq.bundle.archive;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.agent.UsageException;

/** Fills in the digest of the image, which is empty in the tree. */
final class FilledIn {
    private static final Pattern EMPTY = Pattern.compile("(?m)^(\\s+digest: )\"\"$");
    private static final Pattern ANNOTATIONS = Pattern.compile("(?m)^annotations:\\n");

    private FilledIn() {}

    /** The bundle with this image's digest and platforms; as text, so that comments stay. */
    static BundleFiles with(BundleFiles bundle, ImageLayout image) {
        String digest = image.digest();
        String platforms = "\n    platforms: [" + String.join(", ", image.platforms()) + "]";
        String repository = Tree.text(bundle.yaml(BundleFiles.VALUES), "image", "repository");
        String annotation = "annotations:\n  artifacthub.io/images: |\n    - name: " + bundle.name() + "\n      image: "
                + repository + "@" + digest + "\n";
        return replaced(
                replaced(
                        replaced(bundle, BundleFiles.ADDON, EMPTY, "$1\"" + digest + "\"" + platforms),
                        BundleFiles.VALUES,
                        EMPTY,
                        "$1\"" + digest + "\""),
                BundleFiles.CHART,
                ANNOTATIONS,
                annotation);
    }

    private static BundleFiles replaced(BundleFiles bundle, String file, Pattern place, String by) {
        String text = bundle.text(file);
        Matcher matcher = place.matcher(text);
        if (matcher.results().count() != 1) {
            throw new UsageException(file + " has not one place for the image's digest (" + place
                    + "): it has to be empty in the tree that a bundle is built from");
        }
        return bundle.with(file, matcher.replaceFirst(by));
    }
}
