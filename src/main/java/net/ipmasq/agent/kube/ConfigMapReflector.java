package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapList;
import io.fabric8.kubernetes.api.model.Status;
import io.fabric8.kubernetes.api.model.WatchEvent;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import net.ipmasq.agent.SourceReading;
import net.ipmasq.profile.ConfigMapRef;
import org.jspecify.annotations.Nullable;

/**
 * Follows one ConfigMap: lists it, and then watches from there. All of it in one thread of its own, so that
 * answers are taken in the server's order, and a problem begins and ends with the request that shows it.
 */
final class ConfigMapReflector {
    private static final Duration QUIET = Duration.ofSeconds(10);

    /** The server ends a watch after five to ten minutes, and the agent a little later: a connection can die unnoticed. */
    private static final long LIFE_SECONDS = 300;

    private static final Duration GRACE = Duration.ofSeconds(30);

    private final KubernetesClient client;
    private final ConfigMapRef ref;
    private final ConfigMapCache target;
    private final Runnable answered;
    private final Runnable issueChanged;
    private final BackOff.Pause pause;
    private final BackOff backOff = new BackOff(Duration.ofMillis(500), Duration.ofSeconds(16));
    private final Thread thread;
    private volatile Optional<String> issue = Optional.empty();
    private volatile boolean closed;
    /** Answers up to this version are known; without one, a list comes first. */
    private @Nullable String version;

    /** The last watch was refused for lack of the right, which stays a problem although lists are answered. */
    private boolean watchForbidden;

    /**
     * @param answered called from this thread when there is an answer, or another reason why there is none
     * @param issueChanged called from this thread when {@link #issue} may have changed
     */
    ConfigMapReflector(
            KubernetesClient client,
            ConfigMapRef ref,
            ConfigMapCache target,
            Runnable answered,
            Runnable issueChanged,
            BackOff.Pause pause) {
        this.client = client;
        this.ref = ref;
        this.target = target;
        this.answered = answered;
        this.issueChanged = issueChanged;
        this.pause = pause;
        this.thread = Thread.ofPlatform().daemon().name("follow-" + ref.name()).unstarted(this::follow);
    }

    void start() {
        thread.start();
    }

    /** What keeps the object from being followed; empty while nothing does. */
    Optional<String> issue() {
        return issue;
    }

    void close() {
        closed = true;
        thread.interrupt();
    }

    private void follow() {
        try {
            while (!closed) {
                if (!goesOn() && !closed) {
                    pause.pause(backOff.next());
                }
            }
        } catch (InterruptedException e) {
            // only by close
            Thread.currentThread().interrupt();
        }
    }

    /** One request, whatever its outcome; false if the next one must wait. */
    private boolean goesOn() throws InterruptedException {
        try {
            return step();
        } catch (RuntimeException | Error e) {
            // a pass runs here with all its listeners, and nobody would notice the end of this thread
            failed(e);
            return false;
        }
    }

    private boolean step() throws InterruptedException {
        String from = version;
        if (from == null) {
            list();
            return true;
        }
        try {
            return watch(from);
        } catch (KubernetesClientException e) {
            boolean forgotten = e.getCode() == HttpURLConnection.HTTP_GONE;
            watchForbidden = e.getCode() == HttpURLConnection.HTTP_FORBIDDEN;
            if (forgotten || watchForbidden) {
                // the server has dropped the changes after that version, or shows changes in lists only
                version = null;
            }
            if (forgotten) {
                return false;
            }
            throw e;
        }
    }

    private void list() {
        ConfigMapList list = client.configMaps()
                .inNamespace(ref.namespace())
                .withField("metadata.name", ref.name())
                .list();
        if (!watchForbidden) {
            over();
        }
        // no object in it means that there is none
        answered(list.getItems().stream().findFirst());
        version = list.getMetadata().getResourceVersion();
    }

    private boolean watch(String from) throws InterruptedException {
        Duration life =
                Duration.ofSeconds(LIFE_SECONDS + ThreadLocalRandom.current().nextLong(LIFE_SECONDS));
        try (WatchStream stream = WatchStream.open(client, ref, from, life)) {
            watchForbidden = false;
            over();
            Duration waited = Duration.ZERO;
            while (waited.compareTo(life.plus(GRACE)) < 0) {
                Optional<WatchStream.Frame> frame = stream.next(QUIET);
                if (frame.isEmpty()) {
                    waited = waited.plus(QUIET);
                } else if (frame.get() instanceof WatchStream.Frame.Line(String json)) {
                    if (!json.isBlank()) {
                        take(json);
                    }
                } else {
                    // broken or ended: the next try shows whether that is a problem
                    return false;
                }
                backOff.reset();
            }
            return true;
        }
    }

    private void take(String json) {
        WatchEvent event = client.getKubernetesSerialization().unmarshal(json, WatchEvent.class);
        if (event.getObject() instanceof Status status) {
            int code = status.getCode() == null ? 0 : status.getCode();
            throw new KubernetesClientException(status.getMessage(), code, status);
        }
        ConfigMap map = client.getKubernetesSerialization().convertValue(event.getObject(), ConfigMap.class);
        switch (event.getType()) {
            case "ADDED", "MODIFIED" -> answered(Optional.of(map));
            case "DELETED" -> answered(Optional.empty());
            // a bookmark, which only has a version
            default -> {}
        }
        version = map.getMetadata().getResourceVersion();
    }

    private void answered(Optional<ConfigMap> object) {
        target.answered(object.map(ConfigMapData::of)
                .<SourceReading<ConfigMapData>>map(SourceReading.Present::new)
                .orElseGet(() -> new SourceReading.Absent<>(true)));
        answered.run();
    }

    private void over() {
        issue = Optional.empty();
        issueChanged.run();
    }

    private void failed(Throwable problem) {
        if (closed) {
            return;
        }
        String why = "ConfigMap " + ref.namespace() + "/" + ref.name() + ": " + ApiProblem.why(problem);
        issue = Optional.of(why);
        try {
            boolean news = target.failed(why);
            issueChanged.run();
            if (news) {
                answered.run();
            }
        } catch (RuntimeException | Error e) {
            // a listener has failed, perhaps because memory is short: the next try reports it again
            problem.addSuppressed(e);
        }
    }
}
