package net.ipmasq.json;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Writes maps, lists, strings, numbers, booleans and null as JSON. Uses no reflection. */
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

    /** An ordered map from names and values in turn, for building documents; null and an empty Optional are left out. */
    public static Map<String, Object> object(@Nullable Object... namesAndValues) {
        Map<String, Object> object = new LinkedHashMap<>();
        List<@Nullable Object> pairs = Arrays.asList(namesAndValues);
        for (int i = 0; i < pairs.size(); i += 2) {
            Object given = pairs.get(i + 1);
            Object value = given instanceof Optional<?> optional ? optional.orElse(null) : given;
            if (value != null) {
                object.put(String.valueOf(pairs.get(i)), value);
            }
        }
        return object;
    }
}
