package net.ipmasq.cli;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A status document for a terminal. */
final class StatusText {
    private StatusText() {}

    static String of(Map<String, Object> document) {
        StringBuilder text = new StringBuilder();
        Map<?, ?> config = map(document.get("config"));
        Map<?, ?> backend = map(document.get("backend"));
        line(text, "version", document.get("version"));
        line(text, "in sync", document.get("inSync"));
        line(text, "profile", document.get("profile"));
        line(text, "config", config.get("state") + ", in force: " + config.get("inForce"));
        line(text, "why", config.get("why"));
        line(text, "source", config.get("source"));
        line(text, "revision", config.get("revision") + ", chain " + config.get("chain"));
        line(text, "backend", backend.get("name") + " (" + backend.get("reason") + ")");
        // below zero: not yet
        if (document.get("rulesInPlaceMillis") instanceof Long millis && millis >= 0) {
            line(text, "rules in place", millis + " ms after process start");
        }
        for (Object condition : list(document.get("conditions"))) {
            Map<?, ?> one = map(condition);
            line(
                    text,
                    String.valueOf(one.get("type")),
                    one.get("status") + " " + one.get("reason") + ": " + one.get("message"));
        }
        map(document.get("notFollowed")).values().forEach(why -> line(text, "not followed", why));
        for (Object problem : list(config.get("problems"))) {
            Map<?, ?> one = map(problem);
            line(
                    text,
                    "problem",
                    (one.get("line") instanceof Number line && line.intValue() == 0
                                    ? ""
                                    : "line " + one.get("line") + ": ")
                            + one.get("severity") + ": " + one.get("message") + "; " + one.get("fix"));
        }
        Map<?, ?> omitted = map(config.get("omitted"));
        if (!omitted.isEmpty()) {
            line(text, "problem", "more that are not shown: " + omitted);
        }
        map(document.get("families")).forEach((family, status) -> family(text, String.valueOf(family), map(status)));
        return text.toString();
    }

    private static void family(StringBuilder text, String family, Map<?, ?> status) {
        if (!Boolean.TRUE.equals(status.get("managed"))) {
            text.append('\n')
                    .append(family)
                    .append(": not managed: ")
                    .append(status.get("why"))
                    .append('\n');
            return;
        }
        String state = Boolean.TRUE.equals(status.get("inSync")) ? "in sync" : "NOT in sync";
        text.append('\n').append(family).append(": ").append(state).append('\n');
        Map<?, ?> failure = map(status.get("failure"));
        if (!failure.isEmpty()) {
            text.append("  ")
                    .append(failure.get("message"))
                    .append("; ")
                    .append(failure.get("fix"))
                    .append('\n');
        }
        for (Object difference : list(status.get("drift"))) {
            text.append("  ")
                    .append(map(difference).get("kind"))
                    .append(": ")
                    .append(map(difference).get("text"))
                    .append('\n');
        }
        Map<?, ?> totals = map(status.get("driftTotals"));
        if (!totals.isEmpty()) {
            text.append("  drift healed since start: ").append(totals).append('\n');
        }
        for (Object shadow : list(status.get("shadows"))) {
            text.append("  ")
                    .append(map(shadow).get("kind"))
                    .append(": ")
                    .append(map(shadow).get("text"))
                    .append('\n');
        }
        for (Object rule : list(status.get("rules"))) {
            Map<?, ?> one = map(rule);
            text.append(String.format(
                    "  %10s packets %12s bytes  %s%n", one.get("packets"), one.get("bytes"), one.get("rule")));
        }
    }

    private static void line(StringBuilder text, String name, @Nullable Object value) {
        if (value != null) {
            text.append(String.format("%-15s %s%n", name, value));
        }
    }

    private static Map<?, ?> map(@Nullable Object value) {
        return value instanceof Map<?, ?> map ? map : Map.of();
    }

    private static List<?> list(@Nullable Object value) {
        return value instanceof List<?> list ? list : List.of();
    }
}
