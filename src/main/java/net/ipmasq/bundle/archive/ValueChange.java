package net.ipmasq.bundle.archive;

import static net.ipmasq.json.JsonText.object;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import net.ipmasq.json.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * A value that an upgrade changes; both texts are JSON, and empty where there is no value.
 *
 * @param path with dots
 */
public record ValueChange(String path, String from, String to) {

    /** Every leaf that differs. A list is one value, as in Helm's merge. */
    static List<ValueChange> between(Map<String, Object> before, Map<String, Object> after) {
        Map<String, String> old = new TreeMap<>();
        Map<String, String> now = new TreeMap<>();
        flatten("", before, old);
        flatten("", after, now);
        TreeSet<String> paths = new TreeSet<>(old.keySet());
        paths.addAll(now.keySet());
        List<ValueChange> changes = new ArrayList<>();
        for (String path : paths) {
            String from = old.getOrDefault(path, "");
            String to = now.getOrDefault(path, "");
            if (!Objects.equals(from, to)) {
                changes.add(new ValueChange(path, from, to));
            }
        }
        return changes;
    }

    private static void flatten(String path, @Nullable Object value, Map<String, String> into) {
        if (value instanceof Map<?, ?> map && !map.isEmpty()) {
            map.forEach((key, inner) -> flatten(path.isEmpty() ? String.valueOf(key) : path + "." + key, inner, into));
        } else {
            into.put(path, JsonText.compact(value));
        }
    }

    Map<String, Object> document() {
        return object("path", path, "from", from, "to", to);
    }

    @Override
    public String toString() {
        return path + ": " + (from.isEmpty() ? "absent" : from) + " -> " + (to.isEmpty() ? "absent" : to);
    }
}
