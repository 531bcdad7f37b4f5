package net.ipmasq.bundle.cluster.uninstall;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.ContainerBuilder;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodSpecBuilder;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.ipmasq.json.JsonText;

/**
 * The DaemonSet that cleans up: the agent's pods with the same image, mounts, rights and nodes, but another command. It is made before the agent's is deleted, on no node at first: whoever has to start again after an interruption
 * finds it, while the agent's, from which it was made, is gone.
 */
final class CleanupPods {
    static final String AGENT = "cce-ip-masq-agent";
    static final String NAME = AGENT + "-cleanup";
    static final Map<String, String> AGENT_LABELS = labels(AGENT);
    static final Map<String, String> LABELS = labels(NAME);

    /** No node has it. */
    static final Map<String, String> NOWHERE = Map.of("ipmasq.net/waits-for", "the-agents-to-be-gone");

    /** Keeps the agent's node selector until then. */
    static final String NODES = "ipmasq.net/node-selector";

    /** Nodes that had an agent while they were cleaned; a space between them. */
    static final String UNSTOPPED = "ipmasq.net/cleaned-beside-an-agent";

    /** In the template: a new value replaces every pod, and each cleans again. */
    static final String ROUND = "ipmasq.net/round";

    private CleanupPods() {}

    /** Lets them onto nodes; again where nodes had an agent beside them the last time and have none now. */
    static void release(DaemonSet cleaning, Map<String, String> nodes, Set<String> unstopped, Instant now) {
        Map<String, String> annotations = new HashMap<>(
                cleaning.getMetadata().getAnnotations() == null
                        ? Map.of()
                        : cleaning.getMetadata().getAnnotations());
        String before = annotations.getOrDefault(UNSTOPPED, "");
        PodTemplateSpec template = cleaning.getSpec().getTemplate();
        if (!before.isEmpty() && !unstopped.containsAll(List.of(before.split(" ")))) {
            template.getMetadata().setAnnotations(Map.of(ROUND, now.toString()));
        }
        annotations.remove(UNSTOPPED);
        if (!unstopped.isEmpty()) {
            annotations.put(UNSTOPPED, String.join(" ", unstopped));
        }
        cleaning.getMetadata().setAnnotations(annotations);
        template.getSpec().setNodeSelector(nodes);
    }

    private static Map<String, String> labels(String instance) {
        return Map.of("app.kubernetes.io/name", "ip-masq-agent", "app.kubernetes.io/instance", instance);
    }

    static DaemonSet of(DaemonSet agent) {
        PodSpec pods = agent.getSpec().getTemplate().getSpec();
        Map<String, String> nodes = pods.getNodeSelector() == null ? Map.of() : pods.getNodeSelector();
        Container container = pods.getContainers().getFirst();
        return new DaemonSetBuilder()
                .withNewMetadata()
                .withName(NAME)
                .withNamespace(agent.getMetadata().getNamespace())
                .withLabels(LABELS)
                .addToAnnotations(NODES, JsonText.compact(nodes))
                .endMetadata()
                .withNewSpec()
                .withNewSelector()
                .withMatchLabels(LABELS)
                .endSelector()
                .withNewUpdateStrategy()
                .withType("RollingUpdate")
                .withNewRollingUpdate()
                .withMaxUnavailable(new IntOrString("100%"))
                .endRollingUpdate()
                .endUpdateStrategy()
                .withNewTemplate()
                .withNewMetadata()
                .withLabels(LABELS)
                .endMetadata()
                .withSpec(new PodSpecBuilder(pods)
                        .withNodeSelector(NOWHERE)
                        // it asks the API nothing
                        .withAutomountServiceAccountToken(false)
                        .withInitContainers(command(container, "cleanup", "cleanup"))
                        // a DaemonSet's pods always run on; once the init container has done its work, they are ready
                        .withContainers(command(container, "wait", "cleanup", "--then-wait"))
                        .build())
                .endTemplate()
                .endSpec()
                .build();
    }

    private static Container command(Container agent, String name, String... args) {
        return new ContainerBuilder()
                .withName(name)
                .withImage(agent.getImage())
                .withImagePullPolicy(agent.getImagePullPolicy())
                .withArgs(args)
                .withEnv(agent.getEnv())
                .withSecurityContext(agent.getSecurityContext())
                .withResources(agent.getResources())
                .withVolumeMounts(agent.getVolumeMounts())
                .build();
    }
}
