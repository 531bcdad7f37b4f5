package net.ipmasq.observe;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import net.ipmasq.json.JsonReader;

/**
 * Takes the place of standard error where logs are asked for as JSON: whoever reads them reads every line so, also those
 * of libraries and of the virtual machine's own classes. A line that is a JSON object stays as it is, any other becomes the
 * message of one.
 */
public final class JsonLines extends OutputStream {
    /** What has no line feed for that long is cut, so that it cannot take the process' memory. */
    private static final int MOST_BYTES = 64 << 10;

    private final PrintStream out;
    private final LineLog log;
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    /**
     * @param out where lines that are JSON go as they are
     * @param log writes the others, to the same place
     */
    public JsonLines(PrintStream out, LineLog log) {
        this.out = out;
        this.log = log;
    }

    /** A stream that prints through one of these. */
    public static PrintStream printing(PrintStream out, LineLog log) {
        return new PrintStream(new JsonLines(out, log), true, StandardCharsets.UTF_8);
    }

    /** Writes what a thread ended with as one line, which the virtual machine would write as many. */
    public static Thread.UncaughtExceptionHandler uncaught(LineLog log) {
        return (thread, problem) -> log.log(
                LineLog.Level.ERROR,
                "thread " + thread.getName() + " ended: " + problem,
                Map.of("stack", stack(problem)));
    }

    private static String stack(Throwable problem) {
        java.io.StringWriter text = new java.io.StringWriter();
        problem.printStackTrace(new java.io.PrintWriter(text, true));
        return text.toString();
    }

    @Override
    public synchronized void write(int octet) {
        if (octet == '\n') {
            end();
        } else {
            line.write(octet);
            if (line.size() >= MOST_BYTES) {
                end();
            }
        }
    }

    @Override
    public synchronized void write(byte[] bytes, int from, int length) {
        for (int i = from; i < from + length; i++) {
            write(bytes[i]);
        }
    }

    private void end() {
        String text = line.toString(StandardCharsets.UTF_8).stripTrailing();
        line.reset();
        if (text.isEmpty()) {
            return;
        }
        if (isObject(text)) {
            out.println(text);
        } else {
            log.warn(text);
        }
    }

    private static boolean isObject(String text) {
        if (!text.startsWith("{")) {
            return false;
        }
        try {
            JsonReader.object(text);
            return true;
        } catch (IOException e) {
            // begins like a JSON object, but is some other notation
            return false;
        }
    }
}
