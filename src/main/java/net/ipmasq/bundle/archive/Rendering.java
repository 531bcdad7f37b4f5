package net.ipmasq.bundle.archive;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import net.ipmasq.agent.UsageException;

/** What Helm made of a chart and values. */
public sealed interface Rendering {

    /** Manifests, unless the chart makes something that nobody could apply. */
    static Rendering of(String text) {
        try {
            return new Manifests(text, Tree.documents(text, "what the chart renders"));
        } catch (UsageException e) {
            return new Refused(String.valueOf(e.getMessage()));
        }
    }

    /** Helm, the schema or the chart's own checks refuse the values. */
    record Refused(String message) implements Rendering {}

    /**
     * Manifests.
     *
     * @param text as Helm prints them
     * @param documents the objects in it
     */
    record Manifests(String text, List<Map<String, Object>> documents) implements Rendering {
        /** What an install is made of: Helm's text without the hooks of other times. */
        public String forInstalling() {
            return Arrays.stream(text.split("(?m)^(?=---\\s*$)"))
                    .filter(one -> Tree.documents(one, "what the chart renders").stream()
                            .noneMatch(HelmHook::isOfAnotherTime))
                    .collect(Collectors.joining());
        }

        /** The hooks of other times, {@code kind/name}. */
        public List<String> ofAnotherTime() {
            return documents.stream()
                    .filter(HelmHook::isOfAnotherTime)
                    .map(document -> Tree.text(document, "kind") + "/" + Tree.text(document, "metadata", "name"))
                    .toList();
        }

        /** A text in the data of a ConfigMap. */
        Optional<String> data(String configMap, String key) {
            return documents.stream()
                    .filter(document -> Tree.text(document, "kind").equals("ConfigMap"))
                    .filter(document -> Tree.text(document, "metadata", "name").equals(configMap))
                    .flatMap(document -> Tree.at(document, "data", key).stream())
                    .map(String::valueOf)
                    .findFirst();
        }
    }
}
