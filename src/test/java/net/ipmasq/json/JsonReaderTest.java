package net.ipmasq.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.StringReader;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonReaderTest {
    private static final JsonReader.Limits SMALL = new JsonReader.Limits(8, 5);

    private static Object read(String text) throws IOException {
        try (JsonReader json = new JsonReader(new StringReader(text), SMALL)) {
            json.next();
            Object value = json.value();
            json.end();
            return value;
        }
    }

    @Test
    void anObjectIsReadInItsOrderAndWithoutNulls() throws IOException {
        assertThat(JsonReader.object("{\"b\": 1, \"a\": {\"n\": null, \"t\": true}, \"n\": null, \"l\": [1.5, \"x\"]}"))
                .containsExactly(
                        java.util.Map.entry("b", 1L),
                        java.util.Map.entry("a", java.util.Map.of("t", true)),
                        java.util.Map.entry("l", List.of(1.5, "x")));
    }

    @Test
    void aValueOfAStreamKeepsItsNulls() throws IOException {
        assertThat(Json.map(read("{\"masquerade\": null}"))).containsOnlyKeys("masquerade");
        assertThat(read("[null, false]")).isEqualTo(Arrays.asList(null, false));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "7", "{\"a\": 1", "{\"a\": [1, 2}", "{a: 1}"})
    void whatIsNoObjectIsRefused(String text) {
        assertThatThrownBy(() -> JsonReader.object(text)).isInstanceOf(IOException.class);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "[]", "{\"a\": 1}", "{\"a\": null}", "{\"a\": {\"b\": \"c\"}}", "{\"a\": \"b\""})
    void whatIsNoObjectOfStringsIsRefused(String text) {
        assertThatThrownBy(() -> JsonReader.strings(text)).isInstanceOf(IOException.class);
    }

    @Test
    void whatIsBeyondTheLimitsIsRefused() throws IOException {
        assertThat(read("[1, 2, 3, \"12345678\"]")).isEqualTo(List.of(1L, 2L, 3L, "12345678"));
        assertThatThrownBy(() -> read("[1, 2, 3, 4, 5]")).hasMessageContaining("more than 5 values");
        assertThatThrownBy(() -> read("\"123456789\"")).hasMessageContaining("9");
        assertThatThrownBy(() -> JsonReader.object("{\"a\":".repeat(201))).hasMessageContaining("200");
    }

    @Test
    void textAfterTheValueIsNoticed() {
        assertThatThrownBy(() -> read("[1] 2")).hasMessageContaining("more text after the end");
    }
}
