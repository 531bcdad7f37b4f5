package net.ipmasq.config;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.net.Quoted;

/** What is wrong with a ConfigMap's manifest around its configuration. */
final class ManifestFindings {
    private static final Set<String> KEYS = Set.of("apiVersion", "kind", "metadata", "data", "binaryData", "immutable");

    private static final String MOVE = "write 'data:' with 'config: |' below it, and indent the text below that";

    private ManifestFindings() {}

    static Problems of(SyntaxNode.Mapping configMap, Optional<ConfigMapName> read) {
        Findings found = new Findings();
        read.filter(name -> !name.isOf(configMap)).ifPresent(name -> found.add(notRead(configMap, name)));
        for (SyntaxNode.Entry entry : configMap.entries()) {
            if (entry.key() instanceof SyntaxNode.Scalar key && !KEYS.contains(key.text())) {
                misplaced(key, "at the top of the manifest", found);
            }
        }
        for (String name : List.of("data", "config")) {
            Manifest.metadata(configMap, name)
                    .ifPresent(entry -> misplaced((SyntaxNode.Scalar) entry.key(), "under metadata", found));
        }
        Manifest.top(configMap, "immutable")
                .filter(entry -> isTrue(entry.value()))
                .ifPresent(entry -> found.add(
                        ProblemCode.MANIFEST_IMMUTABLE,
                        entry.key().at(),
                        "immutable",
                        "an immutable ConfigMap can never be edited: to change it, delete it and create it again",
                        "remove this line, unless that is what you want"));
        return found.problems();
    }

    private static boolean isTrue(SyntaxNode value) {
        return value instanceof SyntaxNode.Scalar scalar
                && scalar.kind() == SyntaxNode.Kind.BOOL
                && scalar.text().equalsIgnoreCase("true");
    }

    private static void misplaced(SyntaxNode.Scalar key, String where, Findings found) {
        if (found.onlyCounts(ProblemCode.MANIFEST_KEY_MISPLACED, key.at())) {
            return;
        }
        String text = key.text();
        found.add(
                ProblemCode.MANIFEST_KEY_MISPLACED,
                key.at(),
                Quoted.withoutQuotes(text),
                Quoted.of(text) + " is " + where
                        + ", where a ConfigMap has no such key: the API server refuses it or"
                        + " silently drops it",
                fix(text));
    }

    private static String fix(String key) {
        if (key.equals("config") || ConfigKey.of(key).isPresent()) {
            return MOVE;
        }
        if (key.equals("data")) {
            return "write 'data:' at the beginning of a line, and indent what belongs to it below";
        }
        if (key.equalsIgnoreCase("data")) {
            return "write 'data': case matters in a manifest";
        }
        return key.equals("stringData")
                ? "write 'data': stringData is a Secret's"
                : "remove it; the configuration belongs under data.config";
    }

    private static Problem notRead(SyntaxNode.Mapping configMap, ConfigMapName read) {
        Optional<SyntaxNode.Entry> name = Manifest.metadata(configMap, "name");
        boolean nameFits =
                name.filter(entry -> ConfigMapName.isText(entry, read.name())).isPresent();
        Optional<SyntaxNode.Entry> wrong = nameFits ? Manifest.metadata(configMap, "namespace") : name;
        String what;
        if (name.isPresent()) {
            what = "this is the " + label(configMap);
        } else if (Manifest.metadata(configMap, "generateName").isPresent()) {
            what = "the API server generates a name for this ConfigMap (generateName)";
        } else {
            what = "the ConfigMap has no name";
        }
        return ProblemCode.MANIFEST_NOT_READ.at(
                wrong.map(entry -> entry.value().at()).orElse(configMap.at()),
                nameFits ? "metadata.namespace" : "metadata.name",
                what + ", but the agent reads " + read + " only",
                "write name: " + read.name() + " and namespace: " + read.namespace()
                        + " under metadata, or name the profile whose ConfigMap this is (--profile)");
    }

    /** For people: {@code ConfigMap kube-system/cce-ip-masq-agent on line 9}. */
    static String label(SyntaxNode.Mapping configMap) {
        String name = text(configMap, "name").map(Quoted::withoutQuotes).orElse("without a name");
        String namespace = text(configMap, "namespace")
                .map(text -> Quoted.withoutQuotes(text) + "/")
                .orElse("");
        return "ConfigMap " + namespace + name + " on line " + configMap.at().line();
    }

    private static Optional<String> text(SyntaxNode.Mapping configMap, String key) {
        return Manifest.metadata(configMap, key).flatMap(entry -> entry.value().asText());
    }

    /** The problem of a ConfigMap that has neither data nor anything that was meant to be data. */
    static Problem empty(SyntaxNode.Mapping configMap) {
        Optional<SyntaxNode.Entry> data = Manifest.top(configMap, "data");
        boolean none = data.isEmpty()
                || data.get().value() instanceof SyntaxNode.Mapping
                || data.get().value().isNull();
        Position at = data.map(entry -> entry.key().at()).orElse(configMap.at());
        if (none) {
            return ProblemCode.MANIFEST_DATA_EMPTY.at(
                    at,
                    "data",
                    "the ConfigMap has no data, so every value would be the profile's",
                    "write 'config: |' below 'data:' and indent the configuration below it, or delete the ConfigMap if the"
                            + " profile's values are wanted");
        }
        return ProblemCode.CONFIG_KEY_MISSING.at(
                at,
                "data",
                "data is " + data.get().value().label() + ", so there is no key config in it",
                "write 'config: |' below 'data:' and indent the configuration below it");
    }

    /** The documents of the file that are no Kubernetes objects. */
    static Problems strays(List<SyntaxTree.Document> documents) {
        Findings found = new Findings();
        for (SyntaxTree.Document document : documents) {
            Position at = document.root().at();
            if (!found.onlyCounts(ProblemCode.MANIFEST_STRAY_DOCUMENT, at)) {
                found.add(
                        ProblemCode.MANIFEST_STRAY_DOCUMENT,
                        at,
                        "",
                        "this document beside the manifest is no Kubernetes object: kubectl refuses it, and it was"
                                + " not checked",
                        "remove it, or put it into a separate file and check that");
            }
        }
        return found.problems();
    }
}
