package net.ipmasq.bundle.cluster.preflight;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import net.ipmasq.bundle.cluster.preflight.PreflightFinding.Resource;

/**
 * Network plugins that masquerade by themselves. Their rules stand beside ours and a packet that ours leave alone goes on to
 * them, so what the user exempts can still get the node's address.
 */
record MasqueradeCheck(String namespace) implements Check {
    private static final ResourceDefinitionContext CALICO_POOLS = new ResourceDefinitionContext.Builder()
            .withGroup("crd.projectcalico.org")
            .withVersion("v1")
            .withKind("IPPool")
            .withPlural("ippools")
            .withNamespaced(false)
            .build();

    @Override
    public List<PreflightFinding> look(ClusterReader cluster) {
        List<PreflightFinding> findings = new ArrayList<>();
        for (Workload workload :
                cluster.daemonSets(namespace).stream().map(Workload::new).toList()) {
            Stream.of(flannel(workload), amazon(workload), netd(workload))
                    .flatMap(Optional::stream)
                    .forEach(findings::add);
        }
        canal(cluster).ifPresent(findings::add);
        calico(cluster).ifPresent(findings::add);
        findings.addAll(cilium(cluster));
        return findings;
    }

    private static PreflightFinding cni(String who, String fix, Resource... resources) {
        return PreflightFinding.Severity.WARNING.of(
                "CniMasquerades",
                who + "; destinations that the configuration exempts can still get the node's address",
                fix,
                List.of(resources));
    }

    private static Optional<PreflightFinding> flannel(Workload workload) {
        boolean flannel = workload.images().stream().anyMatch(image -> image.contains("flannel"));
        return flannel
                        && workload.flag("ip-masq")
                                .filter(value -> !value.equals("false"))
                                .isPresent()
                ? Optional.of(cni("flannel runs with --ip-masq", "remove the flag --ip-masq", workload.resource()))
                : Optional.empty();
    }

    private static Optional<PreflightFinding> amazon(Workload workload) {
        boolean external = workload.env("AWS_VPC_K8S_CNI_EXTERNALSNAT")
                .filter(value -> value.equalsIgnoreCase("true"))
                .isPresent();
        return workload.name().equals("aws-node") && !external
                ? Optional.of(cni(
                        "the Amazon VPC CNI gives the node's address to everything outside the VPC",
                        "set AWS_VPC_K8S_CNI_EXTERNALSNAT=true on the DaemonSet",
                        workload.resource()))
                : Optional.empty();
    }

    private static Optional<PreflightFinding> netd(Workload workload) {
        return workload.name().equals("netd")
                        && workload.flag("enable-masquerade")
                                .filter("true"::equals)
                                .isPresent()
                ? Optional.of(
                        cni("GKE's netd masquerades", "switch it off with the cluster's settings", workload.resource()))
                : Optional.empty();
    }

    private Optional<PreflightFinding> canal(ClusterReader cluster) {
        return data(cluster, "canal-config")
                .filter(data -> "true".equals(data.get("masquerade")))
                .map(data -> cni(
                        "canal starts flannel with --ip-masq",
                        "set masquerade: \"false\" in it",
                        new Resource("ConfigMap", namespace, "canal-config")));
    }

    private static Optional<PreflightFinding> calico(ClusterReader cluster) {
        Resource[] pools = cluster.custom(CALICO_POOLS).stream()
                .filter(MasqueradeCheck::natOutgoing)
                .map(pool -> new Resource("IPPool", "", pool.getMetadata().getName()))
                .toArray(Resource[]::new);
        return pools.length == 0
                ? Optional.empty()
                : Optional.of(cni(
                        "Calico masquerades what leaves its pools (natOutgoing)",
                        "set natOutgoing: false on the pools of pods whose addresses are to be kept",
                        pools));
    }

    private static boolean natOutgoing(GenericKubernetesResource pool) {
        Object spec = pool.getAdditionalProperties().get("spec");
        return spec instanceof Map<?, ?> fields
                && Boolean.TRUE.equals(fields.get("natOutgoing"))
                && !Boolean.TRUE.equals(fields.get("disabled"));
    }

    /** Its masquerading is on unless switched off, and it has an agent of its own, in eBPF. */
    private List<PreflightFinding> cilium(ClusterReader cluster) {
        Optional<Map<String, String>> found = data(cluster, "cilium-config");
        if (found.isEmpty()) {
            return List.of();
        }
        Map<String, String> data = found.get();
        Resource map = new Resource("ConfigMap", namespace, "cilium-config");
        List<PreflightFinding> findings = new ArrayList<>();
        if ("true".equals(data.get("enable-ip-masq-agent"))) {
            findings.add(PreflightFinding.Severity.ERROR.of(
                    "ConflictingAgent",
                    "Cilium's own ip-masq-agent is on; it decides in eBPF, before any rule of this agent",
                    "set enable-ip-masq-agent: \"false\", or stay with Cilium's",
                    List.of(map)));
        }
        List<String> on = new ArrayList<>();
        if ("true".equals(data.getOrDefault("enable-ipv4-masquerade", data.getOrDefault("masquerade", "true")))) {
            on.add("IPv4");
        }
        if ("true".equals(data.get("enable-ipv6"))
                && "true".equals(data.getOrDefault("enable-ipv6-masquerade", "true"))) {
            on.add("IPv6");
        }
        if (!on.isEmpty()) {
            findings.add(cni(
                    "Cilium masquerades " + String.join(" and ", on),
                    "set enable-ipv4-masquerade and enable-ipv6-masquerade to \"false\"",
                    map));
        }
        return findings;
    }

    private Optional<Map<String, String>> data(ClusterReader cluster, String name) {
        return cluster.configMap(namespace, name).map(map -> map.getData() == null ? Map.of() : map.getData());
    }
}
