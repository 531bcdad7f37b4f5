package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.ipmasq.app.Rights;
import org.junit.jupiter.api.Test;

/** The chart gives the rights that {@code RightsIT} tries on a real API server, and no more. */
class RightsTest {
    private static final List<String> KINDS =
            List.of("Role", "RoleBinding", "ClusterRole", "ClusterRoleBinding", "ServiceAccount");

    /** What is compared of an object: all but labels and what only the pod needs. */
    private static Map<String, Map<String, Object>> rights(List<Map<String, Object>> documents) {
        Map<String, Map<String, Object>> rights = new TreeMap<>();
        for (Map<String, Object> document : documents) {
            if (KINDS.contains((String) document.get("kind"))) {
                document.remove("automountServiceAccountToken");
                Bundle.map(document.get("metadata")).remove("labels");
                rights.put(Rendered.name(document), document);
            }
        }
        return rights;
    }

    @Test
    void theyAreThoseOfTheTests() {
        assertThat(rights(Rendered.defaults().documents())).isEqualTo(rights(Bundle.documents(Rights.YAML)));
    }

    private static List<Object> asked() {
        return Bundle.list(Bundle.at(Bundle.yaml(Bundle.ROOT.resolve("addon.yaml")), "permissions", "kubernetes")
                .orElseThrow());
    }

    private static List<String> keys(List<Object> asked) {
        return asked.stream()
                .map(Bundle::map)
                .map(one -> key(
                        one.get("scope"),
                        one.get("apiGroup"),
                        one.get("resource"),
                        one.getOrDefault("names", List.of()),
                        one.get("verbs")))
                .toList();
    }

    private static List<String> given(Rendered rendered) {
        return rendered.documents().stream()
                .filter(document -> document.get("rules") != null)
                .flatMap(document -> Bundle.list(document.get("rules")).stream()
                        .map(rule -> key(
                                document.get("kind").equals("Role") ? "namespace" : "cluster",
                                Bundle.at(rule, "apiGroups", 0).orElseThrow(),
                                Bundle.at(rule, "resources", 0).orElseThrow(),
                                Bundle.at(rule, "resourceNames").orElse(List.of()),
                                Bundle.at(rule, "verbs").orElseThrow())))
                .toList();
    }

    @Test
    void theAddonAsksForThemAndNoMore() {
        List<Object> always =
                asked().stream().filter(one -> Bundle.at(one, "when").isEmpty()).toList();
        assertThat(keys(always)).containsExactlyInAnyOrderElementsOf(given(Rendered.defaults()));
        assertThat(asked())
                .allSatisfy(one ->
                        assertThat(Bundle.map(Bundle.map(one).get("why"))).containsOnlyKeys("en", "zh"));
    }

    /** What {@code when} names is rendered with those values only, and is all that they add. */
    @Test
    void whatIsAskedForOnAConditionIsGivenOnItOnly() {
        Rendered rendered = Rendered.of("uninstall: {preserveRules: false}");
        assertThat(keys(asked())).containsExactlyInAnyOrderElementsOf(given(rendered));
        assertThat(asked().stream().flatMap(one -> Bundle.at(one, "when").stream()))
                .containsOnly("uninstall.preserveRules: false");
    }

    private static String key(Object... parts) {
        return List.of(parts).toString();
    }

    @Test
    void anAgentThatReadsAFileHasNone() {
        Rendered rendered = Rendered.of("agent: {source: file}");
        assertThat(rendered.names()).noneMatch(name -> name.contains("Role"));
        assertThat(Bundle.at(
                        rendered.document("DaemonSet/cce-ip-masq-agent"),
                        "spec",
                        "template",
                        "spec",
                        "automountServiceAccountToken"))
                .contains(false);
    }
}
