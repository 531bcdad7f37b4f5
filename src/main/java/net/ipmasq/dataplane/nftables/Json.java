package net.ipmasq.dataplane.nftables;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tool's JSON as maps, lists, texts, numbers and nulls. */
final class Json {
    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(
                    StreamReadConstraints.builder().maxNestingDepth(200).build())
            .build();

    private Json() {}

    /**
     * Reads one value.
     *
     * @throws IOException saying where the text is no JSON
     */
    static @Nullable Object parse(String text) throws IOException {
        try (JsonParser tokens = FACTORY.createParser(text)) {
            Object value = value(tokens, tokens.nextToken());
            if (tokens.nextToken() != null) {
                throw new IOException("more text after the end of the JSON value");
            }
            return value;
        }
    }

    private static @Nullable Object value(JsonParser tokens, @Nullable JsonToken token) throws IOException {
        if (token == null) {
            throw new IOException("the JSON value ends too early");
        }
        return switch (token) {
            case START_OBJECT -> object(tokens);
            case START_ARRAY -> array(tokens);
            case VALUE_STRING -> tokens.getText();
            case VALUE_NUMBER_INT -> tokens.getLongValue();
            case VALUE_NUMBER_FLOAT -> tokens.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IOException("unexpected " + token);
        };
    }

    private static Map<String, @Nullable Object> object(JsonParser tokens) throws IOException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (tokens.nextToken() == JsonToken.FIELD_NAME) {
            String name = tokens.currentName();
            object.put(name, value(tokens, tokens.nextToken()));
        }
        return object;
    }

    private static List<@Nullable Object> array(JsonParser tokens) throws IOException {
        List<@Nullable Object> array = new ArrayList<>();
        for (JsonToken token = tokens.nextToken(); token != JsonToken.END_ARRAY; token = tokens.nextToken()) {
            array.add(value(tokens, token));
        }
        return array;
    }

    /** An object's member, where it is an object itself; else empty. */
    @SuppressWarnings("unchecked") // object() makes no other maps
    static Map<String, @Nullable Object> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? (Map<String, @Nullable Object>) map : Map.of();
    }

    /** Whether a value is this one word, alone or as the only one of a list: nft 1.1.4 writes some lists of one so. */
    static boolean isOnly(@Nullable Object value, String word) {
        return word.equals(value) || List.of(word).equals(value);
    }

    static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }

    static String text(@Nullable Object value) {
        return value instanceof String text ? text : "";
    }

    static long number(@Nullable Object value, long otherwise) {
        return value instanceof Long number ? number : otherwise;
    }
}
