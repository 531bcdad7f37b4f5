package net.ipmasq.bundle.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import net.ipmasq.bundle.Bundle;
import net.ipmasq.bundle.Rendered;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.KubeApi;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.NetNs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code bundle apply} on a real API server, under each of the three ways to settle a conflict. */
@NeedsKernel
@NeedsKube
@Timeout(180)
class BundleApplyIT {
    private static final String NAME = "cce-ip-masq-agent";
    private static final String PROFILE = NAME + "-profile";
    private static final String EDIT = "masqOutBound: false";

    @TempDir
    Path dir;

    private static NetNs ns;
    private static KubeApi api;

    @BeforeAll
    static void cluster() {
        ns = NetNs.create();
        api = KubeApi.start(ns);
    }

    @AfterAll
    static void gone() {
        if (api != null) {
            api.close();
        }
        if (ns != null) {
            ns.close();
        }
    }

    @AfterEach
    void nothingLeft() {
        api.kubectl(
                "-n",
                "kube-system",
                "delete",
                "daemonsets,serviceaccounts,configmaps,roles,rolebindings,clusterroles,clusterrolebindings",
                "-l",
                "app.kubernetes.io/name=ip-masq-agent");
    }

    /** Both manifests, in a version that the test names. */
    private AgentProcess.Result apply(String version, String how, String... more) throws IOException {
        Path manifests = Path.of("src", "main", "kubernetes");
        String text = Files.readString(manifests.resolve("kubernetes.yml"))
                + Files.readString(manifests.resolve("config.yml"));
        Path file = Files.writeString(dir.resolve("all.yaml"), text.replace(Bundle.version(), version));
        String[] args = new String[more.length + 6];
        System.arraycopy(
                new String[] {
                    "bundle",
                    "apply",
                    file.toString(),
                    "--resolve-conflicts=" + how,
                    "--kubeconfig",
                    api.adminKubeconfig().toString()
                },
                0,
                args,
                0,
                6);
        System.arraycopy(more, 0, args, 6, more.length);
        return AgentProcess.runFleet(ns, args);
    }

    private String get(String object, String jsonPath) {
        return api.kubectl("-n", "kube-system", "get", object, "-o", "jsonpath={" + jsonPath + "}");
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

    private String image() {
        return get("daemonset/" + NAME, ".spec.template.spec.containers[0].image");
    }

    private String profileText() {
        return get("configmap/" + PROFILE, ".data.profile");
    }

    private String profileVersion() {
        return get("configmap/" + PROFILE, ".metadata.labels.app\\.kubernetes\\.io/version");
    }

    /** Installed in version 1.0.0; then the user edits what is theirs, and somebody edits what is the provider's. */
    private void installedAndEdited() throws IOException {
        AgentProcess.Result first = apply("1.0.0", "none");
        assertThat(first.code()).as("%s", first).isZero();
        assertThat(first.out()).contains("ConfigMap/" + NAME + ": created; it is the user's");
        patch(NAME, "config", EDIT);
        AgentProcess.Result again = apply("1.0.0", "none");
        assertThat(again.code()).as("without a conflict").isZero();
        assertThat(again.out()).contains("ConfigMap/" + NAME + ": kept");
        patch(PROFILE, "profile", "name: mine");
        api.kubectl("-n", "kube-system", "set", "image", "daemonset/" + NAME, NAME.substring(4) + "=mirror/agent:7");
        api.kubectl(
                "-n", "kube-system", "label", "configmap", PROFILE, "--overwrite", "app.kubernetes.io/version=theirs");
    }

    @Test
    void noneReportsEveryConflictAndChangesNothing() throws IOException {
        installedAndEdited();
        AgentProcess.Result result = apply("2.0.0", "none");
        assertThat(result.code()).as("%s", result).isEqualTo(3);
        assertThat(result.out())
                .contains("ConfigMap/" + PROFILE
                        + ": .data.profile was written by 'kubectl-patch' [ConfigurationConflict]")
                .contains("DaemonSet/" + NAME + ": .spec.template.spec.containers[name=\"ip-masq-agent\"].image")
                .contains("nothing was changed");
        assertThat(apply("2.0.0", "none", "-o", "json").out())
                .contains("\"code\" : \"ConfigurationConflict\"", "\"field\" : \".data.profile\"", "kubectl-patch");
        assertThat(get("serviceaccount/" + NAME, ".metadata.labels.app\\.kubernetes\\.io/version"))
                .as("objects without a conflict neither")
                .isEqualTo("1.0.0");
        assertThat(profileText()).isEqualTo("name: mine");
        assertThat(image()).isEqualTo("mirror/agent:7");
    }

    @Test
    void overwriteTakesWhatIsTheProvidersAndNothingElse() throws IOException {
        installedAndEdited();
        AgentProcess.Result result = apply("2.0.0", "overwrite");
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.out()).contains(".data.profile was written by 'kubectl-patch'; overwritten");
        assertThat(profileText()).contains("name: cce");
        assertThat(profileVersion()).isEqualTo("2.0.0");
        assertThat(image()).isEqualTo("ip-masq-agent:2.0.0");
        assertThat(get("configmap/" + NAME, ".data.config")).isEqualTo(EDIT);
        assertThat(apply("2.0.0", "none").code())
                .as("it is the provider's again")
                .isZero();
    }

    @Test
    void preserveLeavesTheFieldsOfOthersAndUpgradesTheRest() throws IOException {
        installedAndEdited();
        AgentProcess.Result result = apply("2.0.0", "preserve");
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.out()).contains(".data.profile was written by 'kubectl-patch'; preserved");
        assertThat(profileText()).isEqualTo("name: mine");
        assertThat(profileVersion()).isEqualTo("theirs");
        assertThat(image()).isEqualTo("mirror/agent:7");
        assertThat(get("daemonset/" + NAME, ".metadata.labels.app\\.kubernetes\\.io/version"))
                .isEqualTo("2.0.0");
        assertThat(get("configmap/" + NAME, ".data.config")).isEqualTo(EDIT);
        assertThat(apply("3.0.0", "preserve").code())
                .as("at the next upgrade too")
                .isZero();
        assertThat(profileText()).isEqualTo("name: mine");
        assertThat(get("daemonset/" + NAME, ".metadata.labels.app\\.kubernetes\\.io/version"))
                .isEqualTo("3.0.0");
    }

    /** As a chart has it that Helm has rendered with {@code uninstall.preserveRules: false}. */
    @Test
    void whatAnUninstallRunsIsSkipped() throws IOException {
        Path file = Files.writeString(
                dir.resolve("hooks.yaml"),
                Rendered.of("uninstall: {preserveRules: false}").text());
        AgentProcess.Result result = AgentProcess.runFleet(
                ns,
                "bundle",
                "apply",
                file.toString(),
                "--kubeconfig",
                api.adminKubeconfig().toString());
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.out())
                .contains("Job/" + NAME + "-uninstall: skipped", "Role/" + NAME + "-uninstall: skipped")
                .contains("ConfigMap/" + NAME + ": created");
        assertThat(api.kubectl("-n", "kube-system", "get", "jobs,roles", "-o", "name"))
                .doesNotContain("uninstall");
    }

    /** Everything in it was written by kubectl, and would be somebody else's: no way but overwrite would upgrade. */
    @Test
    void anInstallationByKubectlIsTakenOver() throws IOException {
        for (String how : new String[] {"none", "preserve"}) {
            Path file = Files.writeString(
                    dir.resolve("kubectl.yaml"),
                    Files.readString(Path.of("src", "main", "kubernetes", "kubernetes.yml"))
                            .replace(Bundle.version(), "1.0.0"));
            api.kubectl("apply", "-f", file.toString());
            patch(NAME + "-profile", "note", "mine");
            AgentProcess.Result result = apply("2.0.0", how);
            assertThat(result.code()).as("%s %s", how, result).isZero();
            assertThat(image()).isEqualTo("ip-masq-agent:2.0.0");
            assertThat(profileVersion()).isEqualTo("2.0.0");
            assertThat(get("configmap/" + PROFILE, ".data.note"))
                    .as("another's field")
                    .isEqualTo("mine");
            assertThat(get("daemonset/" + NAME, ".metadata.managedFields[*].manager"))
                    .doesNotContain("client-side");
            api.kubectl("-n", "kube-system", "label", "daemonset", NAME, "--overwrite", "app.kubernetes.io/version=x");
            api.kubectl("apply", "-f", file.toString());
            assertThat(apply("3.0.0", how).out())
                    .as("with fields of ours already there")
                    .doesNotContain("client-side");
            nothingLeft();
        }
    }
}
