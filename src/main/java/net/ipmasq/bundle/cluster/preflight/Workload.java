package net.ipmasq.bundle.cluster.preflight;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.ipmasq.bundle.cluster.preflight.PreflightFinding.Resource;

/** A DaemonSet as the checks look at it. */
record Workload(DaemonSet object) {

    Resource resource() {
        return new Resource("DaemonSet", namespace(), name());
    }

    String name() {
        return object.getMetadata().getName();
    }

    String namespace() {
        return object.getMetadata().getNamespace() == null
                ? ""
                : object.getMetadata().getNamespace();
    }

    String label(String key) {
        Map<String, String> labels = object.getMetadata().getLabels();
        return labels == null ? "" : labels.getOrDefault(key, "");
    }

    List<Container> containers() {
        return object.getSpec() == null
                        || object.getSpec().getTemplate() == null
                        || object.getSpec().getTemplate().getSpec() == null
                ? List.of()
                : object.getSpec().getTemplate().getSpec().getContainers();
    }

    List<String> images() {
        return containers().stream()
                .map(container -> container.getImage() == null ? "" : container.getImage())
                .toList();
    }

    /** Command and arguments of all containers, split at white space, since some start through a shell. */
    List<String> words() {
        return containers().stream()
                .flatMap(container -> Stream.concat(container.getCommand().stream(), container.getArgs().stream()))
                .flatMap(text -> Stream.of(text.split("\\s+")))
                .toList();
    }

    /** The value of a flag, in any of Go's spellings; {@code true} for one that stands alone. */
    Optional<String> flag(String name) {
        List<String> words = words();
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i).replaceFirst("^--?", "");
            if (words.get(i).startsWith("-") && word.startsWith(name + "=")) {
                return Optional.of(word.substring(name.length() + 1));
            }
            if (words.get(i).startsWith("-") && word.equals(name)) {
                boolean alone = i + 1 == words.size() || words.get(i + 1).startsWith("-");
                return Optional.of(alone ? "true" : words.get(i + 1));
            }
        }
        return Optional.empty();
    }

    /** The value of an environment variable of any container. */
    Optional<String> env(String name) {
        return containers().stream()
                .flatMap(container -> container.getEnv().stream())
                .filter(variable -> variable.getName().equals(name) && variable.getValue() != null)
                .map(variable -> variable.getValue())
                .findFirst();
    }
}
