package net.ipmasq.app;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.ConfigSource.Version;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.kube.Cluster;
import net.ipmasq.agent.kube.ClusterInputs;
import net.ipmasq.dataplane.InMemoryDataplane;

/**
 * Many agents in one process, each with a client, watches, a kernel in memory and a state of its own: the main class of
 * {@link FleetIT}'s process. After every pass it prints {@code NUMBER OUTCOME RESOURCE-VERSION}. It ends with its
 * standard input.
 */
final class FleetAgents {
    private FleetAgents() {}

    /** Arguments: kubeconfig, directory for states, number of agents. */
    public static void main(String[] args) throws Exception {
        Config config = Config.fromKubeconfig(Files.readString(Path.of(args[0])));
        for (int number = 0; number < Integer.parseInt(args[2]); number++) {
            start(number, config, Path.of(args[1]).resolve(String.valueOf(number)));
        }
        System.in.transferTo(java.io.OutputStream.nullOutputStream());
        // clients have threads that would go on
        Runtime.getRuntime().halt(0);
    }

    private static void start(int number, Config config, Path state) {
        KubernetesClient client =
                new KubernetesClientBuilder().withConfig(config).build();
        Settings settings = Settings.of(name -> Optional.ofNullable(
                switch (name) {
                    case "source" -> "kubernetes";
                    case "node-name" -> "node-" + number;
                    default -> null;
                }));
        StateStore store = new StateStore(state);
        Clock clock = Clock.systemUTC();
        ClusterInputs inputs = new ClusterInputs(settings, store, Profiles.named(settings.profile()));
        AgentLoop loop = new AgentLoop(new Reconciler(
                new InMemoryDataplane(),
                inputs.config(),
                inputs.profile(),
                Profiles.of(settings),
                store,
                clock,
                clock.instant()));
        loop.onPass((before, after) -> System.out.println(number + " "
                + after.config().outcome().getClass().getSimpleName() + " "
                + after.config().version().map(Version::resourceVersion).orElse("-")));
        loop.pass();
        Cluster.connect(inputs, () -> client, loop, settings, clock);
    }
}
