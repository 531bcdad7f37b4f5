package net.ipmasq.agent.kube;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientBuilder;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * ConfigMaps of one namespace as an API server serves them: list and watch with a name, versions, and what it does when
 * it is slow, down or unwilling, all in the test's hand. Other paths are what the test says of them.
 */
final class FakeApi implements AutoCloseable {
    /** Every request, as {@code list NAME}, {@code watch NAME} or {@code GET PATH}; {@code standing NAME} for a watch. */
    final BlockingQueue<String> requests = new LinkedBlockingQueue<>();

    private final Map<String, String> texts = new HashMap<>();
    private final Map<String, List<OutputStream>> watches = new HashMap<>();
    private final Map<String, Integer> refused = new HashMap<>();
    private final Map<String, String> bodies = new HashMap<>();
    private final Map<String, Semaphore> gates = new HashMap<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private HttpServer server;
    private int port;
    private int version = 1;

    static FakeApi start() {
        FakeApi api = new FakeApi();
        api.up();
        return api;
    }

    /** Takes requests, again where it did before. */
    synchronized void up() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        port = server.getAddress().getPort();
        server.setExecutor(threads);
        server.createContext("/", this::serve);
        server.start();
    }

    /** Takes no connection and breaks those that are. */
    synchronized void down() {
        watches.clear();
        server.stop(0);
    }

    Config config() {
        Config config = new ConfigBuilder(Config.empty())
                .withMasterUrl("http://127.0.0.1:" + port)
                .withNamespace("kube-system")
                .build();
        config.setRequestRetryBackoffLimit(1);
        return config;
    }

    KubernetesClient client() {
        return new KubernetesClientBuilder().withConfig(config()).build();
    }

    /** All requests of that kind, such as {@code watch}, are answered with that code; 200 ends it. */
    synchronized void refuse(String kind, int code) {
        refused.put(kind, code);
        watches.values().forEach(all -> all.forEach(FakeApi::end));
        watches.clear();
    }

    /** What all requests of that kind get from now on. */
    synchronized void answer(String kind, String body) {
        bodies.put(kind, body);
    }

    /** Requests of that kind wait, each until there is a permit. */
    synchronized Semaphore gate(String kind) {
        return gates.computeIfAbsent(kind, key -> new Semaphore(0));
    }

    synchronized void put(String name, String text) {
        String type = texts.containsKey(name) ? "MODIFIED" : "ADDED";
        version++;
        texts.put(name, text);
        send(name, type, object(name, text));
    }

    synchronized void delete(String name) {
        version++;
        send(name, "DELETED", object(name, texts.remove(name)));
    }

    /** What a watch says of a version that is forgotten. */
    synchronized void expire(String name) {
        send(name, "ERROR", "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"code\":410}");
    }

    private void send(String name, String type, String object) {
        String line = "{\"type\":\"" + type + "\",\"object\":" + object + "}\n";
        watches.getOrDefault(name, new ArrayList<>()).removeIf(out -> !write(out, line));
    }

    private String object(String name, String text) {
        return "{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"" + name
                + "\",\"namespace\":\"kube-system\",\"uid\":\"uid-" + name + "\",\"resourceVersion\":\"" + version
                + "\"},\"data\":{\"config\":\"" + text + "\"}}";
    }

    private void serve(HttpExchange exchange) throws IOException {
        String query = exchange.getRequestURI().getQuery() == null
                ? ""
                : exchange.getRequestURI().getQuery();
        String name = query.replaceFirst(".*metadata.name=([^&]*).*", "$1");
        String kind = !query.contains("metadata.name=") ? "GET" : query.contains("watch=true") ? "watch" : "list";
        // or the client would go on with a connection that down() breaks
        exchange.getResponseHeaders().add("Connection", "close");
        requests.add(kind + " " + (kind.equals("GET") ? exchange.getRequestURI().getPath() : name));
        Semaphore gate;
        synchronized (this) {
            gate = gates.get(kind);
        }
        if (gate != null) {
            gate.acquireUninterruptibly();
        }
        synchronized (this) {
            int code = refused.getOrDefault(kind, kind.equals("GET") ? 404 : 200);
            if (bodies.containsKey(kind)) {
                answer(exchange, 200, bodies.get(kind));
            } else if (code != 200) {
                answer(exchange, code, "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"code\":" + code + "}");
            } else if (kind.equals("watch")) {
                watch(exchange, name, query);
            } else {
                String items = texts.containsKey(name) ? object(name, texts.get(name)) : "";
                answer(
                        exchange,
                        200,
                        "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\""
                                + version + "\"},\"items\":[" + items + "]}");
            }
        }
    }

    private void watch(HttpExchange exchange, String name, String query) throws IOException {
        int from = Integer.parseInt(query.replaceFirst(".*resourceVersion=(\\d+).*", "$1"));
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(200, 0);
        OutputStream out = exchange.getResponseBody();
        out.flush();
        if (from < version && texts.containsKey(name)) {
            write(out, "{\"type\":\"MODIFIED\",\"object\":" + object(name, texts.get(name)) + "}\n");
        }
        watches.computeIfAbsent(name, key -> new ArrayList<>()).add(out);
        requests.add("standing " + name);
    }

    private static void answer(HttpExchange exchange, int code, String body) throws IOException {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(code, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    private static boolean write(OutputStream out, String line) {
        try {
            out.write(line.getBytes(StandardCharsets.UTF_8));
            out.flush();
            return true;
        } catch (IOException e) {
            // whoever watched has gone
            return false;
        }
    }

    private static void end(OutputStream out) {
        try {
            out.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits for a request. */
    void awaitRequest(String wanted) throws InterruptedException {
        for (String next = ""; !next.equals(wanted); ) {
            next = requests.poll(30, TimeUnit.SECONDS);
            if (next == null) {
                throw new AssertionError("never asked: " + wanted);
            }
        }
    }

    @Override
    public void close() {
        down();
        threads.shutdownNow();
    }
}
