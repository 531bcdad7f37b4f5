package net.ipmasq.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, strings, numbers, booleans and null as JSON. No reflection, so nothing to register for native. */
public final class JsonText {
    private JsonText() {}

    private static final JsonFactory FACTORY = new JsonFactory();

    /** One line, for logs. */
    public static String compact(@Nullable Object value) {
        return write(value, false);
    }

    /** Indented by two spaces, ending with a line feed. */
    public static String pretty(@Nullable Object value) {
        return write(value, true) + "\n";
    }

    private static String write(@Nullable Object value, boolean pretty) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = FACTORY.createGenerator(text)) {
            if (pretty) {
                DefaultIndenter indent = new DefaultIndenter("  ", "\n");
                json.setPrettyPrinter(
                        new DefaultPrettyPrinter().withObjectIndenter(indent).withArrayIndenter(indent));
            }
            value(json, value);
        } catch (IOException e) {
            // a StringWriter does no I/O
            throw new UncheckedIOException(e);
        }
        return text.toString();
    }

    private static void value(JsonGenerator json, @Nullable Object value) throws IOException {
        switch (value) {
            case null -> json.writeNull();
            case Map<?, ?> map -> {
                json.writeStartObject();
                for (Map.Entry<?, ?> entry : map.entrySet()) {
                    json.writeFieldName(String.valueOf(entry.getKey()));
                    value(json, entry.getValue());
                }
                json.writeEndObject();
            }
            case Iterable<?> items -> {
                json.writeStartArray();
                for (Object item : items) {
                    value(json, item);
                }
                json.writeEndArray();
            }
            case Boolean bool -> json.writeBoolean(bool);
            case Integer number -> json.writeNumber(number);
            case Long number -> json.writeNumber(number);
            case Double number -> json.writeNumber(number);
            default -> json.writeString(value.toString());
        }
    }

    /**
     * Reads an object whose values are all strings.
     *
     * @throws IOException if the text is anything else
     */
    public static Map<String, String> readStrings(String text) throws IOException {
        Map<String, String> values = new LinkedHashMap<>();
        try (JsonParser json = FACTORY.createParser(text)) {
            require(json.nextToken() == JsonToken.START_OBJECT, json);
            while (json.nextToken() == JsonToken.FIELD_NAME) {
                String name = json.currentName();
                require(json.nextToken() == JsonToken.VALUE_STRING, json);
                values.put(name, json.getText());
            }
            require(json.currentToken() == JsonToken.END_OBJECT, json);
        }
        return values;
    }

    /**
     * Reads any object: maps, lists, strings, longs, doubles, booleans; null values are left out.
     *
     * @throws IOException if the text is no JSON object
     */
    public static Map<String, Object> readObject(String text) throws IOException {
        try (JsonParser json = FACTORY.createParser(text)) {
            require(json.nextToken() == JsonToken.START_OBJECT, json);
            return object(json);
        }
    }

    private static Map<String, Object> object(JsonParser json) throws IOException {
        Map<String, Object> object = new LinkedHashMap<>();
        while (json.nextToken() == JsonToken.FIELD_NAME) {
            String name = json.currentName();
            json.nextToken();
            Object value = value(json);
            if (value != null) {
                object.put(name, value);
            }
        }
        return object;
    }

    private static @Nullable Object value(JsonParser json) throws IOException {
        return switch (json.currentToken()) {
            case START_OBJECT -> object(json);
            case START_ARRAY -> {
                List<@Nullable Object> items = new ArrayList<>();
                while (json.nextToken() != JsonToken.END_ARRAY) {
                    items.add(value(json));
                }
                yield items;
            }
            case VALUE_STRING -> json.getText();
            case VALUE_NUMBER_INT -> json.getLongValue();
            case VALUE_NUMBER_FLOAT -> json.getDoubleValue();
            case VALUE_TRUE -> true;
            case VALUE_FALSE -> false;
            case VALUE_NULL -> null;
            case null, default ->
                throw new IOException(
                        "unexpected end at " + json.currentLocation().offsetDescription());
        };
    }

    private static void require(boolean condition, JsonParser json) throws IOException {
        if (!condition) {
            throw new IOException(
                    "not an object of strings at " + json.currentLocation().offsetDescription());
        }
    }

    /** An ordered map from names and values in turn, for building documents; null values are left out. */
    public static Map<String, Object> object(@Nullable Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        List<@Nullable Object> pairs = java.util.Arrays.asList(namesAndValues);
        for (int i = 0; i < pairs.size(); i += 2) {
            Object value = pairs.get(i + 1);
            if (value != null) {
                object.put(String.valueOf(pairs.get(i)), value);
            }
        }
        return object;
    }
}
