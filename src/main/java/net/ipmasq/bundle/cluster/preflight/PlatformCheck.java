package net.ipmasq.bundle.cluster.preflight;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.NodeSystemInfo;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import net.ipmasq.bundle.cluster.preflight.PreflightFinding.Resource;

/** Compares Kubernetes, kernels and processors with the ranges of the bundle. */
record PlatformCheck(Requirements requirements) implements Check {
    private static final VersionRange KUBELET_WITH_KUBENET = VersionRange.of("<1.24.0");

    @Override
    public List<PreflightFinding> look(ClusterReader cluster) {
        List<PreflightFinding> findings = new ArrayList<>();
        String version = cluster.version();
        if (!requirements.kubernetes().holds(version).orElse(false)) {
            findings.add(PreflightFinding.Severity.ERROR.of(
                    "KubernetesVersion",
                    "the cluster is " + version + "; this bundle needs "
                            + requirements.kubernetes().text(),
                    "upgrade the cluster, or take a bundle that supports it"));
        }
        List<Node> nodes = cluster.nodes();
        if (nodes.isEmpty()) {
            findings.add(PreflightFinding.Severity.INFO.of(
                    "NoNodes", "no node is known, so neither are kernels and processors", ""));
        }
        // the DaemonSet asks for linux
        List<Node> linux = nodes.stream()
                .filter(node -> !"windows".equals(info(node).getOperatingSystem()))
                .toList();
        kernels(linux, findings);
        architectures(linux, findings);
        kubelets(linux, findings);
        return findings;
    }

    private static NodeSystemInfo info(Node node) {
        return node.getStatus() == null || node.getStatus().getNodeInfo() == null
                ? new NodeSystemInfo()
                : node.getStatus().getNodeInfo();
    }

    private void kernels(List<Node> nodes, List<PreflightFinding> findings) {
        by(nodes, NodeSystemInfo::getKernelVersion).forEach((kernel, where) -> {
            boolean known = requirements.kernel().holds(kernel).isPresent();
            if (!known || !requirements.kernel().holds(kernel).orElse(false)) {
                findings.add(new PreflightFinding(
                        known ? PreflightFinding.Severity.ERROR : PreflightFinding.Severity.WARNING,
                        known ? "KernelVersion" : "KernelUnknown",
                        known
                                ? "kernel " + kernel + "; this bundle needs "
                                        + requirements.kernel().text()
                                : "the kernel's version is not known: '" + kernel + "'",
                        known
                                ? "upgrade these nodes, or keep the agent off them with nodeSelector"
                                : "ask the node: uname -r",
                        where));
            }
        });
    }

    private void architectures(List<Node> nodes, List<PreflightFinding> findings) {
        by(nodes, NodeSystemInfo::getArchitecture).forEach((architecture, where) -> {
            if (!architecture.isEmpty() && !requirements.architectures().contains(architecture)) {
                findings.add(PreflightFinding.Severity.ERROR.of(
                        "Architecture",
                        "there is no image for " + architecture + ", only for "
                                + String.join(", ", requirements.architectures()),
                        "keep the agent off these nodes with nodeSelector or affinity",
                        where));
            }
        });
    }

    /** Its flag is in no object of the API, so the finding can only say where to look. */
    private static void kubelets(List<Node> nodes, List<PreflightFinding> findings) {
        by(nodes, NodeSystemInfo::getKubeletVersion).forEach((version, where) -> {
            if (KUBELET_WITH_KUBENET.holds(version).orElse(false)) {
                findings.add(PreflightFinding.Severity.INFO.of(
                        "KubeletMayMasquerade",
                        "kubelet " + version + " masquerades by itself where it runs with --network-plugin=kubenet",
                        "there, give it --non-masquerade-cidr=0.0.0.0/0",
                        where));
            }
        });
    }

    /** Nodes by a property; the key is empty where the property is absent. */
    private static Map<String, List<Resource>> by(List<Node> nodes, Function<NodeSystemInfo, String> of) {
        Map<String, List<Resource>> by = new LinkedHashMap<>();
        for (Node node : nodes) {
            String value = of.apply(info(node));
            by.computeIfAbsent(value == null ? "" : value, key -> new ArrayList<>())
                    .add(new Resource("Node", "", node.getMetadata().getName()));
        }
        return by;
    }
}
