package net.ipmasq.app;

import io.netty.channel.ChannelFuture;
import io.vertx.core.AbstractVerticle;
import io.vertx.core.Handler;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.impl.ConnectionBase;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/** A server that tries again until it has its port, and limits what its clients can take of the process. */
final class BoundedServer {
    /** Probes, a scraper or two, people: some ten. */
    static final int MOST_CONNECTIONS = 64;

    /** No path of ours has more than 30 characters, and no client of ours sends more than a few headers. */
    private static final int MOST_LINE = 2_048;

    /** None of ours needs an escape sequence. */
    private static final Pattern OUR_PATH = Pattern.compile("/[A-Za-z0-9/_.-]*");

    private static final int MOST_HEADERS = 8_192;
    private static final long SWEEP_MILLIS = 5_000;

    private final Vertx vertx;
    private final HttpServerOptions options;
    private final Handler<HttpServerRequest> handler;
    private final Duration retry;
    private final Consumer<Optional<String>> report;
    private final Connections<HttpConnection> connections =
            new Connections<>(MOST_CONNECTIONS, System::nanoTime, BoundedServer::end);

    /**
     * @param retry time from a failure to bind until the next try
     * @param report gets the reason after every failed try; empty once the port is bound
     */
    BoundedServer(
            Vertx vertx,
            String host,
            int port,
            Handler<HttpServerRequest> handler,
            Duration retry,
            Consumer<Optional<String>> report) {
        this.vertx = vertx;
        this.handler = handler;
        this.retry = retry;
        this.report = report;
        this.options = new HttpServerOptions()
                .setHost(host)
                .setPort(port)
                // with it a connection is reported at its first request only, and one that sends no request never
                .setHttp2ClearTextEnabled(false)
                .setMaxInitialLineLength(MOST_LINE)
                .setMaxHeaderSize(MOST_HEADERS);
    }

    void start() {
        vertx.setPeriodic(SWEEP_MILLIS, timer -> connections.sweep());
        listen();
    }

    /** In a verticle: vertx keeps a server that could not bind for as long as the verticle, or else the process, lives. */
    private void listen() {
        vertx.deployVerticle(new Listening())
                .onSuccess(bound -> report.accept(Optional.empty()))
                .onFailure(problem -> {
                    report.accept(Optional.of(String.valueOf(problem.getMessage())));
                    vertx.setTimer(retry.toMillis(), timer -> listen());
                });
    }

    private final class Listening extends AbstractVerticle {
        @Override
        public void start(Promise<Void> started) {
            vertx.createHttpServer(options)
                    .connectionHandler(BoundedServer.this::opened)
                    .requestHandler(BoundedServer.this::serve)
                    .listen()
                    .<Void>mapEmpty()
                    .onComplete(started);
        }
    }

    /** At once: vertx's own close waits until all is written, which a client that does not read can keep from happening. */
    private static void end(HttpConnection connection) {
        if (connection instanceof ConnectionBase base) {
            ChannelFuture _ = base.channel().close();
        } else {
            connection.close();
        }
    }

    private void opened(HttpConnection connection) {
        connection.closeHandler(gone -> connections.closed(connection));
        connections.opened(connection);
    }

    private void serve(HttpServerRequest request) {
        HttpConnection connection = request.connection();
        connections.asked(connection);
        request.response().endHandler(done -> connections.answered(connection));
        int refused = refused(request);
        if (refused == 0) {
            handler.handle(request);
        } else {
            request.response().setStatusCode(refused).end();
        }
    }

    /**
     * The status code that refuses a request without a host or for a path that we do not serve, else 0. The router would
     * log an error with a stack for each, and everybody who reaches the port could fill the log.
     */
    private static int refused(HttpServerRequest request) {
        boolean hostMissing = request.version() == HttpVersion.HTTP_1_1 && request.authority() == null;
        if (hostMissing) {
            return HttpURLConnection.HTTP_BAD_REQUEST;
        }
        String path = request.path();
        return path != null && OUR_PATH.matcher(path).matches() ? 0 : HttpURLConnection.HTTP_NOT_FOUND;
    }
}
