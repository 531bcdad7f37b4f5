package net.ipmasq.bundle.cluster.uninstall;

import io.fabric8.kubernetes.api.model.DeletionPropagation;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.apps.DaemonSetStatus;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import net.ipmasq.json.JsonReader;

/**
 * Ends the agents, since a running one would bring its rules back, and then has every node cleaned. Can be repeated at any
 * point: it goes on where it was.
 */
public final class FleetCleanup {
    private final CleanupView cluster;
    private final Clock clock;
    private final Pause pause;
    private final Consumer<String> progress;
    private final CleanupProgress come = new CleanupProgress();
    private String lastSaid = "";

    /** Waits a little before looking again. */
    @FunctionalInterface
    public interface Pause {
        void pause() throws InterruptedException;
    }

    /** How it ended. */
    public sealed interface Result {
        /** On every node. */
        record Clean(int nodes) implements Result {}

        /** Not on these; the DaemonSet that cleans stays, for nodes that come back. */
        record Left(Set<String> nodes) implements Result {}

        /** There is nothing to start from. */
        record Impossible(String why) implements Result {}
    }

    /**
     * A clean-up that has not begun.
     *
     * @param progress gets a line whenever something has changed
     */
    public FleetCleanup(
            KubernetesClient client, String namespace, Clock clock, Pause pause, Consumer<String> progress) {
        this.cluster = new CleanupView(client, namespace);
        this.clock = clock;
        this.pause = pause;
        this.progress = progress;
    }

    /**
     * Does it all, or gives up after {@code limit}.
     *
     * @throws InterruptedException if the thread is interrupted while it waits
     */
    public Result run(Duration limit) throws InterruptedException {
        Instant start = clock.instant();
        DaemonSet agent = cluster.daemonSet(CleanupPods.AGENT).get();
        if (agent != null
                && !CleanupPods.AGENT_LABELS.equals(
                        agent.getSpec().getSelector().getMatchLabels())) {
            return new Result.Impossible("the DaemonSet " + CleanupPods.AGENT + " belongs to another agent");
        }
        boolean live = agent != null && agent.getMetadata().getDeletionTimestamp() == null;
        // pods of an earlier clean-up have done their work before this agent wrote its rules, and would not do it again
        if (live && !removed(start.plus(limit))) {
            return new Result.Left(cluster.left());
        }
        if (cluster.daemonSet(CleanupPods.NAME).get() == null) {
            if (agent == null) {
                return new Result.Impossible(
                        "there is no DaemonSet " + CleanupPods.AGENT + " to take image and nodes from");
            }
            cluster.client().resource(CleanupPods.of(agent)).create();
        }
        // a node that does not answer keeps its pod; half of the time is for those that do
        Set<String> unstopped = stop(start.plus(limit.dividedBy(2)));
        release(unstopped);
        boolean done = await(start.plus(limit), this::cleaned);
        Set<String> left = cluster.left();
        // an agent that was there meanwhile can have brought back what was cleaned
        left.addAll(unstopped);
        if (!done || !left.isEmpty()) {
            return new Result.Left(left);
        }
        DaemonSet cleaning = cluster.daemonSet(CleanupPods.NAME).get();
        int nodes = cleaning == null ? 0 : desired(status(cleaning));
        cluster.daemonSet(CleanupPods.NAME)
                .withPropagationPolicy(DeletionPropagation.BACKGROUND)
                .delete();
        return new Result.Clean(nodes);
    }

    /** Takes an earlier clean-up away, pods included; false if that did not end in time. */
    private boolean removed(Instant deadline) throws InterruptedException {
        if (cluster.daemonSet(CleanupPods.NAME).get() == null) {
            return true;
        }
        cluster.daemonSet(CleanupPods.NAME)
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
        return await(deadline, () -> {
            say("waiting for an earlier clean-up to be gone");
            return cluster.daemonSet(CleanupPods.NAME).get() == null;
        });
    }

    /** Ends the agents; the nodes where that did not succeed in time. */
    private Set<String> stop(Instant deadline) throws InterruptedException {
        cluster.daemonSet(CleanupPods.AGENT)
                .withPropagationPolicy(DeletionPropagation.FOREGROUND)
                .delete();
        await(deadline, () -> {
            long running = cluster.pods(CleanupPods.AGENT_LABELS).count();
            say("agents still there: " + running);
            return running == 0 && cluster.daemonSet(CleanupPods.AGENT).get() == null;
        });
        return cluster.agentNodes();
    }

    /**
     * Lets the pods that clean onto the nodes that the agent was on.
     *
     * @param unstopped where an agent is still; those are to be cleaned again when it is gone
     */
    private void release(Set<String> unstopped) {
        cluster.daemonSet(CleanupPods.NAME).edit(cleaning -> {
            CleanupPods.release(cleaning, nodes(cleaning), unstopped, clock.instant());
            return cleaning;
        });
    }

    private static Map<String, String> nodes(DaemonSet cleaning) {
        String text = cleaning.getMetadata().getAnnotations() == null
                ? "{}"
                : cleaning.getMetadata().getAnnotations().getOrDefault(CleanupPods.NODES, "{}");
        try {
            return new HashMap<>(JsonReader.strings(text));
        } catch (IOException e) {
            throw new IllegalStateException("annotation " + CleanupPods.NODES + " was changed to " + text, e);
        }
    }

    private boolean cleaned() {
        DaemonSet cleaning = cluster.daemonSet(CleanupPods.NAME).get();
        if (cleaning == null) {
            return false;
        }
        DaemonSetStatus status = status(cleaning);
        long seen = Objects.requireNonNullElse(status.getObservedGeneration(), 0L);
        // numbers about an older generation would say that no node is left
        if (seen < cleaning.getMetadata().getGeneration()) {
            say("waiting for the DaemonSet controller");
            return false;
        }
        int nodes = desired(status);
        long clean = cluster.pods(CleanupPods.LABELS)
                .filter(pod -> CleanupProgress.hasCleaned(pod, cleaning))
                .count();
        come.news(clean, nodes).ifPresent(this::say);
        return clean >= nodes
                && Objects.requireNonNullElse(status.getNumberReady(), 0) == nodes
                && Objects.requireNonNullElse(status.getUpdatedNumberScheduled(), 0) == nodes;
    }

    private static DaemonSetStatus status(DaemonSet daemonSet) {
        return Objects.requireNonNullElseGet(daemonSet.getStatus(), DaemonSetStatus::new);
    }

    private static int desired(DaemonSetStatus status) {
        return Objects.requireNonNullElse(status.getDesiredNumberScheduled(), 0);
    }

    private boolean await(Instant deadline, BooleanSupplier condition) throws InterruptedException {
        while (!condition.getAsBoolean()) {
            if (!clock.instant().isBefore(deadline)) {
                return false;
            }
            pause.pause();
        }
        return true;
    }

    private void say(String line) {
        if (!line.equals(lastSaid)) {
            lastSaid = line;
            progress.accept(line);
        }
    }
}
