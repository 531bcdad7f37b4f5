package net.ipmasq.config;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * How many findings there are beside those that are kept.
 *
 * @param counts by severity, without zeros
 */
public record Omitted(Map<Problem.Severity, Integer> counts) {
    public static final Omitted NONE = new Omitted(Map.of());

    public Omitted {
        counts = Map.copyOf(counts);
    }

    public boolean isEmpty() {
        return counts.isEmpty();
    }

    public int count(Problem.Severity severity) {
        return counts.getOrDefault(severity, 0);
    }

    /** Of all severities. */
    public int total() {
        return counts.values().stream().mapToInt(Integer::intValue).sum();
    }

    /** {@code {"errors": N, "warnings": N}}; a lesser severity only where there is one. */
    public Map<String, Object> document() {
        Map<String, Object> document = new LinkedHashMap<>();
        for (Problem.Severity severity : Problem.Severity.values()) {
            if (severity.compareTo(Problem.Severity.WARNING) <= 0 || count(severity) > 0) {
                document.put(severity.key() + "s", count(severity));
            }
        }
        return document;
    }

    /** For people: {@code and 3 errors and 1 warning more, which are not shown}. */
    public String text() {
        List<String> parts = new ArrayList<>();
        for (Problem.Severity severity : Problem.Severity.values()) {
            int count = count(severity);
            if (count > 0) {
                parts.add(count + " " + severity.key() + (count == 1 ? "" : "s"));
            }
        }
        return "and " + String.join(" and ", parts) + " more, which are not shown";
    }
}
