package net.ipmasq.bundle.preflight;

import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.util.ArrayList;
import java.util.List;
import net.ipmasq.bundle.preflight.Finding.Severity;

/** Other agents with the same task, and this one if it is there already. */
record AgentsCheck(Requirements requirements, String namespace) implements Check {

    /** Who made an agent; each has its own differences. */
    enum Maker {
        OURS("this agent", ""),
        BAIDU("Baidu's cce-ip-masq-agent", "cce"),
        AZURE("Azure's agent", "upstream"),
        GKE("GKE's agent", "gke"),
        TENCENT("Tencent's agent", "upstream"),
        KUBERNETES("the kubernetes-sigs agent", "upstream");

        private final String words;
        private final String profile;

        Maker(String words, String profile) {
            this.words = words;
            this.profile = profile;
        }
    }

    /** An agent that was found. */
    record Agent(Workload workload, Maker maker) {}

    @Override
    public List<Finding> look(ClusterReader cluster) {
        List<Finding> findings = new ArrayList<>();
        for (Agent agent : agents(cluster, namespace, requirements.agents())) {
            findings.addAll(agent.maker() == Maker.OURS ? installed(agent.workload()) : List.of(conflict(agent)));
        }
        return findings;
    }

    /** Every agent of the cluster. */
    static List<Agent> agents(ClusterReader cluster, String namespace, List<String> names) {
        List<Agent> agents = new ArrayList<>();
        for (DaemonSet object : cluster.daemonSets(namespace)) {
            Workload workload = new Workload(object);
            boolean byImage = workload.images().stream().anyMatch(AgentsCheck::isAgent);
            boolean byName = names.contains(workload.name()) || workload.name().equals(Preflight.NAME);
            // what uninstalling runs for a while
            boolean cleaning = workload.name().equals(Preflight.NAME + "-cleanup");
            if ((byImage || byName) && !cleaning) {
                agents.add(new Agent(workload, maker(workload)));
            }
        }
        return agents;
    }

    private static boolean isAgent(String image) {
        String path = image.replaceFirst("@.*$", "");
        return path.substring(path.lastIndexOf('/') + 1).contains("ip-masq-agent");
    }

    private static Maker maker(Workload workload) {
        if (workload.label("app.kubernetes.io/name").equals("ip-masq-agent")
                && workload.label("app.kubernetes.io/instance").equals(Preflight.NAME)) {
            return Maker.OURS;
        }
        String images = String.join(" ", workload.images());
        if (workload.name().startsWith("azure") || images.contains("azure") || images.contains("ip-masq-agent-v2")) {
            return Maker.AZURE;
        }
        if (workload.name().equals(Preflight.NAME) || images.contains("baidu")) {
            return Maker.BAIDU;
        }
        if (images.contains("tencent") || images.contains("tke")) {
            return Maker.TENCENT;
        }
        return images.contains("gke.gcr.io") || images.contains("gke-release") ? Maker.GKE : Maker.KUBERNETES;
    }

    private List<Finding> installed(Workload workload) {
        List<Finding> findings = new ArrayList<>();
        findings.add(new Finding(
                Severity.INFO,
                "AlreadyInstalled",
                "this agent is there, version " + workload.label("app.kubernetes.io/version") + "; this would make it "
                        + requirements.version(),
                "",
                List.of(workload.resource())));
        if (workload.annotation("meta.helm.sh/release-name").isEmpty()) {
            findings.add(new Finding(
                    Severity.WARNING,
                    "NotOfHelm",
                    "it was applied without Helm, which does not touch objects that are not its own",
                    "go on with ip-masq-agent bundle apply, or give all its objects the label"
                            + " app.kubernetes.io/managed-by=Helm and the annotations meta.helm.sh/release-name and"
                            + " meta.helm.sh/release-namespace",
                    List.of(workload.resource())));
        }
        return findings;
    }

    private static Finding conflict(Agent agent) {
        Workload workload = agent.workload();
        String delete = "kubectl -n " + workload.namespace() + " delete daemonset " + workload.name();
        boolean broughtBack = workload.label("addonmanager.kubernetes.io/mode").equals("Reconcile");
        return new Finding(
                Severity.ERROR,
                "ConflictingAgent",
                agent.maker().words + " runs here; two agents write over each other"
                        + (workload.name().equals(Preflight.NAME)
                                ? ", and this one has the same name but another selector, which no upgrade can change"
                                : ""),
                (broughtBack
                                ? "switch that add-on off at the provider, since its add-on manager puts it back when it is"
                                        + " deleted"
                                : "remove it first: " + delete)
                        + "; its rules stay in the kernel and are taken over. Install with profile.name="
                        + agent.maker().profile,
                List.of(workload.resource()));
    }
}
