package net.ipmasq.bundle.cluster.uninstall;

import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.fabric8.kubernetes.api.model.LabelSelector;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.PodSpec;
import io.fabric8.kubernetes.api.model.PodTemplateSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetSpec;
import io.fabric8.kubernetes.api.model.apps.DaemonSetUpdateStrategy;
import io.fabric8.kubernetes.api.model.apps.RollingUpdateDaemonSet;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
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

    // by setters: a builder would bring the builders of all that a pod can hold into a native image
    static DaemonSet of(DaemonSet agent, KubernetesSerialization copier) {
        PodSpec agents = agent.getSpec().getTemplate().getSpec();
        Map<String, String> nodes = agents.getNodeSelector() == null ? Map.of() : agents.getNodeSelector();
        Container container = agents.getContainers().getFirst();
        PodSpec pods = copier.clone(agents);
        pods.setNodeSelector(NOWHERE);
        // it asks the API nothing
        pods.setAutomountServiceAccountToken(false);
        pods.setInitContainers(List.of(command(container, "cleanup", "cleanup")));
        // a DaemonSet's pods always run on; once the init container has done its work, they are ready
        pods.setContainers(List.of(command(container, "wait", "cleanup", "--then-wait")));
        ObjectMeta ofPods = new ObjectMeta();
        ofPods.setLabels(LABELS);
        DaemonSetSpec spec = new DaemonSetSpec();
        spec.setSelector(new LabelSelector(null, LABELS));
        spec.setUpdateStrategy(new DaemonSetUpdateStrategy(
                new RollingUpdateDaemonSet(null, new IntOrString("100%")), "RollingUpdate"));
        spec.setTemplate(new PodTemplateSpec(ofPods, pods));
        ObjectMeta metadata = new ObjectMeta();
        metadata.setName(NAME);
        metadata.setNamespace(agent.getMetadata().getNamespace());
        metadata.setLabels(LABELS);
        metadata.setAnnotations(Map.of(NODES, JsonText.compact(nodes)));
        DaemonSet made = new DaemonSet();
        made.setMetadata(metadata);
        made.setSpec(spec);
        return made;
    }

    private static Container command(Container agent, String name, String... args) {
        Container made = new Container();
        made.setName(name);
        made.setImage(agent.getImage());
        made.setImagePullPolicy(agent.getImagePullPolicy());
        made.setArgs(List.of(args));
        made.setEnv(agent.getEnv());
        made.setSecurityContext(agent.getSecurityContext());
        made.setResources(agent.getResources());
        made.setVolumeMounts(agent.getVolumeMounts());
        return made;
    }
}
