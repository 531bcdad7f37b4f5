package net.ipmasq.app;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.enterprise.inject.Instance;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.agent.kube.Cluster;
import net.ipmasq.observe.NodeDescription;
import org.jspecify.annotations.Nullable;

/** Connects to the API once the framework is up, where the settings ask for it; no client is made otherwise. */
@Singleton
public class ClusterConnection implements NodeDescription {
    private final AgentContext context;
    private final Instance<KubernetesClient> client;
    private final SteadyClock clock;
    private volatile @Nullable Cluster cluster;

    @Inject
    ClusterConnection(AgentContext context, Instance<KubernetesClient> client, SteadyClock clock) {
        this.context = context;
        this.client = client;
        this.clock = clock;
    }

    void start(@Observes StartupEvent event) {
        context.cluster()
                .ifPresent(inputs ->
                        cluster = Cluster.connect(inputs, client.get(), context.loop(), context.settings(), clock));
    }

    void stop(@Observes ShutdownEvent event) throws Exception {
        Cluster connected = cluster;
        if (connected != null) {
            connected.close();
        }
    }

    @Override
    public Optional<Map<String, Object>> node() {
        Cluster connected = cluster;
        return connected == null ? Optional.empty() : connected.node();
    }
}
