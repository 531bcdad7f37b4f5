package net.ipmasq.bundle.cluster.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The place of a field as the API server writes it: {@code .spec.containers[name="a"].image}. Keys are not quoted there,
 * so {@code .metadata.labels.a.b/c} can only be read against the object it is about.
 */
final class FieldPath {
    private static final Pattern KEY = Pattern.compile("([A-Za-z0-9_./-]+)=(\"((?:[^\"\\\\]|\\\\.)*)\"|[^,\\]]+)");

    private FieldPath() {}

    /** Takes the field out of the object; false if it has no such field. */
    static boolean remove(Map<String, Object> object, String path) {
        return removeFrom(object, path);
    }

    private static boolean removeFrom(@Nullable Object from, String path) {
        return switch (from) {
            case Map<?, ?> map when path.startsWith(".") -> fromMap(map, path.substring(1));
            case List<?> list when path.startsWith("[") -> fromList(list, path);
            case null, default -> false;
        };
    }

    private static boolean fromMap(Map<?, ?> map, String path) {
        for (Object key : new ArrayList<>(map.keySet())) {
            String name = String.valueOf(key);
            if (path.equals(name)) {
                map.remove(key);
                return true;
            }
            if (path.startsWith(name) && removeFrom(map.get(key), path.substring(name.length()))) {
                return true;
            }
        }
        return false;
    }

    private static boolean fromList(List<?> list, String path) {
        int end = end(path);
        if (end < 0) {
            return false;
        }
        String selector = path.substring(1, end);
        String rest = path.substring(end + 1);
        for (int i = 0; i < list.size(); i++) {
            if (selects(selector, i, list.get(i))) {
                if (rest.isEmpty()) {
                    list.remove(i);
                    return true;
                }
                return removeFrom(list.get(i), rest);
            }
        }
        return false;
    }

    /** The bracket that closes; values in quotes can have brackets of their own. */
    private static int end(String path) {
        boolean quoted = false;
        for (int i = 1; i < path.length(); i++) {
            char c = path.charAt(i);
            if (c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            } else if (c == ']' && !quoted) {
                return i;
            }
        }
        return -1;
    }

    private static boolean selects(String selector, int index, @Nullable Object item) {
        if (selector.matches("\\d+")) {
            return Integer.parseInt(selector) == index;
        }
        if (selector.startsWith("=")) {
            return plain(selector.substring(1).replaceAll("^\"|\"$", "")).equals(String.valueOf(item));
        }
        if (!(item instanceof Map<?, ?> fields)) {
            return false;
        }
        Matcher key = KEY.matcher(selector);
        boolean any = false;
        while (key.find()) {
            String wanted = key.group(3) == null ? key.group(2) : plain(key.group(3));
            if (!wanted.equals(String.valueOf(fields.get(key.group(1))))) {
                return false;
            }
            any = true;
        }
        return any;
    }

    private static String plain(String quoted) {
        return quoted.replaceAll("\\\\(.)", "$1");
    }
}
