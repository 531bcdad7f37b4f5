package net.ipmasq.bundle.archive;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;

/**
 * What {@code lookup} in a template sees: a cluster on loopback with nothing in it. The helm command gives an empty
 * answer by itself when it only renders; helm-java 0.0.15 asks the cluster of the kubeconfig and fails where it finds none.
 */
final class EmptyCluster implements AutoCloseable {
    private static final String NOT_FOUND =
            "{\"kind\": \"Status\", \"apiVersion\": \"v1\", \"status\": \"Failure\", \"reason\": \"NotFound\", \"code\": 404}";
    private static final String KINDS = """
            {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
             {"name": "configmaps", "singularName": "", "namespaced": true, "kind": "ConfigMap", "verbs": ["get"]},
             {"name": "secrets", "singularName": "", "namespaced": true, "kind": "Secret", "verbs": ["get"]},
             {"name": "namespaces", "singularName": "", "namespaced": false, "kind": "Namespace", "verbs": ["get"]}]}""";

    private final HttpServer server;

    private EmptyCluster(HttpServer server) {
        this.server = server;
    }

    static EmptyCluster start() throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", EmptyCluster::answer);
        // its threads are daemons if the thread that starts it is one; they must not keep a command alive
        Thread starter = Thread.ofPlatform().daemon().start(server::start);
        try {
            starter.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return new EmptyCluster(server);
    }

    /** The kubeconfig that leads to it. */
    String kubeconfig() {
        return """
                apiVersion: v1
                kind: Config
                clusters: [{name: none, cluster: {server: "http://127.0.0.1:%d"}}]
                contexts: [{name: none, context: {cluster: none, user: none}}]
                users: [{name: none, user: {token: none}}]
                current-context: none
                """.formatted(server.getAddress().getPort());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        boolean kinds = exchange.getRequestURI().getPath().equals("/api/v1");
        byte[] body = (kinds ? KINDS : NOT_FOUND).getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(kinds ? 200 : 404, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
