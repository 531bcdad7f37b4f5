package net.ipmasq.bundle.cluster.preflight;

import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import net.ipmasq.bundle.cluster.apply.Applier;
import net.ipmasq.bundle.cluster.preflight.PreflightFinding.Resource;

/** Other agents with the same task, and this one if it is already installed. */
record AgentsCheck(Requirements requirements, String namespace) implements Check {

    /** Who made an agent; each differs from the others. */
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
    public List<PreflightFinding> look(ClusterReader cluster) {
        List<PreflightFinding> findings = new ArrayList<>();
        for (Agent agent : agents(cluster, namespace, requirements.agents())) {
            findings.add(agent.maker() == Maker.OURS ? installed(agent.workload()) : conflict(agent));
        }
        cluster.daemonSets(namespace).stream()
                .map(Workload::new)
                .filter(AgentsCheck::isCleanup)
                .forEach(cleanup -> findings.add(cleaning(cleanup)));
        notOfHelm(cluster).ifPresent(findings::add);
        return findings;
    }

    /** Every agent of the cluster. */
    static List<Agent> agents(ClusterReader cluster, String namespace, List<String> names) {
        List<Agent> agents = new ArrayList<>();
        for (DaemonSet object : cluster.daemonSets(namespace)) {
            Workload workload = new Workload(object);
            boolean byImage = workload.images().stream().anyMatch(AgentsCheck::isAgent);
            boolean byName = names.contains(workload.name()) || workload.name().equals(Preflight.NAME);
            if ((byImage || byName) && !isCleanup(workload)) {
                agents.add(new Agent(workload, maker(workload)));
            }
        }
        return agents;
    }

    /** The DaemonSet that an uninstall runs for a while. */
    private static boolean isCleanup(Workload workload) {
        return workload.name().equals(Preflight.NAME + "-cleanup");
    }

    private static boolean isAgent(String image) {
        return lastElement(image).contains("ip-masq-agent");
    }

    /** Of the repository: a registry and the path of a mirror can have anybody's name. */
    private static String lastElement(String image) {
        String path = image.replaceFirst("@.*$", "");
        return path.substring(path.lastIndexOf('/') + 1).replaceFirst(":.*$", "");
    }

    private static Maker maker(Workload workload) {
        if (workload.label("app.kubernetes.io/name").equals("ip-masq-agent")
                && workload.label("app.kubernetes.io/instance").equals(Preflight.NAME)) {
            return Maker.OURS;
        }
        List<String> last =
                workload.images().stream().map(AgentsCheck::lastElement).toList();
        if (workload.name().startsWith("azure")
                || last.stream().anyMatch(image -> image.startsWith("ip-masq-agent-v2"))) {
            return Maker.AZURE;
        }
        if (workload.name().equals(Preflight.NAME)
                || last.stream().anyMatch(image -> image.startsWith(Preflight.NAME))) {
            return Maker.BAIDU;
        }
        // both use the image name of kubernetes-sigs; a mirror of theirs cannot be told from a mirror of that
        String images = String.join(" ", workload.images());
        if (images.contains(".tencentyun.com/")) {
            return Maker.TENCENT;
        }
        return images.contains("gke.gcr.io/") || images.contains("/gke-release/") ? Maker.GKE : Maker.KUBERNETES;
    }

    private PreflightFinding installed(Workload workload) {
        return PreflightFinding.Severity.INFO.of(
                "AlreadyInstalled",
                "this agent is installed, version " + workload.label("app.kubernetes.io/version")
                        + "; this bundle has version " + requirements.version(),
                "",
                List.of(workload.resource()));
    }

    private static PreflightFinding cleaning(Workload workload) {
        return PreflightFinding.Severity.ERROR.of(
                "CleanupRunning",
                "the clean-up of an uninstall is still there; on each node that it comes onto, it removes the rules of"
                        + " whichever agent runs",
                "end the uninstall with ip-masq-fleet bundle cleanup-nodes, or give it up: kubectl -n "
                        + workload.namespace() + " delete daemonset " + workload.name(),
                List.of(workload.resource()));
    }

    /** Objects with our names that neither Helm nor {@code bundle apply} made; each of the two continues with its own only. */
    private Optional<PreflightFinding> notOfHelm(ClusterReader cluster) {
        List<Resource> objects = cluster.ofOurNames(namespace).stream()
                .filter(object -> !object.getMetadata().getAnnotations().containsKey("meta.helm.sh/release-name"))
                .filter(object -> object.getMetadata().getManagedFields().stream()
                        .noneMatch(fields -> Applier.MANAGER.equals(fields.getManager())))
                .map(object -> new Resource(
                        object.getKind(),
                        Objects.requireNonNullElse(object.getMetadata().getNamespace(), ""),
                        object.getMetadata().getName()))
                .toList();
        return objects.isEmpty()
                ? Optional.empty()
                : Optional.of(PreflightFinding.Severity.WARNING.of(
                        "NotOfHelm",
                        "objects with the names of this add-on were made without Helm, which does not touch what is not"
                                + " its own",
                        "go on with ip-masq-fleet bundle apply, or delete them, or give them all the label"
                                + " app.kubernetes.io/managed-by=Helm and the annotations meta.helm.sh/release-name and"
                                + " meta.helm.sh/release-namespace",
                        objects));
    }

    private static PreflightFinding conflict(Agent agent) {
        Workload workload = agent.workload();
        boolean sameName = workload.name().equals(Preflight.NAME);
        boolean broughtBack = workload.label("addonmanager.kubernetes.io/mode").equals("Reconcile");
        String way;
        if (broughtBack) {
            way = "switch that add-on off at the provider, since its add-on manager puts it back when it is deleted, as"
                    + " docs/migration.md says";
        } else if (sameName) {
            way = "remove it right before the install, as docs/migration.md says: kubectl -n " + workload.namespace()
                    + " delete daemonset " + workload.name();
        } else {
            way =
                    "move node by node, as docs/migration.md says: install on labelled nodes only, and keep it from those";
        }
        return PreflightFinding.Severity.ERROR.of(
                "ConflictingAgent",
                agent.maker().words + " runs here; two agents on one node overwrite each other's rules"
                        + (sameName
                                ? ", and this one has the same name but another selector, which no upgrade can change"
                                : ""),
                way + "; its rules stay in the kernel and are taken over. Install with profile.name="
                        + agent.maker().profile,
                List.of(workload.resource()));
    }
}
