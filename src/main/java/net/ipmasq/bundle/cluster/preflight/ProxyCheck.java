package net.ipmasq.bundle.cluster.preflight;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.bundle.cluster.preflight.PreflightFinding.Resource;

/** How kube-proxy works: backend auto follows its mode, and it can masquerade too. */
record ProxyCheck(String namespace) implements Check {
    /** ConfigMap and key: kubeadm's, EKS'. */
    private static final Map<String, String> PLACES =
            new TreeMap<>(Map.of("kube-proxy", "config.conf", "kube-proxy-config", "config"));

    private static final Pattern MODE = Pattern.compile("(?m)^mode:\\s*[\"']?([A-Za-z]*)");
    private static final Pattern ALL = Pattern.compile("(?m)^\\s+masqueradeAll:\\s*(true)");

    @Override
    public List<PreflightFinding> look(ClusterReader cluster) {
        List<Resource> where = new ArrayList<>();
        Optional<String> text = Optional.empty();
        for (Map.Entry<String, String> place : PLACES.entrySet()) {
            Optional<String> found = cluster.configMap(namespace, place.getKey())
                    .map(map -> map.getData() == null ? null : map.getData().get(place.getValue()));
            if (text.isEmpty() && found.isPresent()) {
                text = found;
                where.add(new Resource("ConfigMap", namespace, place.getKey()));
            }
        }
        String config = text.orElse("");
        Optional<Workload> pods = cluster.daemonSets(namespace).stream()
                .map(Workload::new)
                .filter(workload -> workload.name().startsWith("kube-proxy"))
                .findFirst();
        List<PreflightFinding> findings = new ArrayList<>();
        pods.ifPresent(found -> where.add(found.resource()));
        Optional<String> mode = pods.flatMap(found -> found.flag("proxy-mode")).or(() -> first(MODE, config));
        if (where.isEmpty()) {
            findings.add(PreflightFinding.Severity.INFO.of(
                    "KubeProxyMode",
                    "no kube-proxy was found; it can be a static pod, or replaced by the CNI",
                    "agent.backend=iptables is right unless nodes have no iptables"));
        } else if (text.isEmpty()
                && mode.isEmpty()
                && pods.flatMap(found -> found.flag("config")).isPresent()) {
            findings.add(PreflightFinding.Severity.INFO.of(
                    "KubeProxyMode",
                    "kube-proxy's mode is not known: its configuration is in none of the ConfigMaps "
                            + String.join(", ", PLACES.keySet()),
                    "agent.backend=auto asks each node by itself; kube-proxy's /proxyMode on port 10249 reports it too",
                    where));
        } else {
            findings.add(mode(mode.orElse("").toLowerCase(Locale.ROOT), where));
        }
        if (first(ALL, config).isPresent()
                || pods.flatMap(found -> found.flag("masquerade-all"))
                        .filter("true"::equals)
                        .isPresent()) {
            findings.add(PreflightFinding.Severity.WARNING.of(
                    "KubeProxyMasqueradesAll",
                    "kube-proxy masquerades everything that goes to a Service, whatever the configuration says here",
                    "set masqueradeAll: false if pods behind Services must see the pod's address",
                    where));
        }
        return findings;
    }

    private static PreflightFinding mode(String mode, List<Resource> where) {
        String words = mode.isEmpty() ? "iptables (the default)" : mode;
        return PreflightFinding.Severity.INFO.of(
                "KubeProxyMode",
                "kube-proxy's mode is " + words + "; agent.backend=auto takes "
                        + (mode.equals("nftables")
                                ? "nftables on nodes where nobody else has nat rules in iptables"
                                : "iptables"),
                "",
                where);
    }

    private static Optional<String> first(Pattern pattern, String text) {
        Matcher found = pattern.matcher(text);
        return found.find() ? Optional.of(found.group(1)) : Optional.empty();
    }
}
