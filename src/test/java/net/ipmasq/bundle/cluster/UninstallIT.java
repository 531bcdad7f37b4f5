package net.ipmasq.bundle.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import net.ipmasq.bundle.Bundle;
import net.ipmasq.bundle.HelmProcess;
import net.ipmasq.dataplane.CommandRunner.Exited;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * An uninstall that removes the rules from every node, with Helm and the packaged command on a real API server; the test
 * plays controllers and kubelets. What {@code cleanup} does on a node is {@code CleanupIT}'s.
 */
@NeedsKernel
@NeedsKube
@Timeout(180)
@PackagedAgent
class UninstallIT {
    private static final String AGENT = "cce-ip-masq-agent";
    private static final String CLEANUP = AGENT + "-cleanup";
    private static final String HOOK = AGENT + "-uninstall";
    private static final String REMOVING = "uninstall: {preserveRules: false}";

    private static NetNs ns;
    private static KubeApi api;
    private static HelmProcess helm;
    private static Controllers controllers;

    @BeforeAll
    static void cluster() {
        ns = NetNs.create();
        api = KubeApi.start(ns);
        helm = HelmProcess.start(api.adminKubeconfig(), ns::enter);
        controllers = new Controllers(api);
    }

    @AfterAll
    static void gone() {
        if (helm != null) {
            helm.close();
        }
        if (api != null) {
            api.close();
        }
        if (ns != null) {
            ns.close();
        }
    }

    @AfterEach
    void nothingLeft() {
        kubectl("delete", "pods", "--all", "--force", "--grace-period=0");
        kubectl(
                "delete",
                "daemonsets,serviceaccounts,configmaps,roles,rolebindings,clusterroles,clusterrolebindings",
                "-l",
                "app.kubernetes.io/name=ip-masq-agent");
        kubectl("delete", "daemonset", AGENT, "--ignore-not-found");
    }

    private static String kubectl(String... args) {
        String[] all = new String[args.length + 2];
        all[0] = "-n";
        all[1] = "kube-system";
        System.arraycopy(args, 0, all, 2, args.length);
        return api.kubectl(all);
    }

    private static String get(String object, String jsonPath) {
        return kubectl("get", object, "--ignore-not-found", "-o", "jsonpath={" + jsonPath + "}");
    }

    private static boolean exists(String object) {
        return !get(object, ".metadata.name").isEmpty();
    }

    private static String[] cleanupNodes(Path kubeconfig, int timeout) {
        return new String[] {"bundle", "cleanup-nodes", "--kubeconfig", kubeconfig.toString(), "--timeout=" + timeout};
    }

    private static AgentProcess start(Path kubeconfig) {
        return AgentProcess.start(ns, Map.of(), cleanupNodes(kubeconfig, 100));
    }

    @Test
    void theHookEndsTheAgentsThenCleansEveryNodeThenHelmGoesOn() throws Exception {
        helm.call("install", Bundle.CHART, "kube-system", REMOVING);
        controllers.pod(AGENT, "n1", true);
        controllers.pod(AGENT, "n2", true);
        CompletableFuture<String> uninstall =
                CompletableFuture.supplyAsync(() -> helm.call("uninstall", Bundle.CHART, "kube-system", REMOVING));
        Eventually.holds("the Job", () -> get("job/" + HOOK, ".metadata.name"), name -> !name.isEmpty());
        assertThat(exists("configmap/" + AGENT + "-profile"))
                .as("the release waits")
                .isTrue();
        assertThat(mayTheHook("get", "daemonsets.apps/" + AGENT)).isTrue();
        for (String beyond : new String[] {
            "patch daemonsets.apps/" + AGENT,
            "delete daemonsets.apps/kube-proxy",
            "list daemonsets.apps",
            "get pods",
            "delete pods",
            "create pods",
            "get secrets",
            "get configmaps",
            "get nodes"
        }) {
            assertThat(mayTheHook(beyond.split(" "))).as(beyond).isFalse();
        }
        try (AgentProcess job = start(api.serviceAccountKubeconfig("kube-system", HOOK))) {
            job.awaitLine("agents still there: 2");
            assertThat(get("daemonset/" + AGENT, ".metadata.finalizers")).contains("foregroundDeletion");
            assertThat(get("daemonset/" + CLEANUP, ".spec.template.spec.nodeSelector"))
                    .as("on no node while an agent could heal")
                    .contains("waits-for");
            controllers.podGone(AGENT, "n1");
            job.awaitLine("agents still there: 1");
            controllers.podGone(AGENT, "n2");
            controllers.collected(AGENT);
            job.awaitLine("waiting for the DaemonSet controller");
            assertThat(get("daemonset/" + CLEANUP, ".spec.template.spec.nodeSelector"))
                    .isEqualTo("{\"kubernetes.io/os\":\"linux\"}");
            assertThat(get("daemonset/" + CLEANUP, ".spec.template.spec.initContainers[0].args"))
                    .isEqualTo("[\"cleanup\"]");
            controllers.pod(CLEANUP, "n1", true);
            controllers.pod(CLEANUP, "n2", false);
            controllers.counted(CLEANUP, 2, 1);
            job.awaitLine("clean: 1 of 2 nodes");
            assertThat(uninstall).isNotDone();
            controllers.pod(CLEANUP, "n2", true);
            controllers.counted(CLEANUP, 2, 2);
            job.awaitLine("no rule of the agent is left on 2 nodes");
        }
        assertThat(exists("daemonset/" + CLEANUP)).isFalse();
        controllers.completed(HOOK);
        uninstall.get();
        for (String object : new String[] {"job", "role", "rolebinding", "serviceaccount"}) {
            assertThat(exists(object + "/" + HOOK)).as(object).isFalse();
        }
        assertThat(exists("configmap/" + AGENT + "-profile")).isFalse();
        assertThat(exists("configmap/" + AGENT)).as("the user's stays").isTrue();
    }

    private static boolean mayTheHook(String... question) {
        String[] args = new String[question.length + 5];
        System.arraycopy(
                new String[] {"-n", "kube-system", "auth", "can-i", "--as=system:serviceaccount:kube-system:" + HOOK},
                0,
                args,
                0,
                5);
        System.arraycopy(question, 0, args, 5, question.length);
        // no is exit code 1
        return api.tryKubectl(api.adminKubeconfig(), Map.of(), "", args) instanceof Exited exited
                && exited.stdout().strip().equals("yes");
    }

    /** What an uninstall leaves by default is what is in the kernels: no pod of the release is asked for anything. */
    @Test
    void preservingAsksForNoJob() {
        helm.call("install", Bundle.CHART, "kube-system", "{}");
        long jobs = jobs();
        helm.call("uninstall", Bundle.CHART, "kube-system", "{}");
        assertThat(jobs()).isEqualTo(jobs);
        assertThat(exists("daemonset/" + AGENT)).isFalse();
    }

    private static long jobs() {
        return api.requests().stream()
                .filter(request -> request.resource().equals("jobs"))
                .count();
    }

    @Test
    void nodesThatDoNotAnswerAreNamedAndASecondRunGoesOn() {
        api.kubectl("apply", "-f", Path.of("src/main/kubernetes/kubernetes.yml").toString());
        controllers.pod(AGENT, "dead", true);
        AgentProcess.Result first = AgentProcess.run(ns, cleanupNodes(api.adminKubeconfig(), 2));
        assertThat(first.code()).as("%s", first).isEqualTo(4);
        assertThat(first.err()).contains("not cleaned: dead", CLEANUP);
        assertThat(exists("daemonset/" + CLEANUP)).isTrue();
        controllers.podGone(AGENT, "dead");
        controllers.collected(AGENT);
        // the agents' DaemonSet is gone, from which everything was taken
        controllers.pod(CLEANUP, "slow", false);
        controllers.pod(CLEANUP, "fine", true);
        controllers.counted(CLEANUP, 2, 1);
        AgentProcess.Result second = AgentProcess.run(ns, cleanupNodes(api.adminKubeconfig(), 2));
        // it began a new round, in which neither has cleaned yet, however ready it was
        assertThat(second.err()).contains("not cleaned: fine, slow;");
        for (String node : new String[] {"fine", "slow"}) {
            controllers.podGone(CLEANUP, node);
            controllers.pod(CLEANUP, node, true);
        }
        controllers.counted(CLEANUP, 2, 2);
        AgentProcess.Result third = AgentProcess.run(ns, cleanupNodes(api.adminKubeconfig(), 20));
        assertThat(third.code()).as("%s", third).isZero();
        assertThat(exists("daemonset/" + CLEANUP)).isFalse();
        AgentProcess.Result none = AgentProcess.run(ns, cleanupNodes(api.adminKubeconfig(), 2));
        assertThat(none.code()).isEqualTo(4);
        assertThat(none.err()).contains("nothing was done");
    }

    /** Its pods are ready since long, but an install since then has brought rules back. */
    @Test
    void aCleanupThatAnEarlierUninstallLeftIsMadeAnew() throws Exception {
        Path manifests = Path.of("src/main/kubernetes/kubernetes.yml");
        api.kubectl("apply", "-f", manifests.toString());
        controllers.pod(AGENT, "dead", true);
        AgentProcess.run(ns, cleanupNodes(api.adminKubeconfig(), 2));
        controllers.podGone(AGENT, "dead");
        controllers.collected(AGENT);
        controllers.counted(CLEANUP, 1, 1);
        controllers.pod(CLEANUP, "dead", true);
        String stale = get("daemonset/" + CLEANUP, ".metadata.uid");
        api.kubectl("apply", "-f", manifests.toString());
        controllers.pod(AGENT, "n1", true);
        try (AgentProcess run = start(api.adminKubeconfig())) {
            run.awaitLine("waiting for an earlier clean-up to be gone");
            assertThat(get("daemonset/" + CLEANUP, ".metadata.finalizers")).contains("foregroundDeletion");
            controllers.podGone(CLEANUP, "dead");
            controllers.collected(CLEANUP);
            run.awaitLine("agents still there: 1");
            assertThat(get("daemonset/" + CLEANUP, ".metadata.uid"))
                    .isNotEmpty()
                    .isNotEqualTo(stale);
            controllers.podGone(AGENT, "n1");
            controllers.collected(AGENT);
            run.awaitLine("waiting for the DaemonSet controller");
            controllers.pod(CLEANUP, "n1", true);
            controllers.counted(CLEANUP, 1, 1);
            run.awaitLine("no rule of the agent is left on 1 node");
        }
    }

    /** An agent that goes late can have brought the rules back after its node was cleaned. */
    @Test
    void aNodeWhoseAgentWasThereMeanwhileCountsAsLeftAndIsCleanedAgain() throws Exception {
        api.kubectl("apply", "-f", Path.of("src/main/kubernetes/kubernetes.yml").toString());
        controllers.pod(AGENT, "late", true);
        try (AgentProcess first = AgentProcess.start(ns, Map.of(), cleanupNodes(api.adminKubeconfig(), 8))) {
            first.awaitLine("waiting for the DaemonSet controller");
            controllers.podGone(AGENT, "late");
            controllers.collected(AGENT);
            controllers.pod(CLEANUP, "late", true);
            controllers.counted(CLEANUP, 1, 1);
            first.awaitLine("not cleaned: late;");
        }
        String round = ".spec.template.metadata.annotations";
        assertThat(get("daemonset/" + CLEANUP, round)).isEmpty();
        try (AgentProcess second = start(api.adminKubeconfig())) {
            second.awaitLine("waiting for the DaemonSet controller");
            assertThat(get("daemonset/" + CLEANUP, round)).contains("ipmasq.net/round");
            // the pod of the round before is ready still, and does not count
            controllers.counted(CLEANUP, 1, 1);
            second.awaitLine("clean: 0 of 1 node");
            controllers.podGone(CLEANUP, "late");
            controllers.pod(CLEANUP, "late", true);
            second.awaitLine("no rule of the agent is left on 1 node");
        }
    }

    @Test
    void anAgentOfSomebodyElseUnderTheSameNameIsLeftAlone() {
        api.applyYaml("""
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: cce-ip-masq-agent, namespace: kube-system, labels: {app.kubernetes.io/name: ip-masq-agent}}
                spec:
                  selector: {matchLabels: {k8s-app: theirs}}
                  template:
                    metadata: {labels: {k8s-app: theirs}}
                    spec: {containers: [{name: a, image: a}]}
                """);
        AgentProcess.Result result = AgentProcess.run(ns, cleanupNodes(api.adminKubeconfig(), 2));
        assertThat(result.code()).isEqualTo(4);
        assertThat(result.err()).contains("belongs to another agent");
        assertThat(get("daemonset/" + AGENT, ".metadata.deletionTimestamp")).isEmpty();
        assertThat(exists("daemonset/" + CLEANUP)).isFalse();
    }
}
