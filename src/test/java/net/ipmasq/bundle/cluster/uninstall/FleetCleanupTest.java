package net.ipmasq.bundle.cluster.uninstall;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a clean-up says on its way, over a cluster whose controllers are the test's hand. */
class FleetCleanupTest {
    private static final Instant NOW = Instant.parse("2026-01-01T12:00:00Z");

    private final List<String> said = new ArrayList<>();
    private final Deque<Runnable> meanwhile = new ArrayDeque<>();
    private KubernetesMockServer server;
    private KubernetesClient client;

    @BeforeEach
    void start() {
        server = new KubernetesMockServer(
                new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
        server.init();
        client = server.createClient();
    }

    @AfterEach
    void stop() {
        client.close();
        server.destroy();
    }

    /** An earlier clean-up whose pods are ready on these nodes, one of which had an agent beside it then. */
    private void earlier(String... nodes) {
        DaemonSet agent = new DaemonSetBuilder()
                .withNewMetadata()
                .withName(CleanupPods.AGENT)
                .withNamespace("kube-system")
                .endMetadata()
                .withNewSpec()
                .withNewTemplate()
                .withNewSpec()
                .addNewContainer()
                .withName("a")
                .withImage("a")
                .endContainer()
                .endSpec()
                .endTemplate()
                .endSpec()
                .build();
        DaemonSet cleaning = CleanupPods.of(agent);
        CleanupPods.release(cleaning, Map.of(), Set.of(nodes[0]), NOW);
        client.resource(cleaning).create();
        for (String node : nodes) {
            pod(node, "", true);
        }
        counted(nodes.length);
    }

    private void pod(String node, String round, boolean ready) {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName(CleanupPods.NAME + "-" + node)
                .withNamespace("kube-system")
                .withLabels(CleanupPods.LABELS)
                .withAnnotations(round.isEmpty() ? Map.of() : Map.of(CleanupPods.ROUND, round))
                .endMetadata()
                .withNewSpec()
                .withNodeName(node)
                .endSpec()
                .withNewStatus()
                .addNewCondition()
                .withType("Ready")
                .withStatus(ready ? "True" : "False")
                .endCondition()
                .endStatus()
                .build();
        client.resource(pod).unlock().createOr(io.fabric8.kubernetes.client.dsl.NonDeletingOperation::update);
    }

    /** The numbers as the controller gives them: ready pods of any round, all of them of the newest. */
    private void counted(int nodes) {
        client.apps()
                .daemonSets()
                .inNamespace("kube-system")
                .withName(CleanupPods.NAME)
                .edit(cleaning -> new DaemonSetBuilder(cleaning)
                        .withNewStatus()
                        .withDesiredNumberScheduled(nodes)
                        .withUpdatedNumberScheduled(nodes)
                        .withNumberReady(nodes)
                        .withObservedGeneration(1_000L)
                        .endStatus()
                        .build());
    }

    private FleetCleanup.Result run() throws InterruptedException {
        Instant[] now = {NOW};
        Clock clock = new Clock() {
            @Override
            public Instant instant() {
                return now[0];
            }

            @Override
            public java.time.ZoneId getZone() {
                return java.time.ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(java.time.ZoneId zone) {
                return this;
            }
        };
        FleetCleanup cleanup = new FleetCleanup(
                client,
                "kube-system",
                clock,
                () -> {
                    now[0] = now[0].plusSeconds(1);
                    Runnable next = meanwhile.poll();
                    if (next != null) {
                        next.run();
                    }
                },
                said::add);
        return cleanup.run(Duration.ofMinutes(2));
    }

    @Test
    void aSecondRunCountsItsOwnPodsAndNeverBackwards() throws InterruptedException {
        earlier("n1", "n2");
        String round = NOW.toString();
        meanwhile.add(() -> pod("n1", round, false));
        meanwhile.add(() -> pod("n1", round, true));
        // for a moment it is not
        meanwhile.add(() -> pod("n1", round, false));
        meanwhile.add(() -> pod("n1", round, true));
        meanwhile.add(() -> pod("n2", round, true));
        assertThat(run()).isEqualTo(new FleetCleanup.Result.Clean(2));
        assertThat(said)
                .filteredOn(line -> line.startsWith("clean: "))
                .containsExactly("clean: 0 of 2 nodes", "clean: 1 of 2 nodes", "clean: 2 of 2 nodes");
    }

    @Test
    void aPodThatIsReadyFromARoundBeforeIsANodeThatIsLeft() throws InterruptedException {
        earlier("n1", "n2");
        meanwhile.add(() -> pod("n1", NOW.toString(), true));
        assertThat(run()).isEqualTo(new FleetCleanup.Result.Left(Set.of("n2")));
    }

    @Test
    void oneNodeIsOne() throws InterruptedException {
        earlier("n1");
        meanwhile.add(() -> pod("n1", NOW.toString(), true));
        assertThat(run()).isEqualTo(new FleetCleanup.Result.Clean(1));
        assertThat(said).contains("clean: 1 of 1 node");
    }
}
