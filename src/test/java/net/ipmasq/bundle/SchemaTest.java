package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import net.ipmasq.agent.Settings;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.profile.ChainName;
import org.junit.jupiter.api.Test;

/** A console can draw a form from the schema, and what it says is what the chart and the agent have. */
class SchemaTest {
    /** Those that mean the same in draft-07, as which Helm before 3.18 reads every schema. */
    private static final Set<String> KEYWORDS = Set.of(
            "$schema",
            "$defs",
            "$ref",
            "title",
            "description",
            "type",
            "default",
            "enum",
            "const",
            "pattern",
            "maxLength",
            "minimum",
            "maximum",
            "items",
            "properties",
            "additionalProperties",
            "required",
            "not",
            "anyOf",
            "allOf",
            "if",
            "then");

    private static final JsonNode VALUES = Schema.tree(Bundle.yaml(Bundle.CHART.resolve("values.yaml")));

    @Test
    void itIsDraft202012AndTakesTheDefaults() {
        assertThat(Schema.TREE.path("$schema").asText()).isEqualTo("https://json-schema.org/draft/2020-12/schema");
        assertThat(Schema.accepts(VALUES)).isTrue();
        assertThat(Schema.accepts(Map.of())).isTrue();
    }

    @Test
    void everyExampleIsValid() {
        assertThat(Bundle.examples())
                .hasSizeGreaterThan(8)
                .allSatisfy(example ->
                        assertThat(Schema.accepts(Bundle.yaml(example))).isTrue());
    }

    /** Deeper ones are Kubernetes' own. */
    @Test
    void everyValueHasTitleAndDescription() {
        assertThat(Schema.properties()).hasSizeGreaterThan(50).allSatisfy((path, property) -> {
            assertThat(property.path("title").asText()).as(path).isNotBlank();
            assertThat(property.path("description").asText()).as(path).endsWith(".");
        });
    }

    @Test
    void noObjectTakesKeysThatItDoesNotKnow() {
        Schema.properties().forEach((path, property) -> {
            if (property.has("properties")) {
                assertThat(property.path("additionalProperties").isBoolean())
                        .as(path)
                        .isTrue();
                assertThat(property.path("additionalProperties").asBoolean())
                        .as(path)
                        .isFalse();
            }
        });
    }

    /** Both ways: a default of the schema is in values.yaml, and a value of values.yaml is a default of the schema. */
    @Test
    void defaultsAreThoseOfTheChart() {
        Schema.properties().forEach((path, property) -> {
            JsonNode value = VALUES.at("/" + path.replace('.', '/'));
            boolean leaf = property.has("default");
            if (leaf) {
                assertThat(value).as(path).isEqualTo(property.get("default"));
            } else if (!value.isMissingNode()) {
                assertThat(value.isObject() || path.startsWith("resources."))
                        .as(path)
                        .isTrue();
            }
        });
        VALUES.properties().forEach(value -> assertThat(Schema.properties()).containsKey(value.getKey()));
    }

    @Test
    void onlyKeywordsThatEveryHelmUnderstands() {
        Set<String> used = new TreeSet<>();
        keywords(Schema.TREE, used);
        assertThat(KEYWORDS).containsAll(used);
    }

    private static void keywords(JsonNode schema, Set<String> used) {
        schema.properties().forEach(entry -> {
            used.add(entry.getKey());
            switch (entry.getKey()) {
                case "properties", "$defs" -> entry.getValue().forEach(sub -> keywords(sub, used));
                case "allOf", "anyOf" -> entry.getValue().forEach(sub -> keywords(sub, used));
                case "items", "additionalProperties", "not", "if", "then" -> keywords(entry.getValue(), used);
                default -> {}
            }
        });
    }

    /** ECMA's dialect as consoles have it, RE2 as Helm has it, and Java's: no look-around, no flags, no classes by name. */
    @Test
    void patternsAreWrittenForEveryDialect() {
        List<String> patterns = new ArrayList<>();
        Schema.TREE.findValuesAsText("pattern", patterns);
        assertThat(patterns).hasSizeGreaterThan(15).allSatisfy(pattern -> {
            Pattern.compile(pattern);
            assertThat(pattern).startsWith("^").doesNotContain("(?", "\\d", "\\p", "\\w", "*+", "++");
        });
    }

    @Test
    void keysAreThoseOfTheConfiguration() {
        assertThat(fields(Schema.TREE.at("/properties/config/properties")))
                .containsExactlyInAnyOrderElementsOf(ConfigKey.spellings(ConfigKey.ALL));
        assertThat(fields(Schema.TREE.at("/properties/profile/properties/overrides/properties/defaults/properties")))
                .containsExactlyInAnyOrderElementsOf(ConfigKey.spellings(ConfigKey.OF_DEFAULTS));
    }

    private static List<String> fields(JsonNode object) {
        return object.propertyStream().map(Map.Entry::getKey).toList();
    }

    @Test
    void backendsAreThoseOfTheAgent() {
        List<String> backends = new ArrayList<>();
        Schema.TREE.at("/properties/agent/properties/backend/enum").forEach(one -> backends.add(one.asText()));
        assertThat(backends).containsAll(Settings.BACKENDS);
    }

    @Test
    void chainNamesAreJudgedAsTheAgentDoes() {
        List<String> names = new ArrayList<>(List.of("IP-MASQ", "a.b_c-d", "-a", "a b", "", "KUBE-A", "kube-x", "A/B"));
        names.addAll(List.of("x".repeat(28), "x".repeat(29), "KUBEX", "POSTROUTINGS"));
        Schema.TREE
                .at("/properties/profile/properties/overrides/properties/chain/not/anyOf/1/enum")
                .forEach(taken -> names.add(taken.asText()));
        assertThat(names)
                .hasSizeGreaterThan(50)
                .allSatisfy(name -> assertThat(
                                Schema.accepts(Map.of("profile", Map.of("overrides", Map.of("chain", name)))))
                        .isEqualTo(ChainName.fault(name).isEmpty()));
    }
}
