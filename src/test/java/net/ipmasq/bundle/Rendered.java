package net.ipmasq.bundle;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What Helm's own engine makes of the chart.
 *
 * @param text the manifests as Helm prints them
 */
public record Rendered(String text) {
    private static final HelmProcess HELM = HelmProcess.start(StandInCluster.start(), argv -> argv);

    /** helm-java prints no hooks, which the helm command does; under another name the annotation is none. */
    private static final String HOOK = "helm.sh/hook";

    private static final String HIDDEN = "hidden.helm.sh/hook";
    private static final Path WITHOUT_HOOKS = ChartCopy.of(text -> text.replace(HOOK, HIDDEN));

    public static Rendered defaults() {
        return of("{}");
    }

    /** With values as a user writes them, over those of the chart. */
    public static Rendered of(String values) {
        return inNamespace("kube-system", values);
    }

    public static Rendered of(Path values) {
        return of(Bundle.text(values));
    }

    /**
     * As above.
     *
     * @throws IllegalStateException with Helm's message, when the schema or the chart refuses the values
     */
    public static Rendered inNamespace(String namespace, String values) {
        return new Rendered(
                HELM.call("template", WITHOUT_HOOKS, namespace, values).replace(HIDDEN, HOOK));
    }

    /** Only what belongs to the release, which hooks do not. */
    public static Rendered release() {
        return new Rendered(HELM.call("template", Bundle.CHART, "kube-system", "{}"));
    }

    /** What Helm's linter says, after {@code passed} or {@code failed}. */
    public static String lint() {
        return HELM.call("lint", Bundle.CHART, "kube-system", "");
    }

    public List<Map<String, Object>> documents() {
        return Bundle.documents(text);
    }

    /** Kind and name of each document. */
    public List<String> names() {
        return documents().stream().map(Rendered::name).toList();
    }

    public static String name(Map<String, Object> document) {
        return document.get("kind") + "/"
                + Bundle.at(document, "metadata", "name").orElseThrow();
    }

    public Map<String, Object> document(String name) {
        return documents().stream()
                .filter(document -> name(document).equals(name))
                .findFirst()
                .orElseThrow(() -> new AssertionError("no " + name + " among " + names()));
    }

    /** A document as Kubernetes' model of its kind. */
    public <T extends HasMetadata> T object(Class<T> type, String name) {
        return Serialization.unmarshal(Serialization.asJson(document(type.getSimpleName() + "/" + name)), type);
    }

    /** A text in the data of a ConfigMap. */
    public String data(String configMap, String key) {
        return (String)
                Bundle.at(document("ConfigMap/" + configMap), "data", key).orElseThrow();
    }
}
