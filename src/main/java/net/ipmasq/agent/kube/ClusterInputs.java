package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.ProfileSource;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.StateStore;
import net.ipmasq.profile.ConfigMapRef;
import net.ipmasq.profile.ProviderProfile;

/**
 * Configuration and profile from the cluster. Made before the first pass, when nothing has answered yet; {@link #connect}
 * comes later, with the framework's client.
 */
public final class ClusterInputs {
    private static final String REASON = "ApiUnreachable";

    private final ConfigMapRef configRef;
    private final ConfigMapRef profileRef;
    private final ConfigMapCache config;
    private final ConfigMapCache profile;
    private final ClusterConfig configSource;
    private final ClusterProfile profileSource;

    /**
     * Sources for these settings, which must be for the cluster.
     *
     * @param own the profile of the process, flags not yet applied
     */
    public ClusterInputs(Settings settings, StateStore store, ProviderProfile own) {
        configRef = own.configMap();
        profileRef = new ConfigMapRef(configRef.namespace(), configRef.name() + "-profile");
        config = new ConfigMapCache("ConfigMap " + configRef.namespace() + "/" + configRef.name());
        profile = new ConfigMapCache("ConfigMap " + profileRef.namespace() + "/" + profileRef.name());
        boolean mayFallBack = settings.source() == Settings.Source.AUTO;
        configSource = new ClusterConfig(
                config,
                configRef,
                mayFallBack ? Optional.of(new FileSource(settings.config(), settings.patience())) : Optional.empty(),
                store);
        profileSource =
                new ClusterProfile(profile, configSource, profileRef, own, settings.overrides(), store, mayFallBack);
    }

    public ConfigSource config() {
        return configSource;
    }

    public ProfileSource profile() {
        return profileSource;
    }

    /** The user's ConfigMap. */
    public ConfigMapRef configRef() {
        return configRef;
    }

    /** No client can be made: status and sources report why. */
    void unreachable(AgentLoop loop, Throwable problem) {
        String why = problem instanceof AccessException
                ? "no way to the API server: " + problem.getMessage()
                : "no client for the API server can be made: " + problem;
        config.failed(why);
        profile.failed(why);
        loop.report(REASON, Optional.of(why));
        loop.passIfNews();
    }

    /** A client could be made. */
    void reachable(AgentLoop loop) {
        loop.report(REASON, Optional.empty());
    }

    /**
     * Follows both ConfigMaps from now on.
     *
     * @return closes the watches
     */
    ClusterWatch connect(KubernetesClient client, AgentLoop loop) {
        ClusterWatch watch =
                new ClusterWatch(client, loop::passIfNews, issue -> loop.report(REASON, issue), Thread::sleep);
        watch.follow(configRef, config);
        watch.follow(profileRef, profile);
        return watch;
    }
}
