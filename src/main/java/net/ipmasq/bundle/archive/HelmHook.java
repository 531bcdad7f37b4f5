package net.ipmasq.bundle.archive;

import java.util.Arrays;
import java.util.Map;
import java.util.Set;

/** Helm's hooks: Helm runs them at certain times, so whoever applies manifests without Helm leaves them out. */
public final class HelmHook {
    private static final String ANNOTATION = "helm.sh/hook";
    private static final Set<String> BRINGS_IN =
            Set.of("crd-install", "pre-install", "post-install", "pre-upgrade", "post-upgrade");

    private HelmHook() {}

    /** Whether it is a hook that neither an install nor an upgrade runs: an uninstall's, a roll-back's, a test. */
    public static boolean isOfAnotherTime(Map<?, ?> manifest) {
        return Tree.at(manifest, "metadata", "annotations", ANNOTATION)
                .filter(hook -> Arrays.stream(hook.toString().split(","))
                        .map(String::strip)
                        .noneMatch(BRINGS_IN::contains))
                .isPresent();
    }
}
