package net.ipmasq.dataplane.nftables;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The tool's JSON as maps, lists, texts, numbers and nulls. */
final class Json {
    /** Far more than any text of ours has. */
    private static final int MOST_CHARACTERS = 1024 * 1024;

    /** Values within one object of a listing, elements of sets not counted. */
    private static final int MOST_VALUES = 100_000;

    private static final JsonFactory FACTORY = JsonFactory.builder()
            .streamReadConstraints(StreamReadConstraints.builder()
                    .maxNestingDepth(200)
                    .maxStringLength(MOST_CHARACTERS)
                    .build())
            .build();

    private final JsonParser tokens;
    private final Receiver receiver;
    private int values;

    /** Takes the objects of a listing one at a time. */
    interface Receiver {
        /** An element of a set; the set itself follows. */
        void element(@Nullable Object element);

        /** An object without its elements, for example {@code chain}. */
        void object(String kind, Map<String, @Nullable Object> object);
    }

    private Json(JsonParser tokens, Receiver receiver) {
        this.tokens = tokens;
        this.receiver = receiver;
    }

    /**
     * Reads a listing, {@code {"nftables": [{"KIND": {…}}, …]}}, to its end.
     *
     * @throws IOException saying where the text is no such JSON
     */
    static void read(Reader listing, Receiver receiver) throws IOException {
        try (JsonParser tokens = FACTORY.createParser(listing)) {
            new Json(tokens, receiver).listing();
            if (tokens.nextToken() != null) {
                throw new IOException("more text after the end of the JSON value");
            }
        }
    }

    private void listing() throws IOException {
        if (tokens.nextToken() != JsonToken.START_OBJECT) {
            throw new IOException("a listing is an object");
        }
        while (next() == JsonToken.FIELD_NAME) {
            boolean objects = tokens.currentName().equals("nftables");
            if (next() == JsonToken.START_ARRAY && objects) {
                while (next() != JsonToken.END_ARRAY) {
                    wrapped();
                }
            } else {
                tokens.skipChildren();
            }
        }
    }

    /** One {@code {"KIND": {…}}}. */
    private void wrapped() throws IOException {
        if (tokens.currentToken() != JsonToken.START_OBJECT) {
            throw new IOException("an item of a listing is an object");
        }
        while (next() == JsonToken.FIELD_NAME) {
            String kind = tokens.currentName();
            values = 0;
            if (next() == JsonToken.START_OBJECT) {
                receiver.object(kind, item());
            } else {
                value(tokens.currentToken());
                receiver.object(kind, Map.of());
            }
        }
    }

    private Map<String, @Nullable Object> item() throws IOException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (next() == JsonToken.FIELD_NAME) {
            String name = tokens.currentName();
            if (next() == JsonToken.START_ARRAY && name.equals("elem")) {
                while (next() != JsonToken.END_ARRAY) {
                    values = 0;
                    receiver.element(value(tokens.currentToken()));
                }
            } else {
                object.put(name, value(tokens.currentToken()));
            }
        }
        return object;
    }

    private JsonToken next() throws IOException {
        JsonToken token = tokens.nextToken();
        if (token == null) {
            throw new IOException("the JSON value ends too early");
        }
        return token;
    }

    private @Nullable Object value(JsonToken token) throws IOException {
        if (++values > MOST_VALUES) {
            throw new IOException("an object of the listing has more than " + MOST_VALUES + " values");
        }
        return switch (token) {
            case START_OBJECT -> object();
            case START_ARRAY -> array();
            case VALUE_STRING -> tokens.getText();
            case VALUE_NUMBER_INT -> tokens.getLongValue();
            case VALUE_NUMBER_FLOAT -> tokens.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            default -> throw new IOException("unexpected " + token);
        };
    }

    private Map<String, @Nullable Object> object() throws IOException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (next() == JsonToken.FIELD_NAME) {
            String name = tokens.currentName();
            object.put(name, value(next()));
        }
        return object;
    }

    private List<@Nullable Object> array() throws IOException {
        List<@Nullable Object> array = new ArrayList<>();
        for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
            array.add(value(token));
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
