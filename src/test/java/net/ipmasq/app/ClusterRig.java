package net.ipmasq.app;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.KubeApi;
import net.ipmasq.lab.NetNs;

/** A namespace with a real kernel and a real API server that tests may stop, and the packaged agent in it. */
final class ClusterRig implements AutoCloseable {
    static final String NAME = "cce-ip-masq-agent";

    final NetNs ns;
    final KubeApi api;
    private boolean stopped;

    private ClusterRig(NetNs ns, KubeApi api) {
        this.ns = ns;
        this.api = api;
    }

    static ClusterRig create() {
        NetNs ns = NetNs.create();
        try {
            ClusterRig rig = new ClusterRig(ns, KubeApi.start(ns));
            rig.api.applyYaml(Rights.YAML);
            return rig;
        } catch (RuntimeException e) {
            // ends what runs in it as well
            ns.close();
            throw e;
        }
    }

    /** What the next test needs, whatever the one before did: server, account, rights; no ConfigMap and no rule. */
    void reset() {
        startApi();
        api.applyYaml(Rights.YAML);
        kubectl("delete", "configmap", NAME, NAME + "-profile", "--ignore-not-found");
        ns.sh("iptables -t nat -F; iptables -t nat -X; ip6tables -t nat -F; ip6tables -t nat -X");
    }

    void stopApi() {
        stopped = true;
        api.stopApiServer();
    }

    void startApi() {
        if (stopped) {
            api.startApiServer();
            stopped = false;
        }
    }

    /** Runs kubectl in the namespace of the ConfigMaps. */
    String kubectl(String... args) {
        String[] all = new String[args.length + 1];
        all[0] = "--namespace=kube-system";
        System.arraycopy(args, 0, all, 1, args.length);
        return api.kubectl(all);
    }

    /** What a person writes, on a short interval. */
    void configure(String cidr) {
        api.applyYaml("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + NAME
                + ", namespace: kube-system}\ndata:\n  config: |\n    "
                + text(cidr).replace("\n", "\n    "));
    }

    static String text(String cidr) {
        return "nonMasqueradeCIDRs: [" + cidr + "]\nresyncInterval: 1s\n";
    }

    Path kubeconfig() {
        return api.serviceAccountKubeconfig("kube-system", NAME);
    }

    AgentProcess start(Path dir, String source, Map<String, String> access) {
        Map<String, String> environment = new HashMap<>(access);
        environment.put("IP_MASQ_SOURCE", source);
        return AgentProcess.start(
                ns,
                environment,
                "run",
                "--config",
                dir.resolve("mounted").toString(),
                "--state-dir",
                dir.resolve("state").toString());
    }

    AgentProcess start(Path dir, String source, Path kubeconfig) {
        return start(dir, source, Map.of("KUBECONFIG", kubeconfig.toString()));
    }

    /** Whether the chain has its rule for a range that keeps the pod's address. */
    private String rules() {
        return ns.run("iptables-save", "-t", "nat");
    }

    boolean keeps(String cidr) {
        return rules().contains("-d " + cidr);
    }

    void await(String cidr) {
        Eventually.holds("rule for " + cidr, this::rules, rules -> rules.contains("-d " + cidr));
    }

    /** Takes the rules away as often as told, each time until a pass has brought them back. */
    void flushAndAwaitHealing(int times, String cidr) {
        for (int i = 0; i < times; i++) {
            ns.run("iptables", "-t", "nat", "-F");
            await(cidr);
        }
    }

    String status() {
        return ns.sh("curl -s http://127.0.0.1:19180/status || true");
    }

    @Override
    public void close() {
        try {
            api.close();
        } finally {
            ns.close();
        }
    }
}
