package net.ipmasq.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.Closeable;
import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads JSON token by token. A value is read as a map in the order of the text, a list, a string, a long, a double, a
 * boolean or null; only the value that is asked for is held, and only within the limits. For one thread.
 */
public final class JsonReader implements Closeable {
    private static final int MOST_DEPTH = 200;

    /** For a text that is in memory already, so that its length is limited by whoever has read it. */
    private static final Limits IN_MEMORY = new Limits(Integer.MAX_VALUE, Integer.MAX_VALUE);

    private final JsonParser tokens;
    private final int mostValues;
    private int values;

    /** How much a reader holds. */
    public static final class Limits {
        private final JsonFactory factory;
        private final int values;

        /**
         * @param characters of one string
         * @param values within one value that is asked for
         */
        public Limits(int characters, int values) {
            this.factory = JsonFactory.builder()
                    .streamReadConstraints(StreamReadConstraints.builder()
                            .maxNestingDepth(MOST_DEPTH)
                            .maxStringLength(characters)
                            .build())
                    .build();
            this.values = values;
        }
    }

    public JsonReader(Reader text, Limits limits) throws IOException {
        this.tokens = limits.factory.createParser(text);
        this.mostValues = limits.values;
    }

    /**
     * Reads an object. Members that are null are left out.
     *
     * @throws IOException if the text is no JSON object
     */
    public static Map<String, Object> object(String text) throws IOException {
        try (JsonReader json = new JsonReader(new StringReader(text), IN_MEMORY)) {
            json.require(json.next() == JsonToken.START_OBJECT, "not an object");
            return json.object(false);
        }
    }

    /**
     * Reads an object whose values are all strings.
     *
     * @throws IOException if the text is anything else
     */
    public static Map<String, String> strings(String text) throws IOException {
        Map<String, String> strings = new LinkedHashMap<>();
        try (JsonReader json = new JsonReader(new StringReader(text), IN_MEMORY)) {
            boolean object = json.next() == JsonToken.START_OBJECT;
            while (object && json.next() == JsonToken.FIELD_NAME) {
                String name = json.name();
                json.require(json.next() == JsonToken.VALUE_STRING, "not an object of strings");
                strings.put(name, json.tokens.getText());
            }
            json.require(object, "not an object of strings");
        }
        return strings;
    }

    /** The next token; the end of the text is an error. */
    public JsonToken next() throws IOException {
        JsonToken token = tokens.nextToken();
        if (token == null) {
            throw new IOException("the JSON value ends too early");
        }
        return token;
    }

    /** The name of the member that was read last. */
    public String name() throws IOException {
        return tokens.currentName();
    }

    /** Passes over the value that the last token begins. */
    public void skip() throws IOException {
        tokens.skipChildren();
    }

    /** @throws IOException if there is more text */
    public void end() throws IOException {
        if (tokens.nextToken() != null) {
            throw new IOException("more text after the end of the JSON value");
        }
    }

    /** From here on values are counted anew towards the limit. */
    public void countAnew() {
        values = 0;
    }

    /**
     * The value that the last token begins.
     *
     * @throws IOException if it is no JSON, or beyond the limits
     */
    public @Nullable Object value() throws IOException {
        return value(tokens.currentToken(), true);
    }

    private @Nullable Object value(JsonToken token, boolean nulls) throws IOException {
        if (++values > mostValues) {
            throw new IOException("a value holds more than " + mostValues + " values");
        }
        return switch (token) {
            case START_OBJECT -> object(nulls);
            case START_ARRAY -> array(nulls);
            case VALUE_STRING -> tokens.getText();
            case VALUE_NUMBER_INT -> tokens.getLongValue();
            case VALUE_NUMBER_FLOAT -> tokens.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case NOT_AVAILABLE, END_OBJECT, END_ARRAY, FIELD_NAME, VALUE_EMBEDDED_OBJECT ->
                throw new IOException("unexpected " + token);
        };
    }

    private Map<String, @Nullable Object> object(boolean nulls) throws IOException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (next() == JsonToken.FIELD_NAME) {
            String name = name();
            Object value = value(next(), nulls);
            if (nulls || value != null) {
                object.put(name, value);
            }
        }
        return object;
    }

    private List<@Nullable Object> array(boolean nulls) throws IOException {
        List<@Nullable Object> array = new ArrayList<>();
        for (JsonToken token = next(); token != JsonToken.END_ARRAY; token = next()) {
            array.add(value(token, nulls));
        }
        return array;
    }

    private void require(boolean condition, String otherwise) throws IOException {
        if (!condition) {
            throw new IOException(otherwise + " at " + tokens.currentLocation().offsetDescription());
        }
    }

    @Override
    public void close() throws IOException {
        tokens.close();
    }
}
