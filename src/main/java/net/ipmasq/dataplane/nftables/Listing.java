package net.ipmasq.dataplane.nftables;

import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.Reader;
import java.util.LinkedHashMap;
import java.util.Map;
import net.ipmasq.json.JsonReader;
import org.jspecify.annotations.Nullable;

/** The objects of a listing in nft's JSON, one at a time. */
final class Listing {
    /** Characters of one text, far more than any of ours has; values within one object, elements of sets not counted. */
    private static final JsonReader.Limits LIMITS = new JsonReader.Limits(1 << 20, 100_000);

    private final JsonReader json;
    private final Receiver receiver;

    interface Receiver {
        /** An element of a set; the set itself follows. */
        void element(@Nullable Object element);

        /** An object without its elements, for example {@code chain}. */
        void object(String kind, Map<String, @Nullable Object> object);
    }

    private Listing(JsonReader json, Receiver receiver) {
        this.json = json;
        this.receiver = receiver;
    }

    /**
     * Reads a listing, {@code {"nftables": [{"KIND": {…}}, …]}}, to its end.
     *
     * @throws IOException saying where the text is no such JSON
     */
    static void read(Reader listing, Receiver receiver) throws IOException {
        try (JsonReader json = new JsonReader(listing, LIMITS)) {
            new Listing(json, receiver).objects();
            json.end();
        }
    }

    private void objects() throws IOException {
        if (json.next() != JsonToken.START_OBJECT) {
            throw new IOException("a listing is an object");
        }
        while (json.next() == JsonToken.FIELD_NAME) {
            boolean objects = json.name().equals("nftables");
            if (json.next() == JsonToken.START_ARRAY && objects) {
                for (JsonToken token = json.next(); token != JsonToken.END_ARRAY; token = json.next()) {
                    wrapped(token);
                }
            } else {
                json.skip();
            }
        }
    }

    /** One {@code {"KIND": {…}}}. */
    private void wrapped(JsonToken start) throws IOException {
        if (start != JsonToken.START_OBJECT) {
            throw new IOException("an item of a listing is an object");
        }
        while (json.next() == JsonToken.FIELD_NAME) {
            String kind = json.name();
            json.countAnew();
            if (json.next() == JsonToken.START_OBJECT) {
                receiver.object(kind, item());
            } else {
                json.value();
                receiver.object(kind, Map.of());
            }
        }
    }

    private Map<String, @Nullable Object> item() throws IOException {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        while (json.next() == JsonToken.FIELD_NAME) {
            String name = json.name();
            if (json.next() == JsonToken.START_ARRAY && name.equals("elem")) {
                while (json.next() != JsonToken.END_ARRAY) {
                    json.countAnew();
                    receiver.element(json.value());
                }
            } else {
                object.put(name, json.value());
            }
        }
        return object;
    }
}
