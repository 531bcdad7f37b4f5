package net.ipmasq.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.ipmasq.agent.UsageException;
import net.ipmasq.observe.StatusRoute;
import org.jspecify.annotations.Nullable;

/**
 * Plain lines of {@code status}, answered by the running agent alone: it renders, this copies. People are told to run it
 * inside the agent's pod, so it must live in what the agent leaves of that memory: no picocli, no JSON, no HTTP client, and
 * nothing kept but a buffer. Whatever is not plain, and whatever does not answer as an agent of this version does, is left
 * to {@link StatusCommand}.
 */
public final class QuickStatus {
    /** What came of a line. */
    public sealed interface Outcome {}

    /** The status is printed; {@code code} is the command's exit code. */
    public record Printed(int code) implements Outcome {}

    /** No agent has answered, so it is not asked again; {@code why} is the first part of a sentence. */
    public record NoAgent(String why) implements Outcome {}

    /** Nothing is printed or known. */
    public record Left() implements Outcome {}

    private static final long DEADLINE_NANOS = TimeUnit.SECONDS.toNanos(10);
    private static final int MOST_HEAD_BYTES = 4 << 10;

    private final PrintStream out;
    private final PrintStream err;
    private final long end = System.nanoTime() + DEADLINE_NANOS;

    private QuickStatus(PrintStream out, PrintStream err) {
        this.out = out;
        this.err = err;
    }

    /** Answers a line if it can; {@code environment} has the settings. */
    public static Outcome run(Map<String, String> environment, PrintStream out, PrintStream err, String... args) {
        String format = format(args);
        if (format == null) {
            return new Left();
        }
        try {
            AgentAddress address =
                    AgentAddress.of(new SettingsLookup(Map.of(), environment)).orElse(null);
            return address == null ? new Left() : new QuickStatus(out, err).ask(address, format);
        } catch (UsageException e) {
            // the other way fails too, and reports why
            return new Left();
        }
    }

    private static @Nullable String format(String... args) {
        if (args.length == 1 && args[0].equals("status")) {
            return "text";
        }
        if (args.length == 3 && args[0].equals("status") && (args[1].equals("-o") || args[1].equals("--output"))) {
            String format = args[2].toLowerCase(Locale.ROOT);
            return format.equals("text") || format.equals("json") || format.equals("yaml") ? format : null;
        }
        return null;
    }

    private Outcome ask(AgentAddress address, String format) {
        try (Socket socket = new Socket()) {
            connect(socket, address);
            OutputStream request = socket.getOutputStream();
            // 1.0: the answer comes in one piece, and the connection ends with it
            request.write(("GET /status?as=" + format + " HTTP/1.0\r\nHost: " + address + "\r\n\r\n")
                    .getBytes(StandardCharsets.US_ASCII));
            return answer(socket);
        } catch (Unconnected e) {
            return new NoAgent(String.valueOf(e.getMessage()));
        } catch (SocketTimeoutException e) {
            return new NoAgent("what listens at " + address + " has not answered within "
                    + TimeUnit.NANOSECONDS.toSeconds(DEADLINE_NANOS) + " s");
        } catch (IOException | RuntimeException e) {
            // an unknown host, a listener that hangs up: the other way reports it in more detail
            return new Left();
        }
    }

    /** Nobody accepts a connection; the message is why, as the first part of a sentence. */
    private static final class Unconnected extends IOException {
        private static final long serialVersionUID = 1;

        Unconnected(AgentAddress address, IOException cause) {
            super(RunningAgent.why(address.toString(), cause), cause);
        }
    }

    private static void connect(Socket socket, AgentAddress address) throws IOException {
        try {
            socket.connect(new InetSocketAddress(address.host(), address.port()), RunningAgent.CONNECT_MILLIS);
        } catch (ConnectException | SocketTimeoutException e) {
            throw new Unconnected(address, e);
        }
    }

    private Outcome answer(Socket socket) throws IOException {
        InputStream in = socket.getInputStream();
        String head = head(socket, in);
        // only an agent sends this header; it decides the exit code, too
        String inSync = field(head, StatusRoute.IN_SYNC);
        String length = field(head, "Content-Length");
        if (inSync == null || length == null || !head.matches("(?s)HTTP/1\\.[01] 200 .*")) {
            return new Left();
        }
        if (!length.matches("[0-9]{1,8}") || Integer.parseInt(length) > RunningAgent.MOST_BYTES) {
            return new Left();
        }
        return new Printed(
                copy(socket, in, Integer.parseInt(length))
                        ? inSync.equals("true") ? ExitCode.OK : ExitCode.DIFFERENCE
                        : ExitCode.FAILURE);
    }

    /** Up to the empty line; less if there is none in sight. */
    private String head(Socket socket, InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.length() < MOST_HEAD_BYTES && head.indexOf("\r\n\r\n") < 0) {
            setPatience(socket);
            int next = in.read();
            if (next < 0) {
                break;
            }
            head.append((char) next);
        }
        return head.toString();
    }

    private static @Nullable String field(String head, String name) {
        for (String line : head.split("\r\n")) {
            if (line.regionMatches(true, 0, name + ":", 0, name.length() + 1)) {
                return line.substring(name.length() + 1).strip();
            }
        }
        return null;
    }

    /** One deadline for the whole, since a server that sends a byte now and then never meets a time-out of its own. */
    private void setPatience(Socket socket) throws IOException {
        long left = TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime());
        if (left <= 0) {
            throw new SocketTimeoutException();
        }
        socket.setSoTimeout((int) left);
    }

    private boolean copy(Socket socket, InputStream in, int length) {
        byte[] buffer = new byte[8 << 10];
        int left = length;
        try {
            while (left > 0) {
                setPatience(socket);
                int read = in.read(buffer, 0, Math.min(left, buffer.length));
                if (read < 0) {
                    break;
                }
                makePrintable(buffer, read);
                out.write(buffer, 0, read);
                left -= read;
            }
        } catch (IOException e) {
            // told below, with what is there on the screen
        }
        out.flush();
        if (left > 0) {
            err.println("ip-masq-agent: the answer of the agent ends here, " + left + " bytes early; ask again");
        }
        return left == 0;
    }

    /** Others' texts are in a status, and who answers here need not be an agent: no byte of theirs controls a terminal. */
    private static void makePrintable(byte[] buffer, int length) {
        for (int i = 0; i < length; i++) {
            boolean control = buffer[i] >= 0 && buffer[i] < ' ' || buffer[i] == 0x7f;
            if (control && buffer[i] != '\n' && buffer[i] != '\t') {
                buffer[i] = '?';
            }
        }
    }
}
