package net.ipmasq.app;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.utils.KubernetesSerialization;
import io.quarkus.arc.InjectableInstance;
import io.quarkus.arc.InstanceHandle;
import io.quarkus.runtime.ShutdownEvent;
import io.quarkus.runtime.StartupEvent;
import jakarta.enterprise.event.Observes;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.kube.ApiClient;
import net.ipmasq.agent.kube.Cluster;
import net.ipmasq.observe.NodeDescription;
import org.jspecify.annotations.Nullable;

/** Connects to the API once the framework is up, where the settings ask for it; no client is made otherwise. */
@Singleton
public class ClusterConnection implements NodeDescription {
    /**
     * The default retries for a minute before it reports that there is no answer. A connection that the server closed
     * before a request reached it is not reported; callers try again by themselves.
     */
    private static final int RETRIES = 2;

    private final AgentContext context;
    private final InjectableInstance<Config> config;
    private final InjectableInstance<KubernetesSerialization> serialization;
    private volatile @Nullable Cluster cluster;

    @Inject
    ClusterConnection(
            AgentContext context,
            InjectableInstance<Config> config,
            InjectableInstance<KubernetesSerialization> serialization) {
        this.context = context;
        this.config = config;
        this.serialization = serialization;
    }

    void start(@Observes StartupEvent event) {
        context.cluster()
                .ifPresent(inputs -> cluster =
                        Cluster.connect(inputs, this::client, context.loop(), context.settings(), context.clock()));
    }

    private KubernetesClient client() {
        InstanceHandle<Config> handle = config.getHandle();
        try {
            Config found = ApiClient.configured(Optional.empty(), handle::get);
            found.setRequestRetryBackoffLimit(RETRIES);
            return ApiClient.builder(found)
                    .withKubernetesSerialization(serialization.get())
                    .build();
        } finally {
            // made for this one client: the next try reads what leads to the cluster anew
            handle.destroy();
        }
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
