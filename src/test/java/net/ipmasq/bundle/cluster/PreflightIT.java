package net.ipmasq.bundle.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.ipmasq.json.JsonReader;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.KubeApi;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.NetNs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The packaged command against a real API server, as somebody who may everything and as somebody who may nothing. */
@NeedsKernel
@NeedsKube
@Timeout(120)
class PreflightIT {
    private static NetNs ns;
    private static KubeApi api;

    @TempDir
    Path dir;

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

    private static AgentProcess.Result preflight(Path kubeconfig, String... more) {
        String[] args = new String[more.length + 4];
        System.arraycopy(new String[] {"bundle", "preflight", "--kubeconfig", kubeconfig.toString()}, 0, args, 0, 4);
        System.arraycopy(more, 0, args, 4, more.length);
        return AgentProcess.runFleet(ns, args);
    }

    private static List<?> codes(AgentProcess.Result result) throws IOException {
        List<?> findings = (List<?>) JsonReader.object(result.out()).get("findings");
        return findings.stream()
                .map(finding -> ((Map<?, ?>) finding).get("code"))
                .toList();
    }

    @Test
    void everythingIsFoundInOneRunAndNothingIsChanged() throws IOException {
        api.applyYaml("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: ippools.crd.projectcalico.org}
                spec:
                  group: crd.projectcalico.org
                  scope: Cluster
                  names: {kind: IPPool, plural: ippools, singular: ippool}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """);
        api.kubectl("wait", "--for=condition=Established", "crd/ippools.crd.projectcalico.org");
        api.applyYaml("""
                apiVersion: crd.projectcalico.org/v1
                kind: IPPool
                metadata: {name: pods}
                spec: {natOutgoing: true}
                ---
                apiVersion: v1
                kind: Node
                metadata: {name: old}
                status: {nodeInfo: {kernelVersion: 3.10.0-1160.el7, architecture: amd64, operatingSystem: linux,
                  kubeletVersion: v1.20.2, bootID: "", machineID: "", systemUUID: "", osImage: "",
                  containerRuntimeVersion: "", kubeProxyVersion: ""}}
                ---
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: ip-masq-agent, namespace: kube-system}
                spec:
                  selector: {matchLabels: {k8s-app: ip-masq-agent}}
                  template:
                    metadata: {labels: {k8s-app: ip-masq-agent}}
                    spec: {containers: [{name: a, image: registry.k8s.io/networking/ip-masq-agent:v2.11.0}]}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: cce-ip-masq-agent, namespace: kube-system}
                data: {config: "masqOutBound: true\\nmasqOutBound: false\\n"}
                ---
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: kube-proxy, namespace: kube-system}
                data: {config.conf: "mode: ipvs"}
                """);
        int writes = writes();
        AgentProcess.Result result = preflight(api.adminKubeconfig(), "-o", "json");
        assertThat(result.code()).as("%s", result).isEqualTo(3);
        assertThat(JsonReader.object(result.out())).containsEntry("ok", false);
        assertThat(codes(result).stream().map(String::valueOf).toList())
                .contains(
                        "ConflictingAgent",
                        "KernelVersion",
                        "ConfigNeedsMigration",
                        "CniMasquerades",
                        "KubeletMayMasquerade",
                        "KubeProxyMode",
                        "ConfigKept")
                .doesNotContain("KubernetesVersion", "MissingRight", "MissingRightToGive", "CannotRead");
        assertThat(writes()).isEqualTo(writes);
        AgentProcess.Result text = preflight(api.adminKubeconfig());
        System.out.println(text.out());
        assertThat(text.out())
                .contains(
                        "error: the kubernetes-sigs agent runs here",
                        "DaemonSet kube-system/ip-masq-agent",
                        " errors, ");
    }

    /** The bundle to install need not be the one that this program belongs to. */
    @Test
    void theRangesAreThoseOfTheBundleThatIsNamed() throws IOException {
        String addon = Files.readString(Path.of("addon-bundle", "addon.yaml"));
        Files.writeString(dir.resolve("addon.yaml"), addon.replace(">=1.20.0-0", ">=1.99.0"));
        AgentProcess.Result result = preflight(api.adminKubeconfig(), "--bundle", dir.toString());
        assertThat(result.code()).isEqualTo(3);
        assertThat(result.out()).contains("this bundle needs >=1.99.0", "[KubernetesVersion]");
    }

    /** But for the questions about rights, which are made but leave nothing. */
    private static int writes() {
        return (int) api.requests().stream()
                .filter(request -> !List.of("get", "list", "watch").contains(request.verb()))
                .filter(request -> !request.resource().contains("accessreviews"))
                .filter(request -> request.agent().contains("fabric8"))
                .count();
    }

    @Test
    void whoMayNothingIsToldSo() throws IOException {
        AgentProcess.Result result = preflight(api.serviceAccountKubeconfig("default", "nobody"), "-o", "json");
        assertThat(result.code()).as("%s", result).isEqualTo(3);
        assertThat(codes(result).stream().map(String::valueOf).toList())
                .contains("CannotRead", "MissingRight", "MissingRightToGive", "MissingRightForHelm");
        assertThat(result.err()).doesNotContain("\tat ");
    }

    @Test
    void noClusterIsFourAndNoFileIsTwo() throws IOException {
        Path dead = Files.writeString(
                dir.resolve("dead"), Files.readString(api.adminKubeconfig()).replace(":16443", ":1"));
        AgentProcess.Result result = preflight(dead);
        assertThat(result.code()).as("%s", result).isEqualTo(4);
        assertThat(result.err()).startsWith("ip-masq-fleet: the cluster at https://127.0.0.1:1/ does not answer");
        assertThat(preflight(dir.resolve("none")).code()).isEqualTo(2);
        assertThat(preflight(api.adminKubeconfig(), "--context", "none").code()).isEqualTo(2);
        assertThat(preflight(api.adminKubeconfig(), "--bundle", dir.toString()).code())
                .isEqualTo(2);
        assertThat(preflight(api.kubeconfig("stranger", "default", "wrong")).code())
                .isEqualTo(4);
    }
}
