package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.SteppingClock;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.lab.Eventually;
import net.ipmasq.observe.Conditions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The whole of the agent's side, from a start to a status. */
class ClusterTest {
    private static final String NAME = "cce-ip-masq-agent";

    @TempDir
    private Path dir;

    private final SteppingClock clock = new SteppingClock();
    private final Semaphore waits = new Semaphore(0);
    private final List<Map<String, String>> troubles = new CopyOnWriteArrayList<>();
    private FakeApi api;
    private Settings settings;
    private ClusterInputs inputs;
    private AgentLoop loop;

    @BeforeEach
    void agent() {
        api = FakeApi.start();
        agent("kubernetes");
    }

    private void agent(String source) {
        settings = Settings.of(name -> Optional.ofNullable(
                switch (name) {
                    case "source" -> source;
                    case "node-name" -> "node-1";
                    case "config" -> dir.resolve("mounted").toString();
                    default -> null;
                }));
        StateStore store = new StateStore(dir.resolve("state"));
        inputs = new ClusterInputs(settings, store, Profiles.named("cce"));
        loop = new AgentLoop(new Reconciler(
                new InMemoryDataplane(),
                inputs.config(),
                inputs.profile(),
                Profiles.named("cce"),
                store,
                clock,
                clock.instant()));
        loop.onPass((before, after) -> troubles.add(after.issue()));
        loop.pass();
    }

    @AfterEach
    void stop() {
        api.close();
    }

    private Cluster connect(Supplier<KubernetesClient> client) {
        return new Cluster(inputs, client, loop, settings, clock, wait -> waits.acquire()).start();
    }

    private String issue() {
        return loop.status().orElseThrow().issue().getOrDefault("ApiUnreachable", "");
    }

    private ConfigOutcome outcome() {
        return loop.status().orElseThrow().config().outcome();
    }

    /** As a kubelet's node does it: slow, and with a pass at every moment. */
    @Test
    void twentySlowStartsAreNeverDegraded() throws InterruptedException {
        Semaphore list = api.gate("list");
        Semaphore stands = api.gate("watch");
        api.put(NAME, "masqOutBound: true");
        for (int i = 0; i < 20; i++) {
            agent("kubernetes");
            try (Cluster cluster = connect(api::client)) {
                loop.pass();
                list.release(2);
                Eventually.passes("listed", () -> {
                    loop.pass();
                    assertThat(outcome()).isInstanceOf(ConfigOutcome.Loaded.class);
                });
                loop.pass();
                stands.release(2);
                loop.pass();
                assertThat(cluster.node()).isNotNull();
            }
        }
        assertThat(troubles).noneMatch(issue -> issue.containsKey("ApiUnreachable"));
    }

    @Test
    void conditionsFollowTheServerInBothDirectionsWithoutAPass() throws InterruptedException {
        api.put(NAME, "masqOutBound: true");
        try (Cluster cluster = connect(api::client)) {
            Eventually.holds("loaded", () -> outcome(), ConfigOutcome.Loaded.class::isInstance);
            api.awaitRequest("standing " + NAME);
            long passes = loop.status().orElseThrow().passes().count();
            api.refuse("watch", 403);
            // as often as one of the two tries again
            waits.release(100);
            Eventually.holds("said", () -> issue(), value -> value.contains("(403)"));
            assertThat(Conditions.degraded(loop.status().orElseThrow()).reason())
                    .isEqualTo("ApiUnreachable");
            api.refuse("watch", 200);
            waits.release(100);
            Eventually.holds("over", () -> issue(), value -> value.isEmpty());
            assertThat(Conditions.degraded(loop.status().orElseThrow()).status())
                    .isFalse();
            assertThat(loop.status().orElseThrow().passes().count()).isEqualTo(passes);
            assertThat(cluster.node()).isNotNull();
        }
    }

    @Test
    void withoutAClientItSaysWhyAndGoesOnUntilOneCanBeMade() throws Exception {
        Files.writeString(dir.resolve("mounted"), "nonMasqueradeCIDRs: [10.7.0.0/16]\n");
        agent("auto");
        api.put(NAME, "nonMasqueradeCIDRs: [10.8.0.0/16]");
        AtomicInteger tries = new AtomicInteger();
        List<Throwable> problems = List.of(
                new AccessException("the kubeconfig F does not exist"),
                new IllegalStateException("odd"),
                new OutOfMemoryError("for the test"));
        Supplier<KubernetesClient> client = () -> {
            int now = tries.getAndIncrement();
            if (now == problems.size()) {
                return api.client();
            }
            switch (problems.get(now)) {
                case RuntimeException problem -> throw problem;
                case Error problem -> throw problem;
                default -> throw new AssertionError();
            }
        };
        try (Cluster cluster = connect(client)) {
            for (Throwable problem : problems) {
                Eventually.holds(problem.toString(), () -> issue(), value -> value.contains(problem.getMessage()));
                loop.pass();
                assertThat(outcome()).isInstanceOf(ConfigOutcome.Loaded.class);
                assertThat(loop.status().orElseThrow().node().ruleset().toString())
                        .contains("10.7.0.0/16");
                waits.release();
            }
            Eventually.holds("over", () -> issue(), value -> value.isEmpty());
            Eventually.holds(
                    "the API's text",
                    () -> loop.status().orElseThrow().node().ruleset().toString(),
                    value -> value.contains("10.8.0.0/16"));
            assertThat(cluster.node()).isNotNull();
        }
    }
}
