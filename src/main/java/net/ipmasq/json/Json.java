package net.ipmasq.json;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Looks into values that {@link JsonReader} has read: what is of another type is taken as empty. */
public final class Json {
    private Json() {}

    /** An object's member, where it is an object itself; else empty. */
    @SuppressWarnings("unchecked") // the reader makes no other maps
    public static Map<String, @Nullable Object> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
    }

    public static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    public static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    public static long number(@Nullable Object value, long otherwise) {
        return value instanceof Long number ? number : otherwise;
    }

    /** Whether a value is this one word, alone or as the only one of a list: nft 1.1.4 writes some lists of one so. */
    public static boolean isOnly(@Nullable Object value, String word) {
        return word.equals(value) || List.of(word).equals(value);
    }
}
