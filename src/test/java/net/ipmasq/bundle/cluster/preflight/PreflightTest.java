package net.ipmasq.bundle.cluster.preflight;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.server.mock.KubernetesMixedDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.fabric8.mockwebserver.ServerRequest;
import io.fabric8.mockwebserver.ServerResponse;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import net.ipmasq.bundle.cluster.preflight.PreflightFinding.Resource;
import net.ipmasq.profile.BuiltInProfiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.yaml.snakeyaml.Yaml;

/** Each finding against the client's own mock of an API server. */
class PreflightTest {
    private final Map<ServerRequest, Queue<ServerResponse>> answers = new HashMap<>();
    private KubernetesMockServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() {
        server = new KubernetesMockServer(
                new Context(), new MockWebServer(), answers, new KubernetesMixedDispatcher(answers), false);
        server.init();
        // it answers for a version of its own otherwise
        answers.clear();
        client = server.createClient();
        client.getConfiguration().setRequestRetryBackoffLimit(0);
    }

    @AfterEach
    void stop() {
        client.close();
        server.destroy();
    }

    private void version(String version) {
        get("/version", "{\"major\": \"1\", \"minor\": \"2\", \"gitVersion\": \"" + version + "\"}");
    }

    private void get(String path, String body) {
        server.expect().get().withPath(path).andReturn(200, body).always();
    }

    private void refuse(String path) {
        server.expect().get().withPath(path).andReturn(403, "").always();
    }

    private void allowed(boolean allowed) {
        server.expect()
                .post()
                .withPath("/apis/authorization.k8s.io/v1/selfsubjectaccessreviews")
                .andReturn(201, "{\"status\": {\"allowed\": " + allowed + "}}")
                .always();
    }

    private void create(String... yaml) {
        for (String one : yaml) {
            String json = Serialization.asJson((Object) new Yaml().load(one));
            client.resource(Serialization.<HasMetadata>unmarshal(json)).create();
        }
    }

    private List<PreflightFinding> run() {
        return Preflight.run(
                client,
                Requirements.own(),
                "kube-system",
                BuiltInProfiles.profile("cce").orElseThrow());
    }

    private List<PreflightFinding> findings(String code) {
        return run().stream().filter(finding -> finding.code().equals(code)).toList();
    }

    private static String node(String name, String kernel, String architecture, String system) {
        return """
                {apiVersion: v1, kind: Node, metadata: {name: %s}, status: {nodeInfo: {kernelVersion: %s,
                 architecture: %s, operatingSystem: %s, kubeletVersion: v1.28.1}}}
                """.formatted(name, kernel, architecture, system);
    }

    private static String daemonSet(String namespace, String name, String image, String container) {
        return """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: %s, namespace: %s}
                spec: {template: {spec: {containers: [{name: a, image: "%s"%s}]}}}
                """.formatted(name, namespace, image, container);
    }

    private static String configMap(String name, String key, String text) {
        return "{apiVersion: v1, kind: ConfigMap, metadata: {name: " + name + ", namespace: kube-system}, data: {" + key
                + ": " + Serialization.asJson(text) + "}}";
    }

    @Test
    void aClusterThatIsFitHasNothingButInformation() {
        version("v1.29.3");
        allowed(true);
        create(node("n1", "5.10.0-182.el8", "amd64", "linux"), node("w1", "10.0.20348", "amd64", "windows"));
        assertThat(run()).extracting(PreflightFinding::severity).containsOnly(PreflightFinding.Severity.INFO);
    }

    @Test
    void versionsKernelsAndProcessorsOutsideTheRangesAreErrorsThatNameTheNodes() {
        version("v1.19.16-eks-1");
        allowed(true);
        create(
                node("n1", "3.10.0-1160.el7.x86_64", "amd64", "linux"),
                node("n2", "3.10.0-1160.el7.x86_64", "amd64", "linux"),
                node("n3", "6.1.0", "riscv64", "linux"));
        assertThat(run())
                .filteredOn(PreflightFinding::isError)
                .extracting(PreflightFinding::code, PreflightFinding::resources)
                .containsExactlyInAnyOrder(
                        tuple("KubernetesVersion", List.of()),
                        tuple("KernelVersion", List.of(new Resource("Node", "", "n1"), new Resource("Node", "", "n2"))),
                        tuple("Architecture", List.of(new Resource("Node", "", "n3"))));
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            kube-system | ip-masq-agent        | registry.k8s.io/networking/ip-masq-agent:v2.11.0      | kubernetes-sigs | upstream
            kube-system | ip-masq-agent        | gke.gcr.io/ip-masq-agent:v2.9                          | GKE             | gke
            kube-system | azure-ip-masq-agent  | mcr.microsoft.com/oss/v2/azure/ip-masq-agent-v2:v0.1   | Azure           | upstream
            kube-system | cce-ip-masq-agent    | registry.baidubce.com/cce-plugin-pro/cce-ip-masq-agent:1 | Baidu         | cce
            kube-system | ip-masq-agent        | ccr.ccs.tencentyun.com/tkeimages/ip-masq-agent:v2.5    | Tencent         | upstream
            other       | masquerading         | 10.0.0.1:5000/mirror/ip-masq-agent-amd64@sha256:00     | kubernetes-sigs | upstream
            kube-system | ip-masq-agent        | acme.azurecr.io/baidu/ip-masq-agent:v2.11.0            | kubernetes-sigs | upstream
            """, delimiter = '|')
    void anotherAgentIsAnErrorThatSaysWhoAndHowToMove(
            String namespace, String name, String image, String who, String profile) {
        version("v1.29.3");
        allowed(true);
        create(daemonSet(namespace, name, image, ""));
        assertThat(findings("ConflictingAgent")).singleElement().satisfies(finding -> {
            assertThat(finding.isError()).isTrue();
            assertThat(finding.message()).contains(who);
            assertThat(finding.fix()).contains("docs/migration.md", "profile.name=" + profile);
            // that one's name is ours, so the two cannot be there together
            assertThat(finding.fix().contains("kubectl -n " + namespace + " delete daemonset " + name))
                    .isEqualTo(name.equals("cce-ip-masq-agent"));
            assertThat(finding.resources()).containsExactly(new Resource("DaemonSet", namespace, name));
        });
    }

    @Test
    void whatAnAddonManagerBringsBackIsNotToBeDeletedByHand() {
        version("v1.29.3");
        allowed(true);
        create(daemonSet("kube-system", "ip-masq-agent", "gke.gcr.io/ip-masq-agent:v2", "")
                .replace("namespace:", "labels: {addonmanager.kubernetes.io/mode: Reconcile}, namespace:"));
        assertThat(findings("ConflictingAgent").getFirst().fix())
                .contains("at the provider")
                .doesNotContain("kubectl");
    }

    @Test
    void thisAgentItselfIsNone() {
        version("v1.29.3");
        allowed(true);
        create(daemonSet("kube-system", "cce-ip-masq-agent", "ip-masq-agent:0.0.9", "")
                .replace(
                        "namespace:",
                        "labels: {app.kubernetes.io/name: ip-masq-agent, app.kubernetes.io/instance: cce-ip-masq-agent,"
                                + " app.kubernetes.io/version: 0.0.9}, namespace:"));
        assertThat(findings("ConflictingAgent")).isEmpty();
        assertThat(findings("AlreadyInstalled").getFirst().message()).contains("0.0.9");
        assertThat(findings("NotOfHelm")).hasSize(1);
    }

    @Test
    void aCleanupThatWasLeftIsAnErrorWithTheWayOut() {
        version("v1.29.3");
        allowed(true);
        create(daemonSet("kube-system", "cce-ip-masq-agent-cleanup", "ip-masq-agent:1", ""));
        assertThat(findings("CleanupRunning")).singleElement().satisfies(finding -> {
            assertThat(finding.isError()).isTrue();
            assertThat(finding.fix())
                    .contains("kubectl -n kube-system delete daemonset cce-ip-masq-agent-cleanup", "cleanup-nodes");
        });
        assertThat(findings("ConflictingAgent")).isEmpty();
    }

    @Test
    void objectsOfOurNamesThatHelmDidNotMakeStandInItsWay() {
        version("v1.29.3");
        allowed(true);
        create(
                "{apiVersion: v1, kind: ServiceAccount, metadata: {name: cce-ip-masq-agent, namespace: kube-system}}",
                """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata: {name: cce-ip-masq-agent-node, annotations: {meta.helm.sh/release-name: ip-masq-agent}}
                """);
        assertThat(findings("NotOfHelm"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.resources())
                        .containsExactly(new Resource("ServiceAccount", "kube-system", "cce-ip-masq-agent")));
    }

    /** {@code bundle apply} is a supported way, and leaves its name in what it made. */
    @Test
    void whatBundleApplyMadeIsNoWarning() {
        version("v1.29.3");
        allowed(true);
        String made =
                "{apiVersion: v1, kind: ServiceAccount, metadata: {name: cce-ip-masq-agent, namespace: kube-system,"
                        + " managedFields: [{manager: MANAGER, operation: Apply}]}}";
        create(made.replace("MANAGER", "ip-masq-agent-addon"));
        assertThat(findings("NotOfHelm")).isEmpty();
        create("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: ClusterRole
                metadata:
                  name: cce-ip-masq-agent-node
                  managedFields: [{manager: kubectl-client-side-apply, operation: Update}]
                """);
        assertThat(findings("NotOfHelm"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.resources())
                        .containsExactly(new Resource("ClusterRole", "", "cce-ip-masq-agent-node")));
    }

    @Test
    void kubeProxysConfigurationOnEksIsReadAndAnUnreadOneIsNotGuessed() {
        version("v1.29.3");
        allowed(true);
        create(daemonSet("kube-system", "kube-proxy", "kube-proxy:1", ", command: [kube-proxy, --config=/c/config]"));
        assertThat(findings("KubeProxyMode").getFirst().message()).contains("not known");
        create(configMap("kube-proxy-config", "config", "mode: \"ipvs\"\n"));
        assertThat(findings("KubeProxyMode").getFirst().message()).contains("mode is ipvs");
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            kube-flannel-ds | docker.io/flannel/flannel:v0.25 | , args: [--ip-masq, --kube-subnet-mgr]                                 | flannel | true
            kube-flannel-ds | docker.io/flannel/flannel:v0.25 | , command: [sh, -c, "exec /opt/bin/flanneld --ip-masq=true"]           | flannel | true
            kube-flannel-ds | docker.io/flannel/flannel:v0.25 | , args: [--kube-subnet-mgr]                                            | flannel | false
            kube-flannel-ds | docker.io/flannel/flannel:v0.25 | , args: [--ip-masq=false]                                              | flannel | false
            aws-node        | amazon-k8s-cni:v1.18            | , env: [{name: AWS_VPC_K8S_CNI_EXTERNALSNAT, value: "false"}]          | Amazon  | true
            aws-node        | amazon-k8s-cni:v1.18            | , env: []                                                              | Amazon  | true
            aws-node        | amazon-k8s-cni:v1.18            | , env: [{name: AWS_VPC_K8S_CNI_EXTERNALSNAT, value: "true"}]           | Amazon  | false
            netd            | gke.gcr.io/netd:v0.6            | , args: ["--enable-masquerade=true"]                                   | netd    | true
            """, delimiter = '|')
    void pluginsThatMasqueradeAreWarnedOf(String name, String image, String container, String who, boolean found) {
        version("v1.29.3");
        allowed(true);
        create(daemonSet("kube-system", name, image, container));
        assertThat(findings("CniMasquerades"))
                .hasSize(found ? 1 : 0)
                .allSatisfy(finding -> assertThat(finding.message()).contains(who));
    }

    @Test
    void calicosPoolsCountWhereTheirKindExists() {
        version("v1.29.3");
        allowed(true);
        get("/apis/crd.projectcalico.org/v1/ippools", """
                {"items": [{"metadata": {"name": "a"}, "spec": {"natOutgoing": true}},
                 {"metadata": {"name": "b"}, "spec": {"natOutgoing": false}},
                 {"metadata": {"name": "c"}, "spec": {"natOutgoing": true, "disabled": true}}]}""");
        assertThat(findings("CniMasquerades"))
                .singleElement()
                .satisfies(finding -> assertThat(finding.resources()).containsExactly(new Resource("IPPool", "", "a")));
    }

    @Test
    void ciliumMasqueradesUnlessSwitchedOffAndHasAnAgentOfItsOwn() {
        version("v1.29.3");
        allowed(true);
        create("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: cilium-config, namespace: kube-system}
                data: {enable-ipv6: "true", enable-ipv4-masquerade: "false", enable-ip-masq-agent: "true"}
                """);
        assertThat(findings("CniMasquerades").getFirst().message())
                .contains("IPv6")
                .doesNotContain("IPv4 and");
        assertThat(findings("ConflictingAgent").getFirst().message()).contains("eBPF");
    }

    @Test
    void kubeProxysModeAndItsOwnMasquerading() {
        version("v1.29.3");
        allowed(true);
        create(configMap("kube-proxy", "config.conf", "iptables:\n  masqueradeAll: true\nmode: \"nftables\"\n"));
        assertThat(findings("KubeProxyMode").getFirst().message()).contains("mode is nftables");
        assertThat(findings("KubeProxyMasqueradesAll")).hasSize(1);
    }

    /** Everything that the older agents took and this one does not, in one run. */
    @Test
    void aConfigMapThatIsThereIsJudgedByTheAgentsOwnReader() {
        version("v1.29.3");
        allowed(true);
        create(
                daemonSet("kube-system", "cce-ip-masq-agent", "registry.baidubce.com/cce-ip-masq-agent:1", ""),
                configMap("cce-ip-masq-agent", "config", """
                        nonMasqueradeCIDRs: [10.0.0.0/8, db.example.com, 10.1.2.3/16]
                        cidrLimit: 64
                        cidrLimit: 65
                        ---
                        masqLinkLocal: true
                        """));
        assertThat(findings("ConfigNeedsMigration"))
                .extracting(PreflightFinding::message)
                .anyMatch(message -> message.contains("duplicate-key") && message.contains("the last of them"))
                .anyMatch(message -> message.contains("multiple-documents") && message.contains("the first only"))
                .anyMatch(message -> message.contains("cidr-dns-name") && message.contains("Baidu"))
                .hasSize(3);
        assertThat(findings("ConfigInvalid")).singleElement().satisfies(finding -> {
            assertThat(finding.message()).contains("cidr-host-bits", "line 1");
            assertThat(finding.fix()).contains("10.1.0.0/16");
        });
        assertThat(findings("MigrationMasqOutBound")).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource(textBlock = """
            masqOutBound: true          | 0
            MASQOUTBOUND: false         | 0
            '{"masqOutBound": false}'   | 0
            '{"cidrLimit": 9, "masqOutBound": false}'   | 0
            '{"cidrLimit": 0, "masqOutBound": false}'   | 0
            masqOutBoundIPv6: true      | 1
            '# masqOutBound: true'      | 1
            """, delimiter = '|')
    void anAbsentMasqOutBoundMeansAnotherThingWithBaidusAgent(String text, int warnings) {
        version("v1.29.3");
        allowed(true);
        create(configMap("cce-ip-masq-agent", "config", text));
        assertThat(findings("MigrationMasqOutBound")).as("without that agent").isEmpty();
        create(daemonSet("kube-system", "cce-ip-masq-agent", "registry.baidubce.com/cce-ip-masq-agent:1", ""));
        assertThat(findings("MigrationMasqOutBound")).hasSize(warnings);
    }

    @Test
    void whatTencentsTextWouldSayHereIsSaid() {
        version("v1.29.3");
        allowed(true);
        create(configMap("ip-masq-agent-config", "config", "{\"NonMasqueradeSrcCIDRs\": [\"10.0.0.0/8\"]}"));
        assertThat(findings("ConfigNotRead")).hasSize(1);
        assertThat(findings("ConfigWarning").getFirst().message()).contains("unknown-key");
    }

    @Test
    void theConfigMapOfAnotherAgentIsNotReadByThisOne() {
        version("v1.29.3");
        allowed(true);
        create(configMap("ip-masq-agent", "config", "nonMasqueradeCIDRs: [10.0.0.1]"));
        assertThat(findings("ConfigNotRead").getFirst().fix()).contains("copy its text");
        assertThat(findings("ConfigInvalid"))
                .extracting(PreflightFinding::severity)
                .containsExactly(PreflightFinding.Severity.WARNING);
    }

    @Test
    void rightsThatAreMissingAreNamedAllAtOnce() {
        version("v1.29.3");
        allowed(false);
        assertThat(findings("MissingRight").getFirst().message())
                .contains("create daemonsets.apps", "create clusterrolebindings.rbac.authorization.k8s.io");
        assertThat(findings("MissingRightToGive").getFirst().message())
                .contains("watch configmaps/cce-ip-masq-agent-profile", "get nodes", "create events.events.k8s.io")
                // asked for on a condition only
                .doesNotContain("pods");
        assertThat(findings("MissingRightForHelm"))
                .extracting(PreflightFinding::severity)
                .containsExactly(PreflightFinding.Severity.WARNING);
    }

    @Test
    void whatMayNotBeReadIsAFindingAndTheRestGoesOn() {
        version("v1.29.3");
        allowed(true);
        refuse("/api/v1/nodes");
        refuse("/apis/apps/v1/daemonsets");
        refuse("/api/v1/namespaces/kube-system/configmaps/cce-ip-masq-agent");
        create(daemonSet("kube-system", "azure-ip-masq-agent", "azure/ip-masq-agent-v2", ""));
        assertThat(findings("CannotRead"))
                .flatExtracting(PreflightFinding::resources)
                .containsExactlyInAnyOrder(
                        new Resource("Node", "", "*"),
                        new Resource("DaemonSet", "", "*"),
                        new Resource("ConfigMap", "kube-system", "cce-ip-masq-agent"));
        assertThat(findings("ConflictingAgent")).as("of its own namespace").hasSize(1);
    }

    @Test
    void aServerThatFailsIsNoFinding() {
        server.expect().get().withPath("/version").andReturn(500, "").always();
        assertThatThrownBy(this::run).isInstanceOf(KubernetesClientException.class);
    }
}
