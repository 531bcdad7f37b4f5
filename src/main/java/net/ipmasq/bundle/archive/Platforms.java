package net.ipmasq.bundle.archive;

import java.util.List;
import java.util.Optional;
import net.ipmasq.bundle.archive.BundleFinding.Code;

/** Compares the platforms of the image in a built bundle with the architectures that the bundle requires. */
final class Platforms {
    private Platforms() {}

    /** A finding if the image lacks a platform of nodes that the bundle allows; none for a bundle without an image. */
    static Optional<BundleFinding> judge(BundleFiles bundle) {
        Object addon = bundle.yaml(BundleFiles.ADDON);
        if (Tree.text(addon, "images", 0, "digest").isEmpty()) {
            return Optional.empty();
        }
        List<String> there = Tree.texts(addon, "images", 0, "platforms");
        List<String> missing = Tree.texts(addon, "requires", "architectures").stream()
                .filter(architecture -> !there.contains("linux/" + architecture))
                .toList();
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(Code.PLATFORM_MISSING.of(
                        BundleFiles.ADDON,
                        "the image is for " + (there.isEmpty() ? "no known platform" : String.join(", ", there))
                                + ", but requires.architectures has " + String.join(", ", missing) + " too",
                        "build with an image index over all of them, or take it out of requires.architectures"));
    }
}
