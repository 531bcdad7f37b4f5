package net.ipmasq.bundle.archive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.UsageException;
import net.ipmasq.text.FileProblem;

/** The manifests of a bundle for values that somebody has written. */
public final class BundleManifests {
    private BundleManifests() {}

    /**
     * Renders them.
     *
     * @param provider the profile; takes precedence over the values
     * @param files with values; the later one takes precedence
     * @throws UsageException if something cannot be read, there is no such profile, or Helm's engine is missing
     */
    public static Rendering render(BundleFiles bundle, Optional<String> provider, List<Path> files) {
        Map<String, Object> values = Map.of();
        for (Path file : files) {
            values = Tree.over(values, Tree.mapping(text(file), file.toString()));
        }
        if (provider.isPresent()) {
            List<String> profiles = Tree.texts(bundle.yaml(BundleFiles.ADDON), "profiles");
            if (!profiles.contains(provider.get())) {
                throw new UsageException(
                        "the bundle has no profile '" + provider.get() + "'; it has " + String.join(", ", profiles));
            }
            values = Tree.over(values, Map.of("profile", Map.of("name", provider.get())));
        }
        try (HelmEngine engine = HelmEngine.start()) {
            return engine.chart(bundle).render(values);
        }
    }

    private static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UsageException(file + " cannot be read: " + FileProblem.why(e));
        }
    }
}
