package net.ipmasq.bundle.cluster.preflight;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import net.ipmasq.agent.UsageException;
import net.ipmasq.bundle.archive.Tree;

/**
 * What a bundle's {@code addon.yaml} requires of a cluster.
 *
 * @param grants the rights that an install grants; only somebody who has them may grant them
 */
public record Requirements(
        String version,
        VersionRange kubernetes,
        VersionRange kernel,
        List<String> architectures,
        List<String> agents,
        List<Grant> grants) {

    /** A right of the agent's account. */
    record Grant(boolean clusterWide, String apiGroup, String resource, List<String> names, List<String> verbs) {}

    /** Those of the bundle that this program belongs to. */
    public static Requirements own() {
        try (InputStream in = Requirements.class.getResourceAsStream("/bundle/addon.yaml")) {
            if (in == null) {
                throw new IllegalStateException("the artifact lacks bundle/addon.yaml");
            }
            return of(new String(in.readAllBytes(), StandardCharsets.UTF_8), "the add-on's addon.yaml");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Those of a text.
     *
     * @param file named in errors
     * @throws UsageException if it is no {@code addon.yaml}, saying what is wrong
     */
    public static Requirements of(String yaml, String file) {
        Map<String, Object> root = Tree.mapping(yaml, file);
        try {
            return new Requirements(
                    text(root, "version"),
                    VersionRange.of(text(root, "requires", "kubernetes")),
                    VersionRange.of(text(root, "requires", "kernel")),
                    Tree.texts(root, "requires", "architectures"),
                    Tree.list(root, "requires", "conflicts").stream()
                            .map(one -> text(one, "name"))
                            .toList(),
                    Tree.list(root, "permissions", "kubernetes").stream()
                            // granted only under certain values
                            .filter(one -> Tree.at(one, "when").isEmpty())
                            .map(Requirements::grant)
                            .toList());
        } catch (IllegalArgumentException e) {
            throw new UsageException(file + " is no description of an add-on: " + e.getMessage());
        }
    }

    private static Grant grant(Object one) {
        return new Grant(
                text(one, "scope").equals("cluster"),
                text(one, "apiGroup"),
                text(one, "resource"),
                Tree.texts(one, "names"),
                Tree.texts(one, "verbs"));
    }

    private static String text(Object from, String... path) {
        return Tree.at(from, (Object[]) path)
                .filter(String.class::isInstance)
                .map(String.class::cast)
                .orElseThrow(() -> new IllegalArgumentException("there is no text at " + String.join(".", path)));
    }
}
