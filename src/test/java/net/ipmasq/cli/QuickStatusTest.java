package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import net.ipmasq.agent.Settings;
import net.ipmasq.app.Assembly;
import net.ipmasq.lab.FreePort;
import net.ipmasq.lab.Slow;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A status that is asked for and copied, against agents and against whatever else listens on the port. */
class QuickStatusTest {
    private static final String OK = "HTTP/1.0 200 OK\r\nip-masq-in-sync: true\r\n";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final List<String> asked = new ArrayList<>();

    private interface Answering {
        void to(OutputStream client) throws IOException, InterruptedException;
    }

    private QuickStatus.Outcome ask(Answering server, String... args) throws IOException, InterruptedException {
        try (ServerSocket socket = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
            Thread listening = Thread.ofPlatform().daemon().start(() -> serve(socket, server));
            QuickStatus.Outcome outcome = run(socket.getLocalPort(), args);
            listening.interrupt();
            listening.join();
            return outcome;
        }
    }

    private QuickStatus.Outcome run(int port, String... args) {
        return run(Map.of("IP_MASQ_PORT", Integer.toString(port)), args);
    }

    private QuickStatus.Outcome run(Map<String, String> environment, String... args) {
        return QuickStatus.run(
                environment,
                new PrintStream(out, false, StandardCharsets.UTF_8),
                new PrintStream(err, true, StandardCharsets.UTF_8),
                args);
    }

    private void serve(ServerSocket socket, Answering server) {
        try (Socket client = socket.accept()) {
            StringBuilder request = new StringBuilder();
            while (request.indexOf("\r\n\r\n") < 0) {
                request.append((char) client.getInputStream().read());
            }
            asked.add(request.toString());
            server.to(client.getOutputStream());
        } catch (IOException | InterruptedException e) {
            // the command hangs up when it has seen enough
            Thread.currentThread().interrupt();
        }
    }

    private static Answering answering(String text) {
        return client -> client.write(text.getBytes(StandardCharsets.UTF_8));
    }

    private static Answering agent(String inSync, String body) {
        return answering("HTTP/1.0 200 OK\r\nIp-Masq-In-Sync: " + inSync + "\r\nContent-Length: "
                + body.getBytes(StandardCharsets.UTF_8).length + "\r\n\r\n" + body);
    }

    @ParameterizedTest
    @ValueSource(strings = {"status,text", "status -o json,json", "status --output YAML,yaml"})
    void copiesWhatTheAgentHasRendered(String lineAndFormat) throws Exception {
        String[] pair = lineAndFormat.split(",");
        assertThat(ask(agent("true", "in sync 是\n"), pair[0].split(" "))).isEqualTo(new QuickStatus.Printed(0));
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("in sync 是\n");
        assertThat(asked).singleElement().asString().startsWith("GET /status?as=" + pair[1] + " HTTP/1.0\r\nHost: 127");
    }

    @Test
    void notInSyncIsADifference() throws Exception {
        assertThat(ask(agent("false", "NOT in sync\n"), "status")).isEqualTo(new QuickStatus.Printed(1));
    }

    @Test
    void emptyIsNotGiven() {
        Map<String, String> empty = Map.of("IP_MASQ_PORT", "", "IP_MASQ_HOST", " ");
        assertThat(AgentAddress.of(new SettingsLookup(Map.of(), empty)))
                .contains(new AgentAddress(Settings.DEFAULT_HOST, Settings.DEFAULT_PORT));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"status -o", "status -o xml", "status --help", "status --config x", "statu", "status x", "plan"})
    void leavesWhatIsNotPlain(String line) {
        assertThat(run(1, line.split(" "))).isEqualTo(new QuickStatus.Left());
    }

    @ParameterizedTest
    @ValueSource(strings = {"IP_MASQ_PORT=x", "IP_MASQ_PORT=0", "IP_MASQ_PORT=99999"})
    void leavesWrongSettingsToWhoSaysWhatIsWrong(String setting) {
        String[] pair = setting.split("=", 2);
        assertThat(run(Map.of(pair[0], pair[1]), "status")).isEqualTo(new QuickStatus.Left());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\u0000garbage\r\n\r\n",
                "HTTP/1.0 200 OK\r\nContent-Length: 3\r\n\r\n{}\n",
                "HTTP/1.0 404 Not Found\r\nIp-Masq-In-Sync: true\r\nContent-Length: 1\r\n\r\nx",
                OK + "\r\nno length",
                OK + "Content-Length: 999999999\r\n\r\nx",
                OK + "Content-Length: -1\r\n\r\nx",
                OK + "Content-Length: 99999999\r\n\r\nx",
            })
    void otherProgramsAreLeftToTheLongWay(String answer) throws Exception {
        assertThat(ask(answering(answer), "status")).isEqualTo(new QuickStatus.Left());
        assertThat(out.size()).isZero();
    }

    @Test
    void aHeadWithoutEndIsLeft() throws Exception {
        assertThat(ask(answering(OK + "X: y\r\n".repeat(100_000)), "status")).isEqualTo(new QuickStatus.Left());
    }

    @Test
    void anAnswerThatBreaksOffIsAFailureAndSaysSo() throws Exception {
        assertThat(ask(answering(OK + "Content-Length: 10\r\n\r\nabc"), "status"))
                .isEqualTo(new QuickStatus.Printed(4));
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("abc");
        assertThat(err.toString(StandardCharsets.UTF_8)).contains("7 bytes early");
    }

    @Test
    void nobodyThereIsKnownAndNotAskedAgain() throws Exception {
        try (FreePort port = FreePort.reserve()) {
            assertThat(run(port.number(), "status"))
                    .isEqualTo(new QuickStatus.NoAgent("no agent answers at 127.0.0.1:" + port.number()));
        }
    }

    @Test
    void theLongWayTakesItsWord() {
        assertThat(new Cli(Assembly.ofThisMachine(), (settings, log) -> 0)
                        .knowing(new QuickStatus.NoAgent("nobody is there"))
                        .ask(Settings.of(new SettingsLookup(Map.of(), Map.of()))))
                .isEqualTo(new RunningAgent.Answer.None("nobody is there"));
    }

    /** It was asked for ten seconds; to ask for ten more would not be better. */
    @Slow
    @Test
    void anAnswerThatNeverComesIsGivenUp() throws Exception {
        CountDownLatch never = new CountDownLatch(1);
        assertThat(ask(client -> never.await(), "status"))
                .isInstanceOfSatisfying(
                        QuickStatus.NoAgent.class,
                        none -> assertThat(none.why()).contains("within 10 s"));
    }

    /** The rules' comments are others' texts. */
    @Test
    void noByteControlsTheTerminal() throws Exception {
        assertThat(ask(agent("true", "a\u001b[2Jb\rc\td\u007f\n"), "status")).isEqualTo(new QuickStatus.Printed(0));
        assertThat(out.toString(StandardCharsets.UTF_8)).isEqualTo("a?[2Jb?c\td?\n");
    }
}
