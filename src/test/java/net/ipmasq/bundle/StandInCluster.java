package net.ipmasq.bundle;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicReference;

/**
 * The cluster that {@code lookup} in a template sees, with nothing but the user's ConfigMap, or without it.
 */
public final class StandInCluster {
    private static final String CONFIG_MAP = "/api/v1/namespaces/kube-system/configmaps/cce-ip-masq-agent";
    private static final AtomicReference<String> FOUND = new AtomicReference<>("");

    private StandInCluster() {}

    /** Starts it. Returns the kubeconfig that leads to it. */
    public static Path start() {
        try {
            HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
            server.createContext("/", StandInCluster::answer);
            Thread starter = new Thread(server::start);
            starter.setDaemon(true);
            starter.start();
            Path kubeconfig = Files.createTempFile("kubeconfig", ".yaml");
            kubeconfig.toFile().deleteOnExit();
            Files.writeString(kubeconfig, """
                    apiVersion: v1
                    kind: Config
                    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
                    contexts: [{name: c, context: {cluster: c, user: u}}]
                    users: [{name: u, user: {token: none}}]
                    current-context: c
                    """.formatted(server.getAddress().getPort()));
            return kubeconfig;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** From now on the ConfigMap is there, with a user's text. */
    public static void hasConfigMap() {
        FOUND.set("""
                {"apiVersion": "v1", "kind": "ConfigMap", "data": {"config": "masqOutBound: false"},
                 "metadata": {"name": "cce-ip-masq-agent", "namespace": "kube-system", "uid": "1"}}""");
    }

    public static void hasNone() {
        FOUND.set("");
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String found = FOUND.get();
        if (path.equals("/api/v1")) {
            send(exchange, 200, """
                    {"kind": "APIResourceList", "groupVersion": "v1", "resources": [
                     {"name": "configmaps", "singularName": "", "namespaced": true, "kind": "ConfigMap", "verbs": ["get"]}]}""");
        } else if (path.equals(CONFIG_MAP) && !found.isEmpty()) {
            send(exchange, 200, found);
        } else {
            send(exchange, 404, """
                    {"kind": "Status", "apiVersion": "v1", "status": "Failure", "reason": "NotFound", "code": 404}""");
        }
    }

    private static void send(HttpExchange exchange, int code, String json) throws IOException {
        byte[] body = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }
}
