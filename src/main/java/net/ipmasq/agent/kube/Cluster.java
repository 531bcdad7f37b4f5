package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.Settings;

/** The running agent's connection to the cluster: watches, Events, what is known of the node. */
public final class Cluster implements AutoCloseable {
    private static final long SPREAD_MILLIS = 5_000;

    private final ClusterInputs inputs;
    private final Supplier<KubernetesClient> client;
    private final AgentLoop loop;
    private final Settings settings;
    private final Clock clock;
    private final BackOff.Pause pause;
    private final Thread thread;
    private final Deque<Runnable> open = new ArrayDeque<>();
    private volatile Map<String, Object> node = Map.of();
    private boolean closed;

    Cluster(
            ClusterInputs inputs,
            Supplier<KubernetesClient> client,
            AgentLoop loop,
            Settings settings,
            Clock clock,
            BackOff.Pause pause) {
        this.inputs = inputs;
        this.client = client;
        this.loop = loop;
        this.settings = settings;
        this.clock = clock;
        this.pause = pause;
        this.thread = Thread.ofPlatform().daemon().name("cluster").unstarted(this::live);
    }

    /**
     * Connects the inputs that the first pass was made with. Returns at once; failures are retried for ever.
     *
     * @param clock limits how many Events are written; Events bear the time of day
     * @param client makes a client; called again later when it throws, since what it lacks can appear
     */
    public static Cluster connect(
            ClusterInputs inputs, Supplier<KubernetesClient> client, AgentLoop loop, Settings settings, Clock clock) {
        return new Cluster(inputs, client, loop, settings, clock, Thread::sleep).start();
    }

    Cluster start() {
        thread.start();
        return this;
    }

    private void live() {
        try {
            BackOff backOff = new BackOff(Duration.ofSeconds(1), Duration.ofMinutes(1));
            Optional<KubernetesClient> connected = connected();
            while (connected.isEmpty()) {
                pause.pause(backOff.next());
                connected = connected();
            }
            if (!settings.nodeName().isEmpty()) {
                NodeLookup.follow(connected.get(), settings.nodeName(), pause, description -> node = description);
            }
        } catch (InterruptedException e) {
            // only by close
            Thread.currentThread().interrupt();
        }
    }

    private Optional<KubernetesClient> connected() {
        try {
            KubernetesClient made = client.get();
            follow(made);
            return Optional.of(made);
        } catch (RuntimeException | Error e) {
            // no reason to end an agent that keeps its rules: a kubeconfig can be corrected while it runs
            closeAll();
            inputs.unreachable(loop, e);
            return Optional.empty();
        }
    }

    private synchronized void follow(KubernetesClient made) {
        open.push(made::close);
        if (closed) {
            closeAll();
            return;
        }
        inputs.reachable(loop);
        String instance = settings.nodeName().isEmpty() ? "unknown-node" : settings.nodeName();
        EventWriter events = new EventWriter(
                made, instance, Clock.systemUTC(), SPREAD_MILLIS, issue -> loop.report("EventNotWritten", issue));
        open.push(events::close);
        loop.onPass(new EventPolicy(inputs.configRef(), clock, events));
        open.push(inputs.connect(made, loop)::close);
    }

    /** What the API reports of this node; empty until it has answered, or without a node name. */
    public Optional<Map<String, Object>> node() {
        return Optional.of(node).filter(description -> !description.isEmpty());
    }

    @Override
    public void close() {
        thread.interrupt();
        synchronized (this) {
            closed = true;
            closeAll();
        }
    }

    private synchronized void closeAll() {
        while (!open.isEmpty()) {
            open.pop().run();
        }
    }
}
