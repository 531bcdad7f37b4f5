package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.ipmasq.agent.Settings;
import net.ipmasq.profile.BuiltInProfiles;
import org.junit.jupiter.api.Test;

/** {@code addon.yaml} and {@code compatibility.yaml} say what the chart and the agent are. */
class AddonTest {
    private final Map<String, Object> addon = Bundle.yaml(Bundle.ROOT.resolve("addon.yaml"));
    private final Map<String, Object> chart = Bundle.yaml(Bundle.CHART.resolve("Chart.yaml"));
    private final Map<String, Object> newest =
            Bundle.map(Bundle.at(Bundle.yaml(Bundle.ROOT.resolve("compatibility.yaml")), "versions", 0)
                    .orElseThrow());

    @Test
    void thereIsOneVersion() {
        assertThat(List.of(addon.get("version"), chart.get("version"), chart.get("appVersion"), newest.get("version")))
                .containsOnly(Bundle.version());
    }

    @Test
    void rangesAreTheSameEverywhere() {
        assertThat(Bundle.at(addon, "requires", "kubernetes"))
                .contains(chart.get("kubeVersion"))
                .isEqualTo(Bundle.at(newest, "kubernetes", "range"));
        assertThat(Bundle.at(addon, "requires", "kernel")).isEqualTo(Bundle.at(newest, "kernel", "range"));
        assertThat(Bundle.at(addon, "requires", "architectures")).isEqualTo(Bundle.at(newest, "architectures"));
        for (String key : List.of("upgradableFrom", "rollbackTo", "profiles")) {
            assertThat(addon.get(key)).isEqualTo(newest.get(key));
        }
    }

    @Test
    void namesInTwoLanguages() {
        for (String key : List.of("displayName", "description")) {
            assertThat(Bundle.map(addon.get(key))).containsOnlyKeys("en", "zh");
        }
        assertThat(Bundle.text(Bundle.ROOT.resolve(addon.get("icon").toString())))
                .startsWith("<svg ");
    }

    @Test
    void theDigestIsEmptyInTheTree() {
        assertThat(Bundle.at(addon, "images", 0, "digest")).contains("");
        assertThat(Bundle.at(addon, "images", 0, "repository"))
                .isEqualTo(Bundle.at(Bundle.yaml(Bundle.CHART.resolve("values.yaml")), "image", "repository"));
    }

    @Test
    void profilesAndBackendsAreThoseOfTheAgent() {
        assertThat(Bundle.list(addon.get("profiles")))
                .containsExactlyInAnyOrderElementsOf(BuiltInProfiles.names().stream()
                        .filter(name -> !name.equals("built-in"))
                        .toList());
        assertThat(addon.get("defaultProfile")).isEqualTo(Settings.DEFAULT_PROFILE);
        assertThat(Bundle.list(newest.get("backends"))).containsAll(Settings.BACKENDS);
    }

    @Test
    void resourcesAreThoseOfTheChart() {
        Object resources = Bundle.yaml(Bundle.CHART.resolve("values.yaml")).get("resources");
        for (String key : List.of("requests", "limits")) {
            assertThat(Bundle.at(addon, "resources", key)).isEqualTo(Bundle.at(resources, key));
        }
    }

    /** Conditions, probes and rights on the node are those of the code and the pods. */
    @Test
    void healthAndRightsOnTheNodeAreThoseOfThePods() {
        String status = Bundle.text(Path.of("src/main/java/net/ipmasq/observe/Conditions.java"));
        for (Object condition :
                Bundle.list(Bundle.at(addon, "health", "conditions").orElseThrow())) {
            assertThat(status).contains("\"" + Bundle.map(condition).get("type") + "\"");
        }
        String pod = Rendered.defaults().document("DaemonSet/cce-ip-masq-agent").toString();
        assertThat(Bundle.map(Bundle.at(addon, "health", "probes").orElseThrow())
                        .values())
                .hasSize(3)
                .allSatisfy(path -> assertThat(pod).contains("path=" + path));
        List<Object> node = Bundle.list(Bundle.at(addon, "permissions", "node").orElseThrow());
        assertThat(node.stream()
                        .filter(one -> Bundle.map(one).get("kind").equals("capability"))
                        .map(one -> Bundle.map(one).get("name")))
                .containsExactly("NET_ADMIN", "NET_RAW");
        assertThat(node.stream().filter(one -> Bundle.map(one).get("kind").equals("hostPath")))
                .hasSize((pod.length() - pod.replace("hostPath=", "").length()) / "hostPath=".length())
                .allSatisfy(one ->
                        assertThat(pod).contains("path=" + Bundle.map(one).get("name")));
    }
}
