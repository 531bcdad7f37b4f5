package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NodeBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What is known of the node: asked for until there is an answer, ever more seldom. */
class NodeLookupTest {
    @Test
    void aFailedLookUpIsRepeatedUntilItSucceeds() throws InterruptedException {
        KubernetesMockServer server = new KubernetesMockServer(
                new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
        server.init();
        List<Duration> waits = new ArrayList<>();
        List<Map<String, Object>> found = new ArrayList<>();
        try (KubernetesClient client = server.createClient()) {
            NodeLookup.follow(
                    client,
                    "node-1",
                    wait -> {
                        waits.add(wait);
                        if (waits.size() == 12) {
                            client.resource(new NodeBuilder()
                                            .withNewMetadata()
                                            .withName("node-1")
                                            .endMetadata()
                                            .withNewSpec()
                                            .withPodCIDRs("10.1.0.0/24")
                                            .endSpec()
                                            .build())
                                    .create();
                        }
                    },
                    found::add);
        } finally {
            server.destroy();
        }
        assertThat(found).hasSize(13);
        assertThat(found.getFirst().get("why")).isEqualTo("there is no node of that name");
        assertThat(found.getLast())
                .containsEntry("podCIDRs", List.of("10.1.0.0/24"))
                .doesNotContainKey("why");
        assertThat(waits.getFirst()).isLessThanOrEqualTo(Duration.ofSeconds(1));
        assertThat(waits.getLast()).isBetween(Duration.ofSeconds(150), Duration.ofMinutes(5));
    }

    @Test
    void anAnswerThatIsNoneIsRepeatedToo() throws InterruptedException {
        List<Map<String, Object>> found = new ArrayList<>();
        try (FakeApi api = FakeApi.start();
                KubernetesClient client = api.client()) {
            api.refuse("GET", 403);
            NodeLookup.follow(
                    client,
                    "node-1",
                    wait -> api.answer("GET", "{\"kind\":\"Node\",\"apiVersion\":\"v1\"}"),
                    found::add);
        }
        assertThat(found).hasSize(2);
        assertThat(found.getFirst().get("why").toString()).startsWith("not known: ");
        assertThat(found.getLast()).containsKey("podCIDRs");
    }
}
