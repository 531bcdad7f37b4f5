package net.ipmasq.agent.kube;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import net.ipmasq.profile.ConfigMapRef;
import org.jspecify.annotations.Nullable;

/**
 * One watch of one ConfigMap as kubectl makes it, a response that does not end. The client's own watch (7.5) tries a web
 * socket first and does not report whether a watch is established; here the server's status line does.
 */
final class WatchStream implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(15);

    /** An object has 1.5 MiB at most in etcd; written as JSON it can be several times that. */
    private static final int MOST_BYTES = 16 << 20;

    /** Frames that may wait to be taken; beyond that, the connection is not read until one is. */
    private static final int MOST_WAITING = 4;

    private final BlockingQueue<Frame> frames = new LinkedBlockingQueue<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();
    private final AsyncBody body;
    private @Nullable AsyncBody held;

    /** What the server sends. */
    sealed interface Frame {
        /** One event as JSON. */
        record Line(String json) implements Frame {}

        /** Nothing more; empty if the server ended it. */
        record End(Optional<Throwable> problem) implements Frame {}
    }

    private WatchStream(KubernetesClient client, URI uri) throws InterruptedException {
        HttpRequest request = client.getHttpClient()
                .newHttpRequestBuilder()
                .uri(uri)
                .forStreaming()
                .build();
        CompletableFuture<HttpResponse<AsyncBody>> call =
                client.getHttpClient().consumeBytes(request, (buffers, more) -> take(buffers, more));
        HttpResponse<AsyncBody> response = answer(call);
        body = response.body();
        if (!response.isSuccessful()) {
            body.cancel();
            throw new KubernetesClientException("the watch was refused", response.code(), null);
        }
        var _ = body.done().whenComplete((done, problem) -> frames.add(new Frame.End(Optional.ofNullable(problem))));
        body.consume();
    }

    /**
     * Opens a watch; it is established when this returns.
     *
     * @param version where to begin: this version and those before it are known
     * @param life after which the server ends it
     * @throws KubernetesClientException if it is refused, or there is no answer
     */
    static WatchStream open(KubernetesClient client, ConfigMapRef ref, String version, Duration life)
            throws InterruptedException {
        String base = client.getMasterUrl().toString();
        return new WatchStream(
                client,
                URI.create(base + (base.endsWith("/") ? "" : "/") + "api/v1/namespaces/" + ref.namespace()
                        + "/configmaps?fieldSelector=" + encode("metadata.name=" + ref.name())
                        + "&watch=true&allowWatchBookmarks=true&resourceVersion=" + encode(version)
                        + "&timeoutSeconds=" + life.toSeconds()));
    }

    private static String encode(String value) {
        return URLEncoder.encode(value, StandardCharsets.UTF_8);
    }

    private static HttpResponse<AsyncBody> answer(CompletableFuture<HttpResponse<AsyncBody>> call)
            throws InterruptedException {
        boolean answered = false;
        try {
            HttpResponse<AsyncBody> response = call.get(ANSWER.toMillis(), TimeUnit.MILLISECONDS);
            answered = true;
            return response;
        } catch (ExecutionException e) {
            throw KubernetesClientException.launderThrowable(e.getCause());
        } catch (TimeoutException e) {
            throw new KubernetesClientException("no answer to a watch", e);
        } finally {
            if (!answered) {
                var _ = call.whenComplete((late, problem) -> {
                    if (late != null) {
                        late.body().cancel();
                    }
                });
                call.cancel(true);
            }
        }
    }

    private void take(List<ByteBuffer> buffers, AsyncBody more) {
        for (ByteBuffer buffer : buffers) {
            while (buffer.hasRemaining()) {
                byte next = buffer.get();
                if (next == '\n') {
                    frames.add(new Frame.Line(line.toString(StandardCharsets.UTF_8)));
                    line.reset();
                } else {
                    line.write(next);
                }
            }
        }
        if (line.size() > MOST_BYTES) {
            frames.add(new Frame.End(
                    Optional.of(new KubernetesClientException("an event has more than " + MOST_BYTES + " bytes"))));
            more.cancel();
        } else if (mayReadOn(more)) {
            more.consume();
        }
    }

    /** False while too much waits: edits that arrive while a pass hangs must not fill the heap. */
    private synchronized boolean mayReadOn(AsyncBody more) {
        held = frames.size() < MOST_WAITING ? null : more;
        return held == null;
    }

    private synchronized Optional<AsyncBody> letGo() {
        AsyncBody more = frames.size() < MOST_WAITING ? held : null;
        held = more == null ? held : null;
        return Optional.ofNullable(more);
    }

    /** The next that comes within that time. */
    Optional<Frame> next(Duration within) throws InterruptedException {
        Frame frame = frames.poll(within.toMillis(), TimeUnit.MILLISECONDS);
        letGo().ifPresent(AsyncBody::consume);
        return Optional.ofNullable(frame);
    }

    @Override
    public void close() {
        body.cancel();
    }
}
