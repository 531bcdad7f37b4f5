package net.ipmasq.bundle.archive;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;
import net.ipmasq.agent.UsageException;
import net.ipmasq.text.FileProblem;

/** The files of one bundle in memory, by their path with slashes. Immutable. */
public final class BundleFiles {
    static final String ADDON = "addon.yaml";
    static final String COMPATIBILITY = "compatibility.yaml";
    static final String CHART = "chart/Chart.yaml";
    static final String VALUES = "chart/values.yaml";
    static final String SCHEMA = "chart/values.schema.json";
    static final String USER_TEMPLATE = "chart/templates/user-configmap.yaml";
    static final String SUMS = "SHA256SUMS";

    private final SortedMap<String, byte[]> files;

    BundleFiles(Map<String, byte[]> files) {
        this.files = new TreeMap<>(files);
    }

    /** Reads a directory, or a {@code .tgz} as {@code bundle build} makes it. */
    public static BundleFiles read(Path place) {
        try {
            if (Files.isDirectory(place)) {
                return directory(place);
            }
            List<BundleFinding> findings = new ArrayList<>();
            BundleFiles files = BundleArchive.read(Files.readAllBytes(place), findings);
            if (!findings.isEmpty()) {
                throw new UsageException(
                        place + " is not a valid bundle (ip-masq-fleet bundle verify shows every problem): "
                                + findings.getFirst().message());
            }
            return files;
        } catch (IOException e) {
            throw new UsageException(place + " cannot be read: " + FileProblem.why(e));
        }
    }

    private static BundleFiles directory(Path root) throws IOException {
        Map<String, byte[]> files = new TreeMap<>();
        try (Stream<Path> all = Files.walk(root)) {
            for (Path file : all.toList()) {
                if (Files.isSymbolicLink(file)) {
                    throw new UsageException(file + " is a link; a bundle has regular files only");
                }
                if (Files.isRegularFile(file)) {
                    files.put(root.relativize(file).toString().replace('\\', '/'), Files.readAllBytes(file));
                }
            }
        }
        if (!files.containsKey(ADDON)) {
            throw new UsageException(root + " is not a bundle: it has no " + ADDON);
        }
        return new BundleFiles(files);
    }

    /** All content in order of the paths; the checksums are not part of it. */
    SortedMap<String, byte[]> content() {
        SortedMap<String, byte[]> content = new TreeMap<>(files);
        content.remove(SUMS);
        return content;
    }

    Optional<String> find(String path) {
        return Optional.ofNullable(files.get(path)).map(content -> new String(content, StandardCharsets.UTF_8));
    }

    String text(String path) {
        return find(path).orElseThrow(() -> new UsageException("the bundle has no " + path));
    }

    Map<String, Object> yaml(String path) {
        return Tree.mapping(text(path), path);
    }

    /** Paths of the files directly in a directory. */
    List<String> in(String directory) {
        String prefix = directory + "/";
        return files.keySet().stream()
                .filter(path -> path.startsWith(prefix) && path.indexOf('/', prefix.length()) < 0)
                .toList();
    }

    BundleFiles with(String path, String text) {
        Map<String, byte[]> copy = new TreeMap<>(files);
        copy.put(path, text.getBytes(StandardCharsets.UTF_8));
        return new BundleFiles(copy);
    }

    public String version() {
        return Tree.text(yaml(ADDON), "version");
    }

    String name() {
        return Tree.text(yaml(ADDON), "name");
    }

    boolean sameContent(BundleFiles other) {
        SortedMap<String, byte[]> mine = content();
        SortedMap<String, byte[]> theirs = other.content();
        return mine.keySet().equals(theirs.keySet())
                && mine.entrySet().stream().allMatch(file -> Arrays.equals(file.getValue(), theirs.get(file.getKey())));
    }
}
