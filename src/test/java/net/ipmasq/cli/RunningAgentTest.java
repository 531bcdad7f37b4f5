package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import net.ipmasq.agent.Settings;
import net.ipmasq.lab.Slow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code status} against whatever happens to listen on the agent's port. */
class RunningAgentTest {
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n";

    private interface Answering {
        void to(OutputStream client) throws IOException, InterruptedException;
    }

    private static RunningAgent.Answer ask(Answering server) throws IOException {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread.ofPlatform().daemon().start(() -> serve(socket, server));
            Map<String, String> flags = Map.of();
            return RunningAgent.ask(Settings.of(new SettingsLookup(
                    flags,
                    Map.of(
                            "IP_MASQ_HOST",
                            socket.getInetAddress().getHostAddress(),
                            "IP_MASQ_PORT",
                            String.valueOf(socket.getLocalPort())))));
        }
    }

    private static void serve(ServerSocket socket, Answering server) {
        try (Socket client = socket.accept()) {
            client.getInputStream().readNBytes(20);
            server.to(client.getOutputStream());
        } catch (IOException | InterruptedException e) {
            // the command hangs up when it has seen enough
            Thread.currentThread().interrupt();
        }
    }

    private static void write(OutputStream client, String text) throws IOException {
        client.write(text.getBytes(StandardCharsets.UTF_8));
        client.flush();
    }

    /** Who hangs, or is somebody else, is there: {@code status} does not say that nobody runs. */
    @Test
    void whoeverListensIsNotNobody() throws IOException {
        RunningAgent.Answer other = ask(client -> write(client, "HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n"));
        assertThat(((RunningAgent.Answer.None) other).why()).doesNotStartWith(RunningAgent.NOBODY);
    }

    @Test
    void eachFailureHasItsName() {
        String at = "agent.example:19180";
        assertThat(RunningAgent.why(at, new ConnectException("Connection refused")))
                .isEqualTo("no agent answers at " + at);
        assertThat(RunningAgent.why(at, new SocketTimeoutException("Connect timed out")))
                .isEqualTo("no connection to " + at + " was made within 5 s");
        assertThat(RunningAgent.why(at, new UnknownHostException("agent.example")))
                .isEqualTo("no address is known for the host of " + at);
        assertThat(RunningAgent.why(at, new SocketException("Connection reset")))
                .isEqualTo("asking " + at + " failed: Connection reset");
    }

    @Test
    void anAgentIsHeard() throws IOException {
        String status = "{\"version\":\"1\",\"inSync\":true,\"config\":{},\"families\":{}}";
        assertThat(ask(client -> write(client, OK + status))).isInstanceOf(RunningAgent.Answer.Status.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u0000garbage\r\n\r\n",
                OK,
                OK + "<html>",
                OK + "{}",
                OK + "{\"families\":[1],\"inSync\":\"x\"}",
                OK + "{\"version\":\"1\",\"inSync\":true,\"config\":3,\"families\":{}}",
                OK + "{\"families\": 99999999999999999999999999}",
                OK + "{\"families\": {",
                "HTTP/1.1 404 Not Found\r\n\r\n",
                "HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\n\r\n"
            })
    void otherProgramsAreNot(String answer) throws IOException {
        assertThat(ask(client -> write(client, answer))).isInstanceOf(RunningAgent.Answer.None.class);
    }

    @Test
    void anAnswerWithoutEndCostsNoMemory() throws IOException {
        String piece = "x".repeat(1 << 20);
        assertThat(ask(client -> {
                    write(client, OK + "{\"families\":\"");
                    for (int i = 0; i < 4_000; i++) {
                        write(client, piece);
                    }
                }))
                .isInstanceOfSatisfying(
                        RunningAgent.Answer.None.class,
                        none -> assertThat(none.why()).endsWith("answered with more than 16 MiB"));
    }

    @Slow
    @Test
    void anAnswerThatTricklesIsGivenUp() throws IOException {
        assertThat(ask(client -> {
                    write(client, OK);
                    for (int i = 0; i < 120; i++) {
                        write(client, " ");
                        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(250));
                    }
                }))
                .isInstanceOfSatisfying(
                        RunningAgent.Answer.None.class,
                        none -> assertThat(none.why()).contains("within 10 s"));
    }
}
