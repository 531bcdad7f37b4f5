package net.ipmasq.cli;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.ipmasq.json.JsonText;
import net.ipmasq.text.Visible;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.DumperOptions;
import org.yaml.snakeyaml.Yaml;

/** Prints a result in the format asked for. */
public final class Output {
    private Output() {}

    /** Formats of {@code -o}; the names are what a user types. */
    public enum Format {
        text,
        json,
        yaml
    }

    /** Prints {@code document} as JSON or YAML, or {@code text}. */
    public static void print(PrintWriter out, Format format, Object document, Supplier<String> text) {
        out.print(render(format, document, text));
        out.flush();
    }

    static String render(Format format, Object document, Supplier<String> text) {
        return switch (format) {
            case text -> Visible.lines(text.get());
            case json -> JsonText.pretty(document);
            case yaml -> yaml(document);
        };
    }

    private static String yaml(Object document) {
        DumperOptions options = new DumperOptions();
        options.setDefaultFlowStyle(DumperOptions.FlowStyle.BLOCK);
        options.setSplitLines(false);
        return new Yaml(options).dump(plain(document));
    }

    /** Only maps, lists and scalars, so that the dumper needs no reflection. */
    private static @Nullable Object plain(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case Map<?, ?> map -> {
                Map<String, @Nullable Object> copy = new LinkedHashMap<>();
                map.forEach((name, item) -> copy.put(String.valueOf(name), plain(item)));
                yield copy;
            }
            case Iterable<?> items -> {
                List<@Nullable Object> copy = new ArrayList<>();
                items.forEach(item -> copy.add(plain(item)));
                yield copy;
            }
            case Boolean bool -> bool;
            case Number number -> number;
            default -> value.toString();
        };
    }
}
