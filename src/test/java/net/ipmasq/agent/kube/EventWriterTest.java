package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import net.ipmasq.agent.ConfigSource.Version;
import net.ipmasq.profile.ConfigMapRef;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whatever goes wrong while an Event is written is said, and tried again. */
class EventWriterTest {
    private static final ConfigEvent ANSWER =
            ConfigEvent.recovered(new ConfigMapRef("kube-system", "cce-ip-masq-agent"), new Version("uid", "1"));

    private final BlockingQueue<Optional<String>> told = new LinkedBlockingQueue<>();
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

    /** The time of an Event, or whatever else happens while one is made. */
    private static Clock clock(Supplier<Instant> next) {
        return new Clock() {
            @Override
            public Instant instant() {
                return next.get();
            }

            @Override
            public ZoneId getZone() {
                return ZoneOffset.UTC;
            }

            @Override
            public Clock withZone(ZoneId zone) {
                return this;
            }
        };
    }

    private Optional<String> nextTold() throws InterruptedException {
        Optional<String> next = told.poll(30, TimeUnit.SECONDS);
        if (next == null) {
            throw new AssertionError("nothing was told");
        }
        return next;
    }

    private long events() {
        return client.events()
                .v1()
                .events()
                .inNamespace("kube-system")
                .list()
                .getItems()
                .size();
    }

    @Test
    void whatTheClientDoesNotThrowIsSaidAndTriedAgain() throws InterruptedException {
        for (Throwable problem : List.of(new IllegalStateException("odd"), new OutOfMemoryError("for the test"))) {
            client.events().v1().events().inNamespace("kube-system").delete();
            LinkedBlockingQueue<Throwable> problems = new LinkedBlockingQueue<>(List.of(problem));
            Clock times = clock(() -> {
                switch (problems.poll()) {
                    case RuntimeException first -> throw first;
                    case Error first -> throw first;
                    case null, default -> {
                        return Instant.EPOCH;
                    }
                }
            });
            try (EventWriter writer = new EventWriter(client, "node-1", times, 0, told::add)) {
                writer.accept(List.of(ANSWER));
                assertThat(nextTold().orElseThrow()).contains("could not be written", problem.getMessage());
                assertThat(nextTold()).isEmpty();
                assertThat(events()).isEqualTo(1);
            }
        }
    }

    @Test
    void whenNothingIsLeftToSayTheTroubleIsOver() throws InterruptedException {
        try (EventWriter writer = new EventWriter(client, "node-1", Clock.systemUTC(), 0, told::add)) {
            writer.accept(List.of());
            assertThat(nextTold()).isEmpty();
        }
    }

    @Test
    void afterItsEndItTakesWhatAPassSaysAndDoesNothing() {
        EventWriter writer = new EventWriter(client, "node-1", Clock.systemUTC(), 0, told::add);
        writer.close();
        writer.accept(List.of(ANSWER));
        assertThat(told).isEmpty();
        assertThat(events()).isZero();
    }
}
