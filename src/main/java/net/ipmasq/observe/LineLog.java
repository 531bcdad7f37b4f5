package net.ipmasq.observe;

import java.io.PrintStream;
import java.time.Clock;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import net.ipmasq.json.JsonText;
import net.ipmasq.text.Visible;

/** Writes log lines, as text or as one JSON object per line. Works before any framework is up. */
public final class LineLog {
    /** How much a line matters. */
    public enum Level {
        INFO,
        WARN,
        ERROR
    }

    private final PrintStream out;
    private final boolean json;
    private final Clock clock;

    public LineLog(PrintStream out, boolean json, Clock clock) {
        this.out = out;
        this.json = json;
        this.clock = clock;
    }

    public void info(String message) {
        log(Level.INFO, message, Map.of());
    }

    public void warn(String message) {
        log(Level.WARN, message, Map.of());
    }

    public void error(String message) {
        log(Level.ERROR, message, Map.of());
    }

    /** Writes one line; line feeds in the message become spaces in text. */
    public void log(Level level, String message, Map<String, Object> fields) {
        String time = clock.instant().truncatedTo(ChronoUnit.MILLIS).toString();
        if (json) {
            Map<String, Object> entry = new LinkedHashMap<>();
            entry.put("time", time);
            entry.put("level", level.name());
            entry.put("message", message);
            entry.putAll(fields);
            out.println(JsonText.compact(entry));
        } else {
            StringBuilder line = new StringBuilder(time)
                    .append(level == Level.ERROR ? " ERROR " : level == Level.WARN ? " WARN  " : " INFO  ")
                    .append(Visible.line(message));
            fields.forEach((name, value) ->
                    line.append(' ').append(name).append('=').append(Visible.line(String.valueOf(value))));
            out.println(line);
        }
    }
}
