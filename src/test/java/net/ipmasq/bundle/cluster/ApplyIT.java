package net.ipmasq.bundle.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.lab.KubeApi;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.NetNs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The manifests without Helm, on a real API server: applied by a person, and by an add-on manager that owns fields. */
@NeedsKernel
@NeedsKube
@Timeout(120)
class ApplyIT {
    private static final Path MANIFESTS = Path.of("src", "main", "kubernetes").toAbsolutePath();
    private static final String KUBERNETES = MANIFESTS.resolve("kubernetes.yml").toString();
    private static final String PROFILE = "cce-ip-masq-agent-profile";

    private NetNs ns;
    private KubeApi api;

    @BeforeEach
    void cluster() {
        ns = NetNs.create();
        api = KubeApi.start(ns);
        api.kubectl("create", "-f", MANIFESTS.resolve("config.yml").toString());
    }

    @AfterEach
    void gone() {
        if (api != null) {
            api.close();
        }
        ns.close();
    }

    private void patch(String configMap, String key, String text) {
        api.kubectl(
                "-n",
                "kube-system",
                "patch",
                "configmap",
                configMap,
                "--patch",
                "{\"data\": {\"" + key + "\": \"" + text + "\"}}");
    }

    private String data(String configMap, String key) {
        return api.kubectl("-n", "kube-system", "get", "configmap", configMap, "-o", "jsonpath={.data." + key + "}");
    }

    private Exited serverSide(String... more) {
        String[] args = new String[more.length + 5];
        System.arraycopy(
                new String[] {"apply", "--server-side", "--field-manager=addon", "-f", KUBERNETES}, 0, args, 0, 5);
        System.arraycopy(more, 0, args, 5, more.length);
        return (Exited) api.tryKubectl(api.adminKubeconfig(), Map.of(), "", args);
    }

    @Test
    void aSecondApplyKeepsTheUsersEdit() {
        api.kubectl("apply", "-f", KUBERNETES);
        patch("cce-ip-masq-agent", "config", "masqOutBound: false");
        api.kubectl("apply", "-f", KUBERNETES);
        assertThat(data("cce-ip-masq-agent", "config")).isEqualTo("masqOutBound: false");
    }

    /** What addon.yaml calls NONE and OVERWRITE. The user's ConfigMap is in neither. */
    @Test
    void aConflictOverTheProvidersFieldsIsReportedOrTaken() {
        assertThat(serverSide().code()).isZero();
        assertThat(serverSide().code()).as("again, without a change").isZero();
        patch("cce-ip-masq-agent", "config", "masqOutBound: false");
        assertThat(serverSide().code()).as("an edit of what is the user's").isZero();

        patch(PROFILE, "profile", "name: mine");
        Exited none = serverSide();
        assertThat(none.code()).isNotZero();
        assertThat(none.stderr()).contains("conflict", ".data.profile");
        assertThat(data(PROFILE, "profile")).isEqualTo("name: mine");

        assertThat(serverSide("--force-conflicts").code()).isZero();
        assertThat(data(PROFILE, "profile")).contains("name: cce");
        assertThat(data("cce-ip-masq-agent", "config")).isEqualTo("masqOutBound: false");
    }
}
