package net.ipmasq.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The Kubernetes objects of a file. Unlike a configuration's, their keys are case-sensitive.
 *
 * @param strays documents with something in them that is no object
 */
record Manifest(List<SyntaxNode.Mapping> objects, List<SyntaxTree.Document> strays) {

    /** The objects of all documents, those inside a {@code List} too; none if the file is no manifest. */
    static Manifest of(SyntaxTree.Documents tree) {
        List<SyntaxNode.Mapping> objects = new ArrayList<>();
        List<SyntaxTree.Document> strays = new ArrayList<>();
        for (SyntaxTree.Document document : tree.documents()) {
            if (document.root() instanceof SyntaxNode.Mapping mapping && isObject(mapping)) {
                addFlat(mapping, objects);
            } else if (!document.root().isNull()) {
                strays.add(document);
            }
        }
        return new Manifest(objects, strays);
    }

    /** {@code kind} alone would do for Kubernetes' own tools, but a misspelt configuration might have such a key. */
    private static boolean isObject(SyntaxNode.Mapping mapping) {
        return text(mapping, "kind").isPresent()
                && (text(mapping, "apiVersion").isPresent()
                        || text(mapping, "kind").orElseThrow().equals("ConfigMap"));
    }

    private static void addFlat(SyntaxNode.Mapping object, List<SyntaxNode.Mapping> objects) {
        boolean isList = text(object, "kind").orElseThrow().endsWith("List");
        if (isList
                && value(object, "items").orElse(null) instanceof SyntaxNode.Sequence items
                && !items.items().isEmpty()) {
            // a list in a list is not valid in Kubernetes, so one level is enough
            items.items().stream()
                    .filter(SyntaxNode.Mapping.class::isInstance)
                    .map(SyntaxNode.Mapping.class::cast)
                    .forEach(objects::add);
        } else {
            objects.add(object);
        }
    }

    List<SyntaxNode.Mapping> configMaps() {
        return objects.stream()
                .filter(object ->
                        text(object, "kind").filter("ConfigMap"::equals).isPresent())
                .toList();
    }

    List<String> kinds() {
        return objects.stream()
                .map(object -> text(object, "kind").orElse("?"))
                .distinct()
                .toList();
    }

    static Optional<SyntaxNode.Entry> data(SyntaxNode.Mapping configMap, String key) {
        return entry(mapping(configMap, "data"), key);
    }

    /** A {@code config} beside data, or under metadata, instead of in data. */
    static Optional<SyntaxNode.Entry> misplaced(SyntaxNode.Mapping configMap) {
        return top(configMap, "config")
                .or(() -> metadata(configMap, "config"))
                .or(() ->
                        entry(mapping(configMap, "metadata").flatMap(metadata -> mapping(metadata, "data")), "config"));
    }

    /** A key of the manifest itself. */
    static Optional<SyntaxNode.Entry> top(SyntaxNode.Mapping configMap, String key) {
        return entry(Optional.of(configMap), key);
    }

    static Optional<SyntaxNode.Entry> metadata(SyntaxNode.Mapping configMap, String key) {
        return entry(mapping(configMap, "metadata"), key);
    }

    /** A second {@code data}, or a second {@code config} in it: readers differ on which of the two they take. */
    static Optional<SyntaxNode.Entry> repeated(SyntaxNode.Mapping configMap) {
        return Stream.concat(
                        entries(Optional.of(configMap), "data").skip(1),
                        entries(mapping(configMap, "data"), "config").skip(1))
                .findFirst();
    }

    /** The keys of {@code data}, and of {@code binaryData} with that word before them. */
    static List<String> keys(SyntaxNode.Mapping configMap) {
        return Stream.concat(
                        keysOf(configMap, "data"),
                        keysOf(configMap, "binaryData").map("binaryData."::concat))
                .toList();
    }

    private static Stream<String> keysOf(SyntaxNode.Mapping configMap, String part) {
        return mapping(configMap, part).stream()
                .flatMap(mapping -> mapping.entries().stream())
                .flatMap(entry -> entry.key().asText().stream());
    }

    /** A value under {@code metadata} that can go into a shell command, else a word to fill in. */
    static String metadata(SyntaxNode.Mapping configMap, String key, String otherwise) {
        return mapping(configMap, "metadata")
                .flatMap(metadata -> text(metadata, key))
                .filter(text -> text.matches("[a-z0-9]([a-z0-9.-]{0,251}[a-z0-9])?"))
                .orElse(otherwise);
    }

    private static Optional<SyntaxNode.Mapping> mapping(SyntaxNode.Mapping object, String key) {
        return value(object, key).filter(SyntaxNode.Mapping.class::isInstance).map(SyntaxNode.Mapping.class::cast);
    }

    private static Optional<String> text(SyntaxNode.Mapping object, String key) {
        return value(object, key).flatMap(SyntaxNode::asText);
    }

    private static Optional<SyntaxNode> value(SyntaxNode.Mapping object, String key) {
        return entry(Optional.of(object), key).map(SyntaxNode.Entry::value);
    }

    private static Optional<SyntaxNode.Entry> entry(Optional<SyntaxNode.Mapping> mapping, String key) {
        return entries(mapping, key).findFirst();
    }

    private static Stream<SyntaxNode.Entry> entries(Optional<SyntaxNode.Mapping> mapping, String key) {
        return mapping.stream()
                .flatMap(m -> m.entries().stream())
                .filter(e -> e.key().asText().filter(key::equals).isPresent());
    }
}
