package net.ipmasq.agent.kube;

import static net.ipmasq.json.JsonText.object;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What the API knows of this node. It is shown to people and decides nothing. */
final class NodeLookup {
    private NodeLookup() {}

    /**
     * Asks until there is an answer. The wait between two tries grows to five minutes, so that a fleet without the right can
     * go on for ever.
     *
     * @param found gets name, podCIDRs and addresses; before that the reasons why they are not known
     */
    static void follow(KubernetesClient client, String name, BackOff.Pause pause, Consumer<Map<String, Object>> found)
            throws InterruptedException {
        BackOff backOff = new BackOff(Duration.ofSeconds(1), Duration.ofMinutes(5));
        while (true) {
            Map<String, Object> description = describe(client, name);
            found.accept(description);
            if (!description.containsKey("why")) {
                return;
            }
            pause.pause(backOff.next());
        }
    }

    /** Name, podCIDRs and addresses; or the reason why they are not known. */
    static Map<String, Object> describe(KubernetesClient client, String name) {
        try {
            Node node = client.nodes().withName(name).get();
            if (node == null) {
                return object("name", name, "why", "there is no node of that name");
            }
            List<String> addresses = node.getStatus() == null
                    ? List.of()
                    : node.getStatus().getAddresses().stream()
                            .map(address -> address.getType() + " " + address.getAddress())
                            .toList();
            List<String> ranges =
                    node.getSpec() == null ? List.of() : node.getSpec().getPodCIDRs();
            return object("name", name, "podCIDRs", ranges, "addresses", addresses);
        } catch (RuntimeException | Error e) {
            // no failure may end the retries
            return object("name", name, "why", "not known: " + e.getMessage());
        }
    }
}
