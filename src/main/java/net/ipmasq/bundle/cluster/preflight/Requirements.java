package net.ipmasq.bundle.cluster.preflight;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/**
 * What a bundle's {@code addon.yaml} asks of a cluster.
 *
 * @param grants the rights that installing gives away, which takes somebody who has them
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
            return of(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Those of a text.
     *
     * @throws IllegalArgumentException if it is no {@code addon.yaml}, saying what is wrong
     */
    public static Requirements of(String yaml) {
        Object root;
        try {
            root = new Yaml(new SafeConstructor(new LoaderOptions())).load(yaml);
        } catch (YAMLException e) {
            throw new IllegalArgumentException(e.getMessage(), e);
        }
        return new Requirements(
                text(root, "version"),
                VersionRange.of(text(root, "requires", "kubernetes")),
                VersionRange.of(text(root, "requires", "kernel")),
                texts(at(root, "requires", "architectures")),
                list(at(root, "requires", "conflicts")).stream()
                        .map(one -> text(one, "name"))
                        .toList(),
                list(at(root, "permissions", "kubernetes")).stream()
                        // given only where the values ask for it
                        .filter(one -> at(one, "when") == null)
                        .map(Requirements::grant)
                        .toList());
    }

    private static Grant grant(@Nullable Object one) {
        return new Grant(
                text(one, "scope").equals("cluster"),
                text(one, "apiGroup"),
                text(one, "resource"),
                texts(at(one, "names")),
                texts(at(one, "verbs")));
    }

    private static @Nullable Object at(@Nullable Object from, String... path) {
        @Nullable Object here = from;
        for (String key : path) {
            here = here instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return here;
    }

    private static String text(@Nullable Object from, String... path) {
        if (at(from, path) instanceof String text) {
            return text;
        }
        throw new IllegalArgumentException("there is no text at " + String.join(".", path));
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    private static List<String> texts(@Nullable Object value) {
        return list(value).stream().map(String::valueOf).toList();
    }
}
