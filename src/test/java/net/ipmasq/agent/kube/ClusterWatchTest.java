package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import net.ipmasq.lab.Eventually;
import net.ipmasq.profile.ConfigMapRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The watch against the client's own mock of an API server: quick, beside the tests against a real one. */
class ClusterWatchTest {
    private static final ConfigMapRef REF = new ConfigMapRef("kube-system", "cce-ip-masq-agent");

    private final AtomicInteger calls = new AtomicInteger();
    private final Watched watched = new Watched("the test");
    private KubernetesMockServer server;
    private KubernetesClient client;
    private ClusterWatch watch;

    @BeforeEach
    void start() {
        server = new KubernetesMockServer(
                new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
        server.init();
        client = server.createClient();
        watch = new ClusterWatch(client, calls::incrementAndGet, trouble -> {});
    }

    @AfterEach
    void stop() {
        watch.close();
        client.close();
        server.destroy();
    }

    private static ConfigMap map(String name, String text) {
        return new ConfigMapBuilder()
                .withNewMetadata()
                .withNamespace(REF.namespace())
                .withName(name)
                .endMetadata()
                .addToData("config", text)
                .build();
    }

    private boolean holds(String text) {
        return watched.state() instanceof Watched.Present present
                && text.equals(present.data().get("config"));
    }

    @Test
    void nothingIsKnownUntilTheServerHasAnsweredThatThereIsNone() {
        assertThat(watched.state()).isInstanceOf(Watched.Unknown.class);
        watch.follow(REF, watched);
        Eventually.holds("absent", () -> watched.state() instanceof Watched.Absent);
        assertThat(calls.get()).isPositive();
    }

    @Test
    void everyChangeOfTheOneObjectArrivesAndNoOther() {
        watch.follow(REF, watched);
        client.resource(map("another", "not ours")).create();
        client.resource(map(REF.name(), "a: 1")).create();
        Eventually.holds("created", () -> holds("a: 1"));
        client.resource(map(REF.name(), "a: 2")).update();
        Eventually.holds("updated", () -> holds("a: 2"));
        client.configMaps().inNamespace(REF.namespace()).withName(REF.name()).delete();
        Eventually.holds("deleted", () -> watched.state() instanceof Watched.Absent);
    }

    @Test
    void whatWasSaidStaysSaidWhenTheServerGoes() {
        client.resource(map(REF.name(), "a: 1")).create();
        watch.follow(REF, watched);
        Eventually.holds("read", () -> holds("a: 1"));
        Map<String, String> before = ((Watched.Present) watched.state()).data();
        server.destroy();
        Eventually.holds("trouble", () -> watch.trouble().isPresent());
        assertThat(((Watched.Present) watched.state()).data()).isEqualTo(before);
    }
}
