package net.ipmasq.bundle.preflight;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.bundle.preflight.Finding.Resource;
import net.ipmasq.bundle.preflight.Finding.Severity;

/** How kube-proxy works: its mode is what backend auto goes by, and it can masquerade too. */
record ProxyCheck(String namespace) implements Check {
    private static final Pattern MODE = Pattern.compile("(?m)^mode:\\s*[\"']?([A-Za-z]*)");
    private static final Pattern ALL = Pattern.compile("(?m)^\\s+masqueradeAll:\\s*(true)");

    @Override
    public List<Finding> look(ClusterReader cluster) {
        Resource map = new Resource("ConfigMap", namespace, "kube-proxy");
        Optional<String> text = cluster.configMap(namespace, "kube-proxy")
                .map(found -> found.getData() == null ? null : found.getData().get("config.conf"));
        Optional<Workload> pods = cluster.daemonSets(namespace).stream()
                .map(Workload::new)
                .filter(workload -> workload.name().startsWith("kube-proxy"))
                .findFirst();
        List<Finding> findings = new ArrayList<>();
        List<Resource> where = new ArrayList<>();
        text.ifPresent(found -> where.add(map));
        pods.ifPresent(found -> where.add(found.resource()));
        Optional<String> mode =
                pods.flatMap(found -> found.flag("proxy-mode")).or(() -> text.flatMap(found -> first(MODE, found)));
        if (where.isEmpty()) {
            findings.add(new Finding(
                    Severity.INFO,
                    "KubeProxyMode",
                    "no kube-proxy is seen here; it can be a static pod, or replaced by the CNI",
                    "agent.backend=iptables is right unless nodes have no iptables",
                    List.of()));
        } else {
            findings.add(mode(mode.orElse("").toLowerCase(Locale.ROOT), where));
        }
        if (text.flatMap(found -> first(ALL, found)).isPresent()
                || pods.flatMap(found -> found.flag("masquerade-all"))
                        .filter("true"::equals)
                        .isPresent()) {
            findings.add(new Finding(
                    Severity.WARNING,
                    "KubeProxyMasqueradesAll",
                    "kube-proxy masquerades everything that goes to a Service, whatever the configuration says here",
                    "set masqueradeAll: false if pods behind Services must see the pod's address",
                    where));
        }
        return findings;
    }

    private static Finding mode(String mode, List<Resource> where) {
        String words = mode.isEmpty() ? "iptables (the default)" : mode;
        return new Finding(
                Severity.INFO,
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
