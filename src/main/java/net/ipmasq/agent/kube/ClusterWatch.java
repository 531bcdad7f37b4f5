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
    private final Consumer<Optional<String>> issueChanged;
    private final BackOff.Pause pause;
    private final List<ConfigMapReflector> all = new CopyOnWriteArrayList<>();
    private final Object reporting = new Object();
    private Optional<String> reported = Optional.empty();

    /**
     * @param changed called after every answer, from a thread of the watch
     * @param issueChanged gets {@link #issue} whenever it changes, in order, from a thread of the watch
     */
    ClusterWatch(
            KubernetesClient client, Runnable changed, Consumer<Optional<String>> issueChanged, BackOff.Pause pause) {
        this.client = client;
        this.changed = changed;
        this.issueChanged = issueChanged;
        this.pause = pause;
    }

    /** Starts to follow one object. */
    void follow(ConfigMapRef ref, ConfigMapCache target) {
        ConfigMapReflector reflector = new ConfigMapReflector(client, ref, target, changed, this::report, pause);
        all.add(reflector);
        reflector.start();
    }

    /** What keeps the API from being followed now; empty while nothing does. */
    Optional<String> issue() {
        return all.stream().flatMap(one -> one.issue().stream()).findFirst();
    }

    /** Reads and reports in one step, so that the last report is true whichever thread was quicker. */
    private void report() {
        synchronized (reporting) {
            Optional<String> now = issue();
            if (!now.equals(reported)) {
                issueChanged.accept(now);
                reported = now;
            }
        }
    }

    @Override
    public void close() {
        all.forEach(ConfigMapReflector::close);
    }
}
