package net.ipmasq.config;

import java.util.Comparator;
import java.util.function.UnaryOperator;

/**
 * One finding about an input.
 *
 * @param severity an error makes the input unusable, a warning or a note does not
 * @param code machine-readable and stable, for example {@code cidr-host-bits}
 * @param line 1-based line in the text the user gave; 0 when the finding has no place
 * @param column 1-based column in code points; 0 when the finding has no place
 * @param path the key, for example {@code nonMasqueradeCIDRs[3]}; empty for the whole text
 * @param message what is wrong
 * @param fix what to do about it
 */
public record Problem(Severity severity, String code, int line, int column, String path, String message, String fix) {

    /** In the order of the text, errors first at the same place. */
    public static final Comparator<Problem> IN_TEXT_ORDER = Comparator.comparingInt(Problem::line)
            .thenComparingInt(Problem::column)
            .thenComparing(Problem::severity);

    public enum Severity {
        ERROR("error"),
        WARNING("warning"),
        /** Valid, but perhaps not what was meant; raises no alert. */
        NOTE("note");

        private final String key;

        Severity(String key) {
            this.key = key;
        }

        public String key() {
            return key;
        }
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }

    public boolean isNote() {
        return severity == Severity.NOTE;
    }

    /** The same finding at another place. */
    Problem moved(UnaryOperator<Position> move) {
        Position at = move.apply(new Position(line, column));
        return new Problem(severity, code, at.line(), at.column(), path, message, fix);
    }

    /** The same finding with other advice. */
    Problem withFix(String other) {
        return new Problem(severity, code, line, column, path, message, other);
    }

    /** One line for a terminal or a log: {@code line 7, column 5: error: path: message; fix (code)}. */
    public String oneLine() {
        String where = line == 0 ? "" : "line " + line + ", column " + column + ": ";
        String what = path.isEmpty() ? message : path + ": " + message;
        return where + severity.key() + ": " + what + (fix.isEmpty() ? "" : "; " + fix) + " [" + code + "]";
    }
}
