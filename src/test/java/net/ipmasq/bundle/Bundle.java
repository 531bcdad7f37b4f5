package net.ipmasq.bundle;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;

/** The files of the bundle, as tests look at them. */
public final class Bundle {
    public static final Path ROOT = Path.of("addon-bundle");
    public static final Path CHART = ROOT.resolve("chart");
    public static final Path PROFILES = Path.of("src", "main", "resources", "profiles");

    private Bundle() {}

    public static String text(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The documents of a YAML text; empty ones are left out. */
    public static List<Map<String, Object>> documents(String yaml) {
        List<Map<String, Object>> documents = new ArrayList<>();
        for (Object document : new Yaml(new SafeConstructor(new LoaderOptions())).loadAll(yaml)) {
            if (document != null) {
                documents.add(map(document));
            }
        }
        return documents;
    }

    /** A YAML file of one document. */
    public static Map<String, Object> yaml(Path file) {
        return documents(text(file)).getFirst();
    }

    public static List<Path> files(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(Files::isRegularFile).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public static List<Path> examples() {
        return files(ROOT.resolve("examples"));
    }

    /** The version in {@code pom.xml}. */
    public static String version() {
        return text(Path.of("pom.xml")).split("<version>", 2)[1].split("</version>", 2)[0];
    }

    /** What is at the end of a path of keys (texts) and indexes (numbers); empty when something on the way is absent. */
    public static Optional<Object> at(Object from, Object... path) {
        Object here = from;
        for (Object step : path) {
            here = switch (here) {
                case Map<?, ?> map -> map.get(step);
                case List<?> list when step instanceof Integer index && index < list.size() -> list.get(index);
                case null, default -> null;
            };
        }
        return Optional.ofNullable(here);
    }

    @SuppressWarnings("unchecked")
    public static Map<String, Object> map(Object object) {
        return (Map<String, Object>) object;
    }

    @SuppressWarnings("unchecked")
    public static List<Object> list(Object object) {
        return (List<Object>) object;
    }
}
