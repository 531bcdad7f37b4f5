package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.management.ObjectName;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.FreePort;
import net.ipmasq.lab.Slow;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A real listener: a port that is taken for long, and clients that hold on, send too much or send anything else. */
class BoundedServerTest {
    private static final int HALF_OPEN = 1_000;

    /** More than the buffers of two sockets. */
    private static final Buffer LARGE = Buffer.buffer(new byte[8 << 20]);

    private final AtomicInteger handled = new AtomicInteger();
    private final Vertx vertx = Vertx.vertx();
    private final FreePort free = FreePort.reserve();
    private final List<Socket> sockets = new ArrayList<>();
    private final List<Optional<String>> reports = new CopyOnWriteArrayList<>();

    @AfterEach
    void close() throws IOException {
        for (Socket socket : sockets) {
            socket.close();
        }
        vertx.close().toCompletionStage().toCompletableFuture().join();
        free.close();
    }

    private void answer(HttpServerRequest request) {
        handled.incrementAndGet();
        request.response().end(request.path().equals("/large") ? LARGE : Buffer.buffer("ok"));
    }

    private void start(int port, Duration retry) {
        new BoundedServer(vertx, "127.0.0.1", port, this::answer, retry, reports::add).start();
    }

    private int listening() {
        start(free.number(), Duration.ofSeconds(2));
        Eventually.holds("listening", () -> reports, value -> value.contains(Optional.empty()));
        return free.number();
    }

    private Socket connect(int port) throws IOException {
        Socket socket = new Socket();
        // so that an answer that nobody reads does not fit into it
        socket.setReceiveBufferSize(4_096);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        socket.setSoTimeout(20_000);
        sockets.add(socket);
        return socket;
    }

    private Socket send(int port, String text) throws IOException {
        Socket socket = connect(port);
        socket.getOutputStream().write(text.getBytes(StandardCharsets.ISO_8859_1));
        return socket;
    }

    /** Until the server ends the connection. */
    private static String all(Socket socket) throws IOException {
        return new String(socket.getInputStream().readAllBytes(), StandardCharsets.ISO_8859_1);
    }

    private String probe(int port) {
        try (Socket socket = send(port, "GET /q/health/ready HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")) {
            return all(socket);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static long servers() throws Exception {
        Object histogram = ManagementFactory.getPlatformMBeanServer()
                .invoke(
                        new ObjectName("com.sun.management:type=DiagnosticCommand"),
                        "gcClassHistogram",
                        new Object[] {new String[0]},
                        new String[] {String[].class.getName()});
        return histogram
                .toString()
                .lines()
                .filter(line -> line.matches(".* io\\.vertx\\.core\\.http\\.impl\\.HttpServerImpl( .*)?"))
                .map(line -> line.strip().split("\\s+")[1])
                .mapToLong(Long::parseLong)
                .sum();
    }

    private static long descriptors() {
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd"))) {
            return files.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** As many tries as an agent makes in a quarter of an hour. */
    @Test
    void aTakenPortCostsNothingHoweverOftenItIsTried() throws Exception {
        try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            start(taken.getLocalPort(), Duration.ofMillis(1));
            Eventually.holds("tried", () -> reports.size(), value -> value > 20);
            long descriptors = descriptors();
            Eventually.holds("tried often", () -> reports.size(), value -> value > 450);
            assertThat(reports).allMatch(Optional::isPresent);
            assertThat(servers()).as("servers in memory").isLessThan(20);
            assertThat(descriptors()).as("open files").isLessThan(descriptors + 20);
            taken.close();
            Eventually.holds("its turn", () -> reports, value -> value.contains(Optional.empty()));
            assertThat(servers()).as("the one that listens").isPositive();
            assertThat(probe(taken.getLocalPort())).startsWith("HTTP/1.1 200").endsWith("ok");
        }
    }

    @Test
    void athousandHalfOpenConnectionsKeepNobodyOutAndGo() throws IOException {
        int port = listening();
        long before = descriptors();
        for (int i = 0; i < HALF_OPEN; i++) {
            Socket socket = i % 2 == 0 ? connect(port) : send(port, "GET /status HT");
            if (i % 100 == 0) {
                assertThat(probe(port)).startsWith("HTTP/1.1 200");
            }
            assertThat(socket.isConnected()).isTrue();
        }
        // both ends are in this process: what the server has let go of costs one descriptor, and not two
        Eventually.holds(
                "let go",
                () -> descriptors(),
                value -> value < before + HALF_OPEN + 2 * BoundedServer.MOST_CONNECTIONS);
        assertThat(probe(port)).startsWith("HTTP/1.1 200");
        assertThat(all(sockets.getFirst())).as("the first one was ended").isEmpty();
    }

    /** Their answers fill the buffers of both ends, so that ending them in good order would wait for the client. */
    @Slow
    @Test
    void clientsThatDoNotReadTheirAnswersGoToo() throws IOException {
        int port = listening();
        long before = descriptors();
        for (int i = 0; i < 3 * BoundedServer.MOST_CONNECTIONS; i++) {
            send(port, "GET /large HTTP/1.1\r\nHost: x\r\n\r\n");
        }
        assertThat(probe(port)).startsWith("HTTP/1.1 200");
        // each probe also wakes the thread that gives the descriptors back
        Eventually.passes("most are ended", () -> {
            assertThat(probe(port)).startsWith("HTTP/1.1 200");
            assertThat(descriptors()).isLessThan(before + 5L * BoundedServer.MOST_CONNECTIONS);
        });
    }

    @Test
    void tooLongALineAndTooManyHeadersAreRefused() throws IOException {
        int port = listening();
        assertThat(all(send(port, "GET /" + "x".repeat(20_000) + " HTTP/1.1\r\nHost: x\r\n\r\n")))
                .startsWith("HTTP/1.0 414");
        assertThat(all(send(port, "GET / HTTP/1.1\r\nHost: x\r\nX: " + "x".repeat(20_000) + "\r\n\r\n")))
                .startsWith("HTTP/1.1 431");
        assertThat(probe(port)).startsWith("HTTP/1.1 200");
    }

    /** The router would log an error with a stack for each. */
    @Test
    void whatIsNoRequestOfOursNeverReachesTheRouter() throws IOException {
        int port = listening();
        int before = handled.get();
        assertThat(all(send(port, "GET / HTTP/1.1\r\nConnection: close\r\n\r\n")))
                .startsWith("HTTP/1.1 400");
        assertThat(all(send(port, "GET / HTTP/1.1\r\nHost: a b:c\r\nConnection: close\r\n\r\n")))
                .startsWith("HTTP/1.1 400");
        assertThat(all(send(port, "GET /%zz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")))
                .startsWith("HTTP/1.1 404");
        assertThat(all(send(port, "no request at all\r\n\r\n"))).startsWith("HTTP/1.0 400");
        assertThat(handled).hasValue(before);
        assertThat(all(send(port, "GET / HTTP/1.0\r\n\r\n"))).as("has no Host").startsWith("HTTP/1.0 200");
        assertThat(all(send(port, "GET /q/metrics?name[]=a%20b HTTP/1.0\r\n\r\n")))
                .startsWith("HTTP/1.0 200");
        assertThat(handled).hasValue(before + 2);
    }

    @Test
    void whoKeepsTheConnectionIsAnsweredAgain() throws IOException {
        int port = listening();
        Socket socket = connect(port);
        AtomicInteger answers = new AtomicInteger();
        for (int i = 0; i < 100; i++) {
            socket.getOutputStream().write("GET / HTTP/1.1\r\nHost: x\r\n\r\n".getBytes(StandardCharsets.ISO_8859_1));
            assertThat(new String(socket.getInputStream().readNBytes(40), StandardCharsets.ISO_8859_1))
                    .startsWith("HTTP/1.1 200");
            answers.incrementAndGet();
        }
        assertThat(answers).hasValue(100);
    }
}
