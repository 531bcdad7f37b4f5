package net.ipmasq.config;

import java.util.List;
import net.ipmasq.net.Quoted;
import org.jspecify.annotations.Nullable;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.MarkedYAMLException;
import org.yaml.snakeyaml.error.YAMLException;

/** What SnakeYAML says about broken text, in words that name the usual cause. */
final class YamlSyntaxProblem {
    private YamlSyntaxProblem() {}

    private record Hint(String sign, String fix) {}

    private static final String INDENT = "give all keys of one level, and all '-' of one list, the same indentation";

    private static final List<Hint> HINTS = List.of(
            new Hint(
                    "mapping values are not allowed",
                    "look at this line and the one above: each 'key: value' needs a space after its colon,"
                            + " and keys of one level need the same indentation"),
            new Hint("could not find expected ':'", "write a colon and a space after the key"),
            new Hint("block end", INDENT),
            new Hint("sequence entries are not allowed", "start the list on the line after the key"),
            new Hint("expected ',' or ']'", "separate items with commas and close the list with ]"),
            new Hint("expected ',' or '}'", "separate entries with commas and close the mapping with }"),
            new Hint("end of stream", "close the quote that is open here"),
            new Hint("document separator", "close the quote that is open here"),
            new Hint("cannot start any token", "put the value in double quotes"),
            new Hint("unknown escape", "use single quotes, or double the backslash"));

    static Problem of(MarkedYAMLException e, String text) {
        @Nullable Mark mark = e.getProblemMark();
        @Nullable String said = e.getProblem();
        Position at = mark == null ? Position.NONE : YamlFrontEnd.position(mark);
        String what = said == null ? "it cannot be read" : said;
        if (what.contains("(TAB)")) {
            return ProblemCode.YAML_TAB.at(
                    at, "", "a tab stands where YAML allows spaces only", "replace the tab with two spaces");
        }
        if (mark != null && startsWithDoubleColon(text, mark.getIndex())) {
            return ProblemCode.YAML_FLOW_COLON.at(
                    at,
                    "",
                    "YAML does not take a text that starts with '::' inside [ ] without quotes",
                    "put it in quotes: \"::/0\"");
        }
        return ProblemCode.YAML_SYNTAX.at(at, "", "this is not YAML: " + shortened(what), fix(what));
    }

    static Problem withoutPlace(YAMLException e) {
        String message = e.getMessage();
        return ProblemCode.YAML_SYNTAX.at(
                Position.NONE, "", "this is not YAML: " + Quoted.of(message == null ? "" : message), INDENT);
    }

    private static String fix(String what) {
        return HINTS.stream()
                .filter(hint -> what.contains(hint.sign))
                .map(Hint::fix)
                .findFirst()
                .orElse(INDENT + "; put texts with special signs in double quotes");
    }

    /** "Do not use @ for indentation" is SnakeYAML's guess, and it is wrong for everything but tabs. */
    private static String shortened(String what) {
        int guess = what.indexOf(". (Do not use");
        return guess < 0 ? what : what.substring(0, guess);
    }

    private static boolean startsWithDoubleColon(String text, int codePoints) {
        if (codePoints > text.codePointCount(0, text.length())) {
            return false;
        }
        return text.startsWith("::", text.offsetByCodePoints(0, codePoints));
    }
}
