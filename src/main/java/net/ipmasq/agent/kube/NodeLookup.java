package net.ipmasq.agent.kube;

import static net.ipmasq.text.JsonText.object;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.util.List;
import java.util.Map;

/** What the API says of this node. For people only: it never decides anything. */
final class NodeLookup {
    private NodeLookup() {}

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
            return object(
                    "name",
                    name,
                    "podCIDRs",
                    node.getSpec() == null ? List.of() : node.getSpec().getPodCIDRs(),
                    "addresses",
                    addresses);
        } catch (KubernetesClientException e) {
            return object("name", name, "why", "not known: " + e.getMessage());
        }
    }
}
