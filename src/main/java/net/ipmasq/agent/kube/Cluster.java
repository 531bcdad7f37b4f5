package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Clock;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.Settings;

/** The agent's side of the cluster while it runs: watches, Events, what is known of the node. */
public final class Cluster implements AutoCloseable {
    private static final long SPREAD_MILLIS = 5_000;

    private final AutoCloseable watch;
    private final EventWriter events;
    private volatile Map<String, Object> node = Map.of();

    private Cluster(AutoCloseable watch, EventWriter events) {
        this.watch = watch;
        this.events = events;
    }

    /**
     * Connects the inputs that the first pass was made with. Returns at once; everything is retried for ever.
     *
     * @param clock measures how often something is said; Events bear the time of day
     */
    public static Cluster connect(
            ClusterInputs inputs, KubernetesClient client, AgentLoop loop, Settings settings, Clock clock) {
        String instance = settings.nodeName().isEmpty() ? "unknown-node" : settings.nodeName();
        EventWriter events = new EventWriter(
                client, instance, Clock.systemUTC(), SPREAD_MILLIS, trouble -> loop.report("EventNotWritten", trouble));
        loop.onPass(new Answers(inputs.configRef(), clock, events));
        Cluster cluster = new Cluster(inputs.connect(client, loop), events);
        if (!settings.nodeName().isEmpty()) {
            Thread.ofPlatform()
                    .daemon()
                    .name("node-lookup")
                    .start(() -> cluster.node = NodeLookup.describe(client, settings.nodeName()));
        }
        return cluster;
    }

    /** What the API says of this node; empty until it has answered, or without a node name. */
    public Optional<Map<String, Object>> node() {
        return Optional.of(node).filter(description -> !description.isEmpty());
    }

    @Override
    public void close() throws Exception {
        events.close();
        watch.close();
    }
}
