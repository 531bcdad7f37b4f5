package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import net.ipmasq.agent.ConfigSource.Version;
import net.ipmasq.profile.ConfigMapRef;

/**
 * Follows single ConfigMaps through informers that list and watch by name, which is all that a Role with resourceNames
 * allows. Lost connections, expired watches and refusals are retried for ever; what was last said holds meanwhile.
 */
final class ClusterWatch implements AutoCloseable {
    /** The client does not say when the first watch cannot be made: longer than this without one is trouble. */
    private static final Duration WATCH_GRACE = Duration.ofSeconds(5);

    private final KubernetesClient client;
    private final Runnable changed;
    private final Consumer<Optional<String>> explained;
    private final List<One> all = new ArrayList<>();

    /**
     * @param changed called after every answer, from a thread of the client
     * @param explained gets {@link #trouble} when it has become clearer, from a thread of its own
     */
    ClusterWatch(KubernetesClient client, Runnable changed, Consumer<Optional<String>> explained) {
        this.client = client;
        this.changed = changed;
        this.explained = explained;
    }

    /** Starts to follow one object. */
    void follow(ConfigMapRef ref, Watched target) {
        One one = new One(ref, target);
        all.add(one);
        one.start();
    }

    /** What keeps the API from being followed now; empty while nothing does. */
    Optional<String> trouble() {
        return all.stream().flatMap(one -> one.trouble().stream()).findFirst();
    }

    @Override
    public void close() {
        all.forEach(one -> one.informer.close());
    }

    static Watched.Present present(ConfigMap map) {
        Map<String, byte[]> binary = new HashMap<>();
        if (map.getBinaryData() != null) {
            map.getBinaryData()
                    .forEach(
                            (key, base64) -> binary.put(key, Base64.getDecoder().decode(base64)));
        }
        return new Watched.Present(
                map.getData() == null ? Map.of() : map.getData(),
                binary,
                new Version(map.getMetadata().getUid(), map.getMetadata().getResourceVersion()));
    }

    private static String why(Throwable problem) {
        for (Throwable cause = problem; cause != null; cause = cause.getCause()) {
            if (cause instanceof KubernetesClientException refused && refused.getCode() != 0) {
                return switch (refused.getCode()) {
                    case 401 -> "the API server does not accept this agent's token (401)";
                    case 403 ->
                        "this agent's service account may not read it (403); the Role must allow get, list and watch";
                    default -> "the API server answered with " + refused.getCode() + ": " + refused.getMessage();
                };
            }
        }
        Throwable root = problem;
        while (root.getCause() != null) {
            root = root.getCause();
        }
        return "the API server is out of reach: " + root.getMessage();
    }

    private final class One implements ResourceEventHandler<ConfigMap> {
        private final ConfigMapRef ref;
        private final Watched target;
        private final SharedIndexInformer<ConfigMap> informer;
        private final AtomicBoolean asking = new AtomicBoolean();
        private volatile Optional<String> lastFailure = Optional.empty();
        private volatile boolean watched;
        private volatile long listed;

        One(ConfigMapRef ref, Watched target) {
            this.ref = ref;
            this.target = target;
            this.informer = client.configMaps()
                    .inNamespace(ref.namespace())
                    .withName(ref.name())
                    .runnableInformer(0)
                    .exceptionHandler((started, problem) -> {
                        failed(problem);
                        return true;
                    });
            informer.addEventHandler(this);
        }

        void start() {
            informer.start().whenComplete((done, problem) -> {
                if (problem != null) {
                    failed(problem);
                } else {
                    listed = System.nanoTime();
                    // the list has been answered: no object in it means that there is none
                    answer();
                }
            });
        }

        private void answer() {
            lastFailure = Optional.empty();
            List<ConfigMap> held = informer.getStore().list();
            target.answered(held.isEmpty() ? new Watched.Absent() : present(held.getFirst()));
            changed.run();
        }

        private void failed(Throwable problem) {
            String why = what() + ": " + why(problem);
            lastFailure = Optional.of(why);
            target.failed(why);
        }

        private String what() {
            return "ConfigMap " + ref.namespace() + "/" + ref.name();
        }

        Optional<String> trouble() {
            if (informer.isWatching()) {
                watched = true;
                lastFailure = Optional.empty();
                return Optional.empty();
            }
            boolean early = !informer.hasSynced() || System.nanoTime() - listed < WATCH_GRACE.toNanos();
            if (!watched && lastFailure.isEmpty() && early) {
                // between the first list and the watch: nothing has gone wrong yet
                return Optional.empty();
            }
            if (informer.hasSynced()) {
                ask();
            }
            return lastFailure.or(() -> Optional.of(what()
                    + ": the API server is out of reach or refuses the watch; what it said last stays in force"));
        }

        /**
         * The client makes a broken watch anew by itself and keeps to itself why it broke, so a plain read finds out.
         * Never in the caller's thread, which may be a pass.
         */
        private void ask() {
            if (asking.compareAndSet(false, true)) {
                Thread.ofPlatform().daemon().name("api-trouble").start(() -> {
                    try {
                        read();
                    } finally {
                        asking.set(false);
                    }
                });
            }
        }

        private void read() {
            Optional<String> before = lastFailure;
            try {
                client.configMaps()
                        .inNamespace(ref.namespace())
                        .withName(ref.name())
                        .get();
                lastFailure = Optional.empty();
            } catch (KubernetesClientException e) {
                failed(e);
            }
            if (!lastFailure.equals(before)) {
                explained.accept(ClusterWatch.this.trouble());
            }
        }

        // the store, not the event: it is never behind, while events of the first list can be
        @Override
        public void onAdd(ConfigMap map) {
            if (informer.hasSynced()) {
                answer();
            }
        }

        @Override
        public void onUpdate(ConfigMap before, ConfigMap after) {
            onAdd(after);
        }

        @Override
        public void onDelete(ConfigMap map, boolean unknown) {
            onAdd(map);
        }
    }
}
