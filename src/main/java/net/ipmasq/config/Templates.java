package net.ipmasq.config;

import java.util.List;
import java.util.Set;

/** Adds to the problems of an unreadable text that it looks like a template that was not rendered. */
final class Templates {
    private static final String SIGN = "{{";

    private static final Set<String> UNREADABLE = Set.of(
            ProblemCode.YAML_SYNTAX.code(),
            ProblemCode.JSON_SYNTAX.code(),
            ProblemCode.YAML_FLOW_COLON.code(),
            ProblemCode.YAML_TAB.code());

    private Templates() {}

    /** The outcome, with the hint in each problem that says that the text is neither YAML nor JSON. */
    static ConfigOutcome hinted(ConfigOutcome outcome, String text) {
        return outcome instanceof ConfigOutcome.Invalid invalid && text.contains(SIGN)
                ? new ConfigOutcome.Invalid(hinted(invalid.findings()))
                : outcome;
    }

    private static Problems hinted(Problems problems) {
        List<Problem> hinted = problems.shown().stream()
                .map(problem -> UNREADABLE.contains(problem.code()) ? hinted(problem) : problem)
                .toList();
        return new Problems(hinted, problems.omitted());
    }

    private static Problem hinted(Problem problem) {
        return problem.withFix("if this is a template, as its " + SIGN
                + " suggests, render it first and check what 'helm template' prints; otherwise "
                + problem.fix());
    }
}
