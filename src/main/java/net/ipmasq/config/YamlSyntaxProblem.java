package net.ipmasq.config;

import java.util.List;
import java.util.Optional;
import net.ipmasq.net.OddCharacter;
import net.ipmasq.net.Quoted;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/** Turns the errors of SnakeYAML into messages that name the usual cause. */
final class YamlSyntaxProblem {
    private static final String OPEN_QUOTE = "the quote that is opened here is never closed";
    private static final String NO_COLON = "a key without a colon";
    private static final String CLOSE_QUOTE = "write the closing quote";

    private YamlSyntaxProblem() {}

    /** A part of SnakeYAML's message, and the message and fix to report instead. */
    private record Hint(String sign, String says, String fix) {}

    private static final String INDENT = "give all keys of one level, and all '-' of one list, the same indentation";
    private static final String INDENT_UNFIT = "the indentation or the '-' here does not fit the lines above";

    private static final List<Hint> HINTS = List.of(
            new Hint(
                    "mapping values are not allowed",
                    "there is a colon where no key can be",
                    "look at this line and the one above: each 'key: value' needs a space after its colon,"
                            + " and keys of one level need the same indentation"),
            new Hint("could not find expected ':'", NO_COLON, "write a colon and a space after the key"),
            new Hint("block end", INDENT_UNFIT, INDENT),
            new Hint(
                    "sequence entries are not allowed",
                    "there is a list item where no list can start",
                    "start the list on the line after the key"),
            new Hint(
                    "expected ',' or ']'",
                    "a list that starts with [ is not closed before this",
                    "separate items with commas and close the list with ]"),
            new Hint(
                    "expected ',' or '}'",
                    "a mapping that starts with { is not closed before this",
                    "separate entries with commas and close the mapping with }"),
            new Hint(
                    "expected the node content",
                    "a value is missing before this sign",
                    "write the value, remove the extra comma, or put the sign in quotes if it starts the value"),
            new Hint("end of stream", OPEN_QUOTE, CLOSE_QUOTE),
            new Hint("document separator", OPEN_QUOTE, CLOSE_QUOTE),
            new Hint(
                    "cannot start any token",
                    "a value starts with a sign that YAML reserves",
                    "put the value in quotes"),
            new Hint(
                    "unknown escape",
                    "an unknown escape after a backslash",
                    "use single quotes, or double the backslash"));

    static Problem of(MarkedYAMLException e, SourceText.Clean text) {
        @Nullable Mark mark = e.getProblemMark();
        @Nullable String said = e.getProblem();
        Position at = mark == null ? Position.NONE : YamlFrontEnd.position(mark);
        String what = said == null ? "it cannot be read" : said;
        if (what.contains("(TAB)")) {
            return ProblemCode.YAML_TAB.at(
                    at, "", "there is a tab where YAML allows only spaces", "replace the tab with two spaces");
        }
        if (mark != null && startsWithDoubleColon(text.text(), mark.getIndex())) {
            return ProblemCode.YAML_FLOW_COLON.at(
                    at,
                    "",
                    "YAML does not take a text that starts with '::' inside [ ] without quotes",
                    "put it in quotes: \"::/0\"");
        }
        Problem problem = syntax(e, at, what);
        return oddCharacter(text, problem.line(), at.line())
                .map(odd -> named(problem, odd, text.positionAt(odd.at())))
                .orElse(problem);
    }

    /** The first odd character between the lines that matter, comments left out. */
    private static Optional<OddCharacter> oddCharacter(SourceText.Clean text, int from, int to) {
        int last = Math.min(to, text.lineStarts().size());
        for (int line = Math.max(from, 1); line <= last; line++) {
            int start = text.lineStarts().get(line - 1);
            String withoutComment = text.line(line).replaceFirst("(^|\\s)#.*", "");
            Optional<OddCharacter> odd = OddCharacter.in(text.text(), start, start + withoutComment.length());
            if (odd.isPresent()) {
                return odd;
            }
        }
        return Optional.empty();
    }

    private static Problem named(Problem problem, OddCharacter odd, Position at) {
        return ProblemCode.YAML_SYNTAX.at(
                new Position(problem.line(), problem.column()),
                problem.path(),
                problem.message() + "; line " + at.line() + ", column " + at.column() + " has " + odd.shown(),
                odd.fix());
    }

    /** For what the parser cannot explain; {@code at} is how far it got. */
    static Problem unexplained(Position at) {
        return ProblemCode.YAML_SYNTAX.at(
                at,
                "",
                "this is not YAML: it cannot be read from about here on",
                "look for an escape or a number that is too large here; use single quotes");
    }

    private static Problem syntax(MarkedYAMLException e, Position at, String what) {
        Hint hint = HINTS.stream()
                .filter(candidate -> what.contains(candidate.sign))
                .findFirst()
                .orElse(new Hint(
                        "", "the parser says " + Quoted.of(what), INDENT + "; put texts with special signs in quotes"));
        // an open quote or a key without a colon can be reported lines later; its start is the context of the error
        @Nullable Mark start = e.getContextMark();
        boolean startHelps = start != null && (hint.says.equals(OPEN_QUOTE) || hint.says.equals(NO_COLON));
        return ProblemCode.YAML_SYNTAX.at(
                startHelps ? YamlFrontEnd.position(start) : at, "", "this is not YAML: " + hint.says, hint.fix);
    }

    private static boolean startsWithDoubleColon(String text, int codePoints) {
        if (codePoints > text.codePointCount(0, text.length())) {
            return false;
        }
        return text.startsWith("::", text.offsetByCodePoints(0, codePoints));
    }
}
