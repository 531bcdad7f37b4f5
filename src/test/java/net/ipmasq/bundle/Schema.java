package net.ipmasq.bundle;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.networknt.schema.JsonSchema;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.util.Map;
import java.util.TreeMap;

/** The schema of the chart's values, and a validator for draft 2020-12 that shares nothing with Helm's. */
public final class Schema {
    private static final ObjectMapper JSON = new ObjectMapper();
    public static final JsonNode TREE = json(Bundle.text(Bundle.CHART.resolve("values.schema.json")));
    private static final JsonSchema VALIDATOR =
            JsonSchemaFactory.getInstance(VersionFlag.V202012).getSchema(TREE);

    private Schema() {}

    public static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException(e);
        }
    }

    public static JsonNode tree(Object value) {
        return JSON.valueToTree(value);
    }

    public static boolean accepts(Object values) {
        return VALIDATOR.validate(tree(values)).isEmpty();
    }

    /** Every property of the schema by its path in the values, those of referred schemas too. */
    public static Map<String, JsonNode> properties() {
        Map<String, JsonNode> found = new TreeMap<>();
        collect("", TREE, found);
        return found;
    }

    private static void collect(String prefix, JsonNode schema, Map<String, JsonNode> found) {
        schema.path("properties").properties().forEach(property -> {
            String path = prefix + property.getKey();
            found.put(path, property.getValue());
            collect(path + ".", property.getValue(), found);
            collect(path + ".", resolved(property.getValue()), found);
        });
    }

    private static JsonNode resolved(JsonNode schema) {
        String ref = schema.path("$ref").asText();
        return ref.isEmpty() ? schema : TREE.at(ref.substring(1));
    }
}
