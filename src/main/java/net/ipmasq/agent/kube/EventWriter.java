package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.api.model.MicroTime;
import io.fabric8.kubernetes.api.model.ObjectReferenceBuilder;
import io.fabric8.kubernetes.api.model.events.v1.Event;
import io.fabric8.kubernetes.api.model.events.v1.EventBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.ipmasq.profile.ConfigMapRef;
import org.jspecify.annotations.Nullable;

/**
 * Writes Events, once for the whole fleet: waits a random time up to five seconds, looks whether the Event exists already,
 * and only then creates it.
 */
final class EventWriter implements Consumer<List<ConfigEvent>>, AutoCloseable {
    private static final int HTTP_CONFLICT = 409;

    /** With waits of up to a minute, an API server that restarts, or a node that is cut off for some minutes. */
    private static final int MOST_TRIES = 12;

    private static final int MOST_DOUBLINGS = 6;
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'");

    private final KubernetesClient client;
    private final String instance;
    private final Clock clock;
    private final long spreadMillis;
    private final Consumer<Optional<String>> issue;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(
            task -> Thread.ofPlatform().daemon().name("events").unstarted(task));
    private @Nullable ScheduledFuture<?> pending;

    /**
     * @param instance who reports: the node's name
     * @param spreadMillis longest random wait
     * @param issue gets the reason why an Event could not be written; empty when one was written
     */
    EventWriter(
            KubernetesClient client,
            String instance,
            Clock clock,
            long spreadMillis,
            Consumer<Optional<String>> issue) {
        this.client = client;
        this.instance = instance;
        this.clock = clock;
        this.spreadMillis = spreadMillis;
        this.issue = issue;
    }

    @Override
    public synchronized void accept(List<ConfigEvent> events) {
        ScheduledFuture<?> older = pending;
        if (older != null) {
            // about a state that is gone
            older.cancel(false);
        }
        // nothing left to write, so no Event is missing; reported from the thread, since this is inside a pass
        later(events.isEmpty() ? () -> issue.accept(Optional.empty()) : () -> write(events, 1), 0);
    }

    private synchronized void later(Runnable work, long millis) {
        if (thread.isShutdown()) {
            return;
        }
        long wait = millis + ThreadLocalRandom.current().nextLong(spreadMillis + 1);
        pending = thread.schedule(work, wait, TimeUnit.MILLISECONDS);
    }

    private void write(List<ConfigEvent> events, int tried) {
        try {
            events.forEach(this::write);
            issue.accept(Optional.empty());
        } catch (RuntimeException | Error e) {
            // the executor would hide what its task throws
            issue.accept(Optional.of("an Event about the configuration could not be written: "
                    + (e instanceof KubernetesClientException ? ApiProblem.withCause(e) : e)));
            // a refusal stays one until somebody changes the Role
            boolean refused = e instanceof KubernetesClientException refusal
                    && (refusal.getCode() == 401 || refusal.getCode() == 403);
            if (!refused && tried < MOST_TRIES) {
                later(() -> write(events, tried + 1), spreadMillis / 5 << Math.min(tried, MOST_DOUBLINGS));
            }
        }
    }

    private void write(ConfigEvent event) {
        ConfigMapRef about = event.about();
        var events = client.events().v1().events().inNamespace(about.namespace());
        if (events.withName(event.name()).get() != null) {
            return;
        }
        try {
            events.resource(event(event)).create();
        } catch (KubernetesClientException e) {
            // another agent was quicker: the Event exists
            if (e.getCode() != HTTP_CONFLICT) {
                throw e;
            }
        }
    }

    private Event event(ConfigEvent event) {
        ConfigMapRef about = event.about();
        return new EventBuilder()
                .withNewMetadata()
                .withName(event.name())
                .withNamespace(about.namespace())
                .endMetadata()
                .withEventTime(new MicroTime(MICROS.format(clock.instant().atOffset(ZoneOffset.UTC))))
                .withReportingController("ip-masq-agent")
                .withReportingInstance(instance)
                .withAction("Validate")
                .withReason(event.reason())
                .withType(event.warning() ? "Warning" : "Normal")
                .withNote(event.note())
                .withRegarding(new ObjectReferenceBuilder()
                        .withApiVersion("v1")
                        .withKind("ConfigMap")
                        .withNamespace(about.namespace())
                        .withName(about.name())
                        .withUid(event.version().uid())
                        .withResourceVersion(event.version().resourceVersion())
                        .build())
                .build();
    }

    @Override
    public synchronized void close() {
        thread.shutdownNow();
    }
}
