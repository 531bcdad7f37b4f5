package net.ipmasq.bundle.cluster.uninstall;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What is in the cluster of agents and of pods that clean. */
record CleanupView(KubernetesClient client, String namespace) {

    Resource<DaemonSet> daemonSet(String name) {
        return client.apps().daemonSets().inNamespace(namespace).withName(name);
    }

    Stream<Pod> pods(Map<String, String> labels) {
        return client.pods().inNamespace(namespace).withLabels(labels).list().getItems().stream();
    }

    /** Nodes with an agent. */
    Set<String> agentNodes() {
        return pods(CleanupPods.AGENT_LABELS).map(CleanupView::node).collect(Collectors.toCollection(TreeSet::new));
    }

    /** Nodes with a pod that has not cleaned yet, or with an agent that did not end. */
    Set<String> left() {
        Set<String> left = agentNodes();
        DaemonSet cleaning = daemonSet(CleanupPods.NAME).get();
        pods(CleanupPods.LABELS)
                .filter(pod -> cleaning == null || !CleanupProgress.hasCleaned(pod, cleaning))
                .map(CleanupView::node)
                .forEach(left::add);
        return left;
    }

    private static String node(Pod pod) {
        String node = pod.getSpec() == null ? null : pod.getSpec().getNodeName();
        return node == null ? "(pod " + pod.getMetadata().getName() + " is on no node)" : node;
    }
}
