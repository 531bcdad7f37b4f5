package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import net.ipmasq.json.JsonReader;
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
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The packaged agent, a real API server and a real kernel in one namespace. */
@PackagedAgent
@NeedsKernel
@NeedsKube
class ClusterIT {
    private static final String NAME = "cce-ip-masq-agent";
    private static final int EDITS = 50;

    private static NetNs ns;
    private static KubeApi api;

    @TempDir
    Path dir;

    @BeforeAll
    static void cluster() {
        ns = NetNs.create();
        api = KubeApi.start(ns);
        api.applyYaml(Rights.YAML);
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

    @BeforeEach
    @AfterEach
    void noConfig() {
        api.kubectl("-n", "kube-system", "delete", "configmap", NAME, NAME + "-profile", "--ignore-not-found");
        ns.sh("iptables -t nat -F; iptables -t nat -X; ip6tables -t nat -F; ip6tables -t nat -X");
    }

    private AgentProcess start(String source) {
        return AgentProcess.start(
                ns,
                Map.of(
                        "KUBECONFIG",
                        api.serviceAccountKubeconfig("kube-system", NAME).toString(),
                        "IP_MASQ_SOURCE",
                        source,
                        "IP_MASQ_NODE_NAME",
                        "node-1"),
                "run",
                "--config",
                dir.resolve("mounted").toString(),
                "--state-dir",
                dir.resolve("state").toString());
    }

    private static void configure(String text) {
        apply(NAME, "config", text);
    }

    private static void apply(String name, String key, String text) {
        api.applyYaml("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + name
                + ", namespace: kube-system}\ndata:\n  " + key + ": |\n" + text.indent(4));
    }

    private static String rules() {
        return ns.run("iptables-save", "-t", "nat");
    }

    private static boolean has(String part) {
        return rules().contains(part);
    }

    private static String get(String path) {
        return ns.sh("curl -s http://127.0.0.1:19180" + path + " || true");
    }

    private static List<String> events(String reason) {
        return api.kubectl(
                        "-n",
                        "kube-system",
                        "get",
                        "events.v1.events.k8s.io",
                        "-o",
                        "jsonpath={range .items[?(@.reason==\"" + reason + "\")]}{.metadata.name}{\"\\n\"}{end}")
                .lines()
                .filter(line -> !line.isBlank())
                .toList();
    }

    @Test
    void editsOfEveryKindLandAndTheirTimesArePrinted() {
        try (AgentProcess agent = start("kubernetes")) {
            agent.awaitLine("profile in use");
            configure("nonMasqueradeCIDRs: [10.0.0.0/8]\n");
            Eventually.holds("created", ClusterIT::rules, rules -> rules.contains("-d 10.0.0.0/8"));
            List<Long> millis = new ArrayList<>();
            for (int i = 0; i < EDITS; i++) {
                String cidr = "10." + i + ".0.0/16";
                api.kubectl(
                        "-n",
                        "kube-system",
                        "patch",
                        "configmap",
                        NAME,
                        "--type=merge",
                        "-p",
                        "{\"data\":{\"config\":\"nonMasqueradeCIDRs: [" + cidr + "]\\n\"}}");
                long answered = System.nanoTime();
                Eventually.holds(cidr, ClusterIT::rules, rules -> rules.contains("-d " + cidr));
                millis.add((System.nanoTime() - answered) / 1_000_000);
            }
            Collections.sort(millis);
            System.out.println("from the API's answer to the kernel, " + EDITS + " edits: p50 " + millis.get(EDITS / 2)
                    + " ms, p99 " + millis.get(EDITS * 99 / 100) + " ms");
            api.edit("s/10.49.0.0/10.200.0.0/", "-n", "kube-system", "configmap", NAME);
            Eventually.holds("kubectl edit", ClusterIT::rules, rules -> rules.contains("-d 10.200.0.0/16"));
            api.kubectl("-n", "kube-system", "delete", "configmap", NAME);
            Eventually.holds("deleted", ClusterIT::rules, rules -> rules.contains("-d 100.64.230.0/24"));
            configure("nonMasqueradeCIDRs: [10.201.0.0/16]\n");
            Eventually.holds(
                    "made again",
                    ClusterIT::rules,
                    rules -> rules.contains("-d 10.201.0.0/16") && !rules.contains("100.64.230.0"));
        }
    }

    @Test
    void aMistakeComesBackAsOneEventAndSoDoesItsEnd() throws IOException {
        configure("nonMasqueradeCIDRs: [10.0.0.0/8]\n");
        try (AgentProcess agent = start("kubernetes")) {
            agent.awaitLine("is in force");
            configure("nonMasqueradeCIDRs:\n- 10.0.0.0/8\n- 10.1.2.3/8\n");
            agent.awaitLine("cidr-host-bits");
            Eventually.holds("event", () -> events("ConfigInvalid").size(), value -> value == 1);
            String note = api.kubectl(
                    "-n",
                    "kube-system",
                    "get",
                    "events.v1.events.k8s.io",
                    events("ConfigInvalid").getFirst(),
                    "-o",
                    "jsonpath={.note}");
            assertThat(note).contains("line 3, column 3", "write 10.0.0.0/8").hasSizeLessThanOrEqualTo(1024);
            assertThat(has("-d 10.0.0.0/8")).isTrue();
            configure("nonMasqueradeCIDRs: [10.0.0.0/8]\n");
            Eventually.holds("recovery", () -> events("ConfigRecovered").size(), value -> value == 1);
            Map<String, Object> status = JsonReader.object(get("/status"));
            assertThat(status.get("node").toString()).contains("node-1");
            AgentProcess.Result explained = AgentProcess.run(
                    ns,
                    Map.of("IP_MASQ_SOURCE", "kubernetes"),
                    List.of(),
                    "explain",
                    "10.1.1.1",
                    "100.64.230.1",
                    "--state-dir",
                    dir.resolve("state").toString());
            assertThat(explained.err()).contains("in force: last-good");
            assertThat(explained.out())
                    .contains("10.1.1.1 keeps the pod's address: nonMasqueradeCIDRs 10.0.0.0/8")
                    .contains("100.64.230.1 is masqueraded", "node node-1: ");
        }
    }

    @Test
    void aProfileFromTheClusterOverridesAndABadOneChangesNothing() {
        try (AgentProcess agent = start("kubernetes")) {
            agent.awaitLine("profile in use");
            apply(NAME + "-profile", "profile", "name: fleet\ndefaults:\n  nonMasqueradeCIDRs: [10.55.0.0/16]\n");
            Eventually.holds("profile", ClusterIT::rules, rules -> rules.contains("-d 10.55.0.0/16"));
            apply(NAME + "-profile", "profile", "name: fleet\ndefaults:\n  nonMasqueradeCIDRs: [10.55.0.1/16]\n");
            agent.awaitLine("is not valid, fleet stays in use");
            assertThat(has("-d 10.55.0.0/16")).isTrue();
            api.kubectl("-n", "kube-system", "delete", "configmap", NAME + "-profile");
            Eventually.holds("own profile", ClusterIT::rules, rules -> rules.contains("-d 100.64.230.0/24"));
        }
    }

    @Test
    void withoutTheApiItGoesOnHealingAndEditsLandAfterwards() {
        configure("nonMasqueradeCIDRs: [10.0.0.0/8]\nresyncInterval: 1s\n");
        try (AgentProcess agent = start("kubernetes")) {
            agent.awaitLine("is in force");
            api.stopApiServer();
            try {
                ns.run("iptables", "-t", "nat", "-F");
                agent.awaitLine("drift healed");
                agent.awaitLine("code=ApiUnreachable");
                assertThat(has("-d 10.0.0.0/8")).isTrue();
            } finally {
                api.startApiServer();
            }
            configure("nonMasqueradeCIDRs: [10.44.0.0/16]\n");
            Eventually.holds("after reconnect", ClusterIT::rules, rules -> rules.contains("-d 10.44.0.0/16"));
            agent.awaitLine("no longer: ApiUnreachable");
        }
    }
}
