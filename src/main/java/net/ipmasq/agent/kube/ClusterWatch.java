package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import net.ipmasq.profile.ConfigMapRef;

/**
 * Follows single ConfigMaps by list and watch with their names, which is all that a Role with resourceNames allows. Lost
 * connections, expired watches and refusals are retried for ever; the last answer stays in use meanwhile.
 */
final class ClusterWatch implements AutoCloseable {
    private final KubernetesClient client;
    private final Runnable changed;
    private final Consumer<Optional<String>> explained;
    private final BackOff.Pause pause;
    private final List<ConfigMapReflector> all = new CopyOnWriteArrayList<>();
    private final Object telling = new Object();
    private Optional<String> told = Optional.empty();

    /**
     * @param changed called after every answer, from a thread of the watch
     * @param explained gets {@link #issue} whenever it changes, in order, from a thread of the watch
     */
    ClusterWatch(KubernetesClient client, Runnable changed, Consumer<Optional<String>> explained, BackOff.Pause pause) {
        this.client = client;
        this.changed = changed;
        this.explained = explained;
        this.pause = pause;
    }

    /** Starts to follow one object. */
    void follow(ConfigMapRef ref, ConfigMapCache target) {
        ConfigMapReflector.Listener listener = new ConfigMapReflector.Listener() {
            @Override
            public void answered() {
                changed.run();
            }

            @Override
            public void issue() {
                tell();
            }
        };
        ConfigMapReflector follower = new ConfigMapReflector(client, ref, target, listener, pause);
        all.add(follower);
        follower.start();
    }

    /** What keeps the API from being followed now; empty while nothing does. */
    Optional<String> issue() {
        return all.stream().flatMap(one -> one.issue().stream()).findFirst();
    }

    /** Reads and reports in one step, so that the last report is true whichever thread was quicker. */
    private void tell() {
        synchronized (telling) {
            Optional<String> now = issue();
            if (!now.equals(told)) {
                explained.accept(now);
                told = now;
            }
        }
    }

    @Override
    public void close() {
        all.forEach(ConfigMapReflector::close);
    }
}
