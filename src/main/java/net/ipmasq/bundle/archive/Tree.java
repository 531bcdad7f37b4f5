package net.ipmasq.bundle.archive;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.UsageException;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.Yaml;
import org.yaml.snakeyaml.constructor.SafeConstructor;
import org.yaml.snakeyaml.error.YAMLException;

/** Reads parsed YAML and JSON: maps, lists and scalars. What is absent is empty, never null. */
public final class Tree {
    private Tree() {}

    /** The mappings among the documents of a YAML text. */
    public static List<Map<String, Object>> documents(String yaml, String file) {
        LoaderOptions options = new LoaderOptions();
        options.setAllowDuplicateKeys(false);
        List<Map<String, Object>> documents = new ArrayList<>();
        try {
            for (Object document : new Yaml(new SafeConstructor(options)).loadAll(yaml)) {
                if (document instanceof Map<?, ?> map) {
                    documents.add(map(map));
                }
            }
        } catch (YAMLException e) {
            throw new UsageException(file + " is not YAML: " + e.getMessage());
        }
        return documents;
    }

    /** The only document of a YAML text; an empty text is an empty mapping. */
    public static Map<String, Object> mapping(String yaml, String file) {
        List<Map<String, Object>> documents = documents(yaml, file);
        return documents.isEmpty() ? Map.of() : documents.getFirst();
    }

    /** What is at the end of a path of keys (texts) and indexes (numbers). */
    public static Optional<Object> at(@Nullable Object from, Object... path) {
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

    public static String text(@Nullable Object from, Object... path) {
        return at(from, path).map(String::valueOf).orElse("");
    }

    public static boolean isTrue(@Nullable Object from, Object... path) {
        return at(from, path).filter(Boolean.TRUE::equals).isPresent();
    }

    public static Map<String, Object> map(@Nullable Object from, Object... path) {
        Map<String, Object> copy = new LinkedHashMap<>();
        if (at(from, path).orElse(Map.of()) instanceof Map<?, ?> map) {
            map.forEach((key, value) -> copy.put(String.valueOf(key), value));
        }
        return copy;
    }

    public static List<Object> list(@Nullable Object from, Object... path) {
        return at(from, path).orElse(List.of()) instanceof List<?> list ? new ArrayList<>(list) : List.of();
    }

    public static List<String> texts(@Nullable Object from, Object... path) {
        return list(from, path).stream().map(String::valueOf).toList();
    }

    /** Merges values as Helm does: mappings key by key, everything else whole. */
    public static Map<String, Object> over(Map<String, Object> below, Map<String, Object> above) {
        Map<String, Object> both = new LinkedHashMap<>(below);
        above.forEach((key, value) -> {
            boolean mappings = value instanceof Map<?, ?> && both.get(key) instanceof Map<?, ?>;
            both.put(key, mappings ? over(map(both.get(key)), map(value)) : value);
        });
        return both;
    }
}
