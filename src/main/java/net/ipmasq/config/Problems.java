package net.ipmasq.config;

import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * What was found, however much it is: at most {@link Findings#MOST} findings, and how many more there are.
 *
 * @param shown in text order; those kept are errors before warnings and then by place
 */
public record Problems(List<Problem> shown, Omitted omitted) {
    public static final Problems NONE = new Problems(List.of(), Omitted.NONE);

    public Problems {
        shown = List.copyOf(shown);
    }

    /** Any number of findings, bounded. */
    public static Problems of(List<Problem> all) {
        Findings findings = new Findings();
        all.forEach(findings::add);
        return findings.problems();
    }

    /** What both hold, bounded again. */
    public Problems and(Problems other) {
        Findings findings = new Findings();
        findings.addAll(this);
        findings.addAll(other);
        return findings.problems();
    }

    /** How many of a severity there are, shown or not. */
    public int count(Problem.Severity severity) {
        return (int) shown.stream().filter(p -> p.severity() == severity).count() + omitted.count(severity);
    }

    /** One line for each, and one for what is not shown. */
    public List<String> lines(Function<Problem, String> line) {
        List<String> lines = shown.stream().map(line).collect(Collectors.toList());
        if (!omitted.isEmpty()) {
            lines.add(omitted.text());
        }
        return lines;
    }
}
