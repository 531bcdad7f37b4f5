package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.KubeApi;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.PackagedAgent;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Install, upgrade, back to the older version, uninstall, on a real API server: what the user wrote is never touched, what
 * is the provider's always is. Going back is an upgrade to the older chart here; helm-java has no roll-back.
 */
@PackagedAgent
@NeedsKernel
@NeedsKube
@Timeout(120)
class HelmReleaseIT {
    private static final String NAME = "cce-ip-masq-agent";
    private static final String EDIT = "masqOutBound: false";
    private static final List<String> GONE_AFTER_UNINSTALL = List.of(
            "daemonset/" + NAME,
            "configmap/" + NAME + "-profile",
            "role/" + NAME,
            "rolebinding/" + NAME,
            "clusterrole/" + NAME + "-node",
            "clusterrolebinding/" + NAME + "-node",
            "serviceaccount/" + NAME);

    private static NetNs ns;
    private static KubeApi api;
    private static HelmProcess helm;

    /** A later version, whose profile has one range more. */
    private final Path next = changed(text -> text.replace(Bundle.version(), "9.9.9")
            .replace("    - 192.168.0.0/16\n", "    - 192.168.0.0/16\n    - 203.0.113.0/24\n"));

    @BeforeAll
    static void cluster() {
        ns = NetNs.create();
        api = KubeApi.start(ns);
        helm = HelmProcess.start(api.adminKubeconfig(), ns::enter);
    }

    @AfterAll
    static void gone() {
        if (helm != null) {
            helm.close();
        }
        if (api != null) {
            api.close();
        }
        if (ns != null) {
            ns.close();
        }
    }

    @AfterEach
    void removeAll() {
        try {
            helm("uninstall", Bundle.CHART);
        } catch (IllegalStateException e) {
            // the test has done it
        }
        for (String object : GONE_AFTER_UNINSTALL) {
            kubectl("delete", object, "--ignore-not-found");
        }
        kubectl("delete", "configmap", NAME, "--ignore-not-found");
    }

    private static Path changed(UnaryOperator<String> change) {
        return ChartCopy.of(change);
    }

    private static String helm(String command, Path chart) {
        return helm.call(command, chart, "kube-system", "{}");
    }

    private static String kubectl(String... args) {
        String[] all = new String[args.length + 2];
        all[0] = "-n";
        all[1] = "kube-system";
        System.arraycopy(args, 0, all, 2, args.length);
        return api.kubectl(all);
    }

    private static String get(String object, String jsonPath) {
        return kubectl("get", object, "--ignore-not-found", "-o", "jsonpath={" + jsonPath + "}");
    }

    private static String config() {
        return get("configmap/" + NAME, ".data.config");
    }

    private static void edit() {
        kubectl("patch", "configmap", NAME, "--patch", "{\"data\": {\"config\": \"" + EDIT + "\"}}");
    }

    private static String image() {
        return get("daemonset/" + NAME, ".spec.template.spec.containers[0].image");
    }

    private static String profile() {
        return get("configmap/" + NAME + "-profile", ".data.profile");
    }

    @Test
    void anEditOutlivesUpgradeWayBackAndUninstall() {
        assertThat(helm("install", Bundle.CHART)).isEqualTo("deployed");
        assertThat(config()).startsWith("# Yours to edit").contains("# masqOutBound: true");
        assertThat(get("configmap/" + NAME, ".metadata.labels.addonmanager\\.kubernetes\\.io/mode"))
                .isEqualTo("EnsureExists");
        assertThat(get("daemonset/" + NAME, ".metadata.labels.addonmanager\\.kubernetes\\.io/mode"))
                .isEqualTo("Reconcile");
        edit();
        String uid = get("configmap/" + NAME, ".metadata.uid");

        assertThat(helm("upgrade", next)).isEqualTo("deployed");
        assertThat(image()).isEqualTo("ip-masq-agent:9.9.9");
        assertThat(profile()).contains("203.0.113.0/24");
        assertThat(config()).isEqualTo(EDIT);

        assertThat(helm("upgrade", Bundle.CHART)).isEqualTo("deployed");
        assertThat(image()).isEqualTo("ip-masq-agent:" + Bundle.version());
        assertThat(profile()).doesNotContain("203.0.113.0/24");
        assertThat(config()).isEqualTo(EDIT);

        helm("uninstall", Bundle.CHART);
        assertThat(GONE_AFTER_UNINSTALL)
                .allSatisfy(object -> assertThat(get(object, ".metadata.name")).isEmpty());
        assertThat(config()).isEqualTo(EDIT);

        helm("install", next);
        assertThat(config()).isEqualTo(EDIT);
        assertThat(get("configmap/" + NAME, ".metadata.uid")).isEqualTo(uid);
    }

    /** A user who changed nothing gets the new profile: the ConfigMap has comments only, and keeps them. */
    @Test
    void whereNothingWasEditedTheNewProfileCounts() {
        helm("install", Bundle.CHART);
        String text = config();
        helm("upgrade", next);
        assertThat(profile()).contains("203.0.113.0/24");
        assertThat(config()).isEqualTo(text).doesNotContain("203.0.113.0/24");
    }

    private static String rules() {
        return ns.run("iptables-save", "-t", "nat");
    }

    private static boolean keeps(String cidr) {
        return keeps(rules(), cidr);
    }

    private static boolean keeps(String rules, String cidr) {
        return rules.contains("-d " + cidr + " ");
    }

    /** From the chart to the kernel: the agent that runs takes the profile of each version, and an edit over all of them. */
    @Test
    void aRunningAgentTakesTheNewProfileAndLeavesAnEditAlone(@TempDir Path dir) {
        helm("install", Bundle.CHART);
        Path linkLocal = changed(text -> text.replace("    - 192.168.0.0/16\n", "    - 203.0.113.0/24\n")
                .replace("    - fc00::/7\n", "    - fc00::/7\n  masqLinkLocal: true\n"));
        Map<String, String> account = Map.of(
                "KUBECONFIG",
                api.serviceAccountKubeconfig("kube-system", NAME).toString(),
                "IP_MASQ_SOURCE",
                "kubernetes");
        try (AgentProcess agent = AgentProcess.start(
                ns,
                account,
                "run",
                "--config",
                dir.resolve("mounted").toString(),
                "--state-dir",
                dir.resolve("state").toString())) {
            Eventually.holds(
                    "the first version",
                    HelmReleaseIT::rules,
                    rules -> keeps(rules, "192.168.0.0/16") && !keeps(rules, "203.0.113.0/24"));
            helm("upgrade", next);
            Eventually.holds("the next version's range", HelmReleaseIT::rules, rules -> keeps(rules, "203.0.113.0/24"));
            helm("upgrade", Bundle.CHART);
            Eventually.holds(
                    "back again",
                    HelmReleaseIT::rules,
                    rules -> !keeps(rules, "203.0.113.0/24") && keeps(rules, "192.168.0.0/16"));
            kubectl(
                    "patch",
                    "configmap",
                    NAME,
                    "-p",
                    "{\"data\": {\"config\": \"nonMasqueradeCIDRs: [10.77.0.0/16]\"}}");
            Eventually.holds(
                    "the edit",
                    HelmReleaseIT::rules,
                    rules -> keeps(rules, "10.77.0.0/16") && !keeps(rules, "192.168.0.0/16"));
            // a value that nobody edited shows when the agent has the new profile
            helm("upgrade", linkLocal);
            Eventually.holds("what was not edited", HelmReleaseIT::rules, rules -> !keeps(rules, "169.254.0.0/16"));
            assertThat(keeps("10.77.0.0/16")).isTrue();
            assertThat(keeps("203.0.113.0/24")).isFalse();
            helm("uninstall", next);
            assertThat(keeps("10.77.0.0/16")).as("rules stay").isTrue();
        }
    }

    @Test
    void theConfigMapOfAnotherAgentIsTakenAsItIs() {
        kubectl("create", "configmap", NAME, "--from-literal=config=" + EDIT);
        helm("install", Bundle.CHART);
        helm("upgrade", next);
        assertThat(config()).isEqualTo(EDIT);
        helm("uninstall", next);
        assertThat(config()).isEqualTo(EDIT);
    }

    @Test
    void whereTheUserDeletedItTheNextUpgradeMakesItAgain() {
        helm("install", Bundle.CHART);
        kubectl("delete", "configmap", NAME);
        helm("upgrade", next);
        assertThat(config()).startsWith("# Yours to edit");
    }

    /** An edit of what is the provider's is undone. */
    @Test
    void theProfileIsReconciled() {
        helm("install", Bundle.CHART);
        kubectl("patch", "configmap", NAME + "-profile", "--patch", "{\"data\": {\"profile\": \"name: mine\"}}");
        helm("upgrade", Bundle.CHART);
        assertThat(profile()).contains("name: cce");
    }

    /** Why the ConfigMap is a hook: as an object of the release it would lose the edit, though its template is the same. */
    @Test
    void anObjectOfTheReleaseWouldLoseTheEdit() {
        UnaryOperator<String> plain = text ->
                text.replaceAll("(?m)^    helm.sh/hook.*\n", "").replaceAll("\\(not \\(lookup [^)]*\\)\\)", "true");
        Path chart = changed(plain);
        helm("install", chart);
        edit();
        helm("upgrade", chart);
        assertThat(config()).startsWith("# Yours to edit");
    }
}
