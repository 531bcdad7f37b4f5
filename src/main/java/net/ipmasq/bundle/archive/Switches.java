package net.ipmasq.bundle.archive;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Values that differ from the defaults in one switch each: every boolean and every choice that the schema has. A right that
 * only one of them brings is found though no example has it.
 */
final class Switches {
    private static final int DEEPEST = 8;

    private final Map<String, Object> schema;
    private final List<ValuesCase> cases = new ArrayList<>();

    private Switches(Map<String, Object> schema) {
        this.schema = schema;
    }

    static List<ValuesCase> of(BundleFiles bundle) {
        // JSON is YAML
        Switches switches = new Switches(bundle.yaml(BundleFiles.SCHEMA));
        switches.properties(List.of(), switches.schema);
        return switches.cases;
    }

    private void properties(List<String> path, Map<String, Object> object) {
        Tree.map(resolved(object), "properties").forEach((name, property) -> {
            List<String> inner = new ArrayList<>(path);
            inner.add(name);
            if (inner.size() < DEEPEST) {
                property(inner, resolved(Tree.map(property)));
            }
        });
    }

    private void property(List<String> path, Map<String, Object> property) {
        if (Tree.text(property, "type").equals("boolean")) {
            add(path, true);
            add(path, false);
        }
        Tree.list(property, "enum").forEach(choice -> add(path, choice));
        properties(path, property);
    }

    private Map<String, Object> resolved(Map<String, Object> property) {
        String reference = Tree.text(property, "$ref");
        return reference.startsWith("#/")
                ? Tree.map(schema, (Object[]) reference.substring(2).split("/"))
                : property;
    }

    private void add(List<String> path, Object value) {
        Object values = value;
        for (String name : path.reversed()) {
            values = Map.of(name, values);
        }
        cases.add(new ValuesCase(String.join(".", path) + "=" + value, BundleFiles.VALUES, Tree.map(values)));
    }
}
