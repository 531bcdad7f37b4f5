package net.ipmasq.bundle.archive;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A bundle's chart, unpacked for the engine.
 *
 * @param root of the chart
 */
public record HelmChart(HelmEngine engine, Path root) {
    /** helm-java prints no hooks, which the helm command does; under another name the annotation is none. */
    private static final String HOOK = "helm.sh/hook";

    private static final String HIDDEN = "hidden.helm.sh/hook";
    private static final String PREFIX = "chart/";

    /** Renders it with values over its own. */
    public Rendering render(Map<String, Object> values) {
        return engine.template(root, values);
    }

    static Path unpack(BundleFiles bundle, Path root) {
        try {
            for (Map.Entry<String, byte[]> file : bundle.content().entrySet()) {
                if (file.getKey().startsWith(PREFIX)) {
                    Path target = root.resolve(file.getKey().substring(PREFIX.length()));
                    Files.createDirectories(target.getParent());
                    Files.write(target, hidden(file.getKey(), file.getValue()));
                }
            }
            return root;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] hidden(String path, byte[] content) {
        return path.startsWith(PREFIX + "templates/")
                ? new String(content, StandardCharsets.UTF_8)
                        .replace(HOOK, HIDDEN)
                        .getBytes(StandardCharsets.UTF_8)
                : content;
    }

    static String withHooks(String manifests) {
        return manifests.replace(HIDDEN, HOOK);
    }
}
