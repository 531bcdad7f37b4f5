package net.ipmasq.config;

import java.util.List;
import java.util.Set;

/** Says of a text that cannot be read because it is a template that nobody has rendered what it is. */
final class Templates {
    private static final String SIGN = "{{";

    private static final Set<String> UNREADABLE = Set.of(
            ProblemCode.YAML_SYNTAX.code(),
            ProblemCode.JSON_SYNTAX.code(),
            ProblemCode.YAML_FLOW_COLON.code(),
            ProblemCode.YAML_TAB.code());

    private Templates() {}

    /** The outcome, with a hint in what says that the text is neither YAML nor JSON. */
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
        return new Problem(
                problem.severity(),
                problem.code(),
                problem.line(),
                problem.column(),
                problem.path(),
                problem.message(),
                "render the file first if it is a template, as its " + SIGN
                        + " looks: give what 'helm template' prints; else " + problem.fix());
    }
}
