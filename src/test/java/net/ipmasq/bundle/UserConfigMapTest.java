package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import org.junit.jupiter.api.Test;

/** The user's ConfigMap: made once, comments only, the same in every version. */
class UserConfigMapTest {
    private static final String NAME = "cce-ip-masq-agent";

    private static ConfigMap rendered() {
        return Rendered.defaults().object(ConfigMap.class, NAME);
    }

    /**
     * A version with other bytes would leave clusters with texts of two kinds, and tools that compare manifests would
     * put the new one over a user's edit. What has to change belongs into the profile.
     */
    @Test
    void itsTemplateNeverChanges() throws Exception {
        byte[] template = Bundle.text(Bundle.CHART.resolve("templates/user-configmap.yaml"))
                .getBytes(StandardCharsets.UTF_8);
        assertThat(HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(template)))
                .isEqualTo("840ad22b3220ba6d4e82dc7cc4453250cea826839e102fc443ef51242697a73f");
    }

    @Test
    void itIsTheUsers() {
        ConfigMap map = rendered();
        assertThat(map.getMetadata().getLabels())
                .containsEntry("addonmanager.kubernetes.io/mode", "EnsureExists")
                // a version would make it differ
                .doesNotContainKeys("app.kubernetes.io/version", "helm.sh/chart");
        assertThat(map.getMetadata().getAnnotations())
                .containsEntry("helm.sh/resource-policy", "keep")
                .containsEntry("helm.sh/hook", "pre-install,pre-upgrade")
                // the default would delete an older object, and with it the user's edit
                .containsEntry("helm.sh/hook-delete-policy", "hook-failed");
        assertThat(map.getData()).containsOnlyKeys("config");
    }

    @Test
    void everythingElseIsTheProviders() {
        assertThat(Rendered.defaults().documents())
                .filteredOn(document -> !Rendered.name(document).equals("ConfigMap/" + NAME))
                .allSatisfy(document -> assertThat(
                                Bundle.at(document, "metadata", "labels", "addonmanager.kubernetes.io/mode"))
                        .contains("Reconcile"));
    }

    @Test
    void commentsOnlyMeanThatTheProfileDecides() {
        assertThat(ConfigReader.read(rendered().getData().get("config")))
                .isEqualTo(new ConfigOutcome.Loaded(AgentConfig.EMPTY, List.of()));
    }

    private static final List<String> FIRST_KEYS = List.of(
            "nonMasqueradeCIDRs",
            "masqueradeCIDRs",
            "masqOutBound",
            "masqOutBoundIPv6",
            "masqLinkLocal",
            "masqLinkLocalIPv6",
            "resyncInterval",
            "cidrLimit");

    /** Every key of the first version is there to be uncommented, and what comes out is valid. */
    @Test
    void uncommentedItIsAValidConfigurationWithEveryKey() {
        String text = rendered().getData().get("config");
        StringBuilder uncommented = new StringBuilder();
        for (String line : text.lines().toList()) {
            String body = line.replaceFirst("^# ?", "");
            boolean key = ConfigKey.ALL.stream().anyMatch(k -> body.startsWith(k.spelling() + ":"));
            if (key || body.startsWith("  - ")) {
                uncommented.append(body).append('\n');
            }
        }
        assertThat(text.lines()).allMatch(line -> line.startsWith("#"));
        ConfigOutcome outcome = ConfigReader.read(uncommented.toString());
        assertThat(outcome).isInstanceOf(ConfigOutcome.Loaded.class);
        // its bytes never change, so a later key is not there
        for (String key : FIRST_KEYS) {
            assertThat(uncommented).contains(key + ":");
        }
    }

    /** Helm compares what belongs to a release with the cluster, and would put its own text back over an edit. */
    @Test
    void itBelongsToNoRelease() {
        assertThat(Rendered.release().names())
                .doesNotContain("ConfigMap/" + NAME)
                .contains("ConfigMap/" + NAME + "-profile");
    }

    /** Whoever made it: an upgrade, or the first install next to an agent of somebody else. */
    @Test
    void whereItExistsItIsNoPartOfTheManifests() {
        StandInCluster.hasConfigMap();
        try {
            assertThat(Rendered.of("config: {masqOutBound: true}").names())
                    .doesNotContain("ConfigMap/" + NAME)
                    .contains("ConfigMap/" + NAME + "-profile");
        } finally {
            StandInCluster.hasNone();
        }
    }

    @Test
    void itCanBeLeftToSomebodyElse() {
        assertThat(Rendered.of("userConfigMap: {create: false}").names()).doesNotContain("ConfigMap/" + NAME);
    }
}
