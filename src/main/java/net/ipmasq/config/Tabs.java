package net.ipmasq.config;

import java.util.Arrays;

/**
 * Turns tabs that only separate into spaces, one for one, so that places stay: SnakeYAML takes any tab between tokens
 * for indentation, while YAML and Go's parsers take them after a colon, before a comment, inside {@code [ ]} and on empty
 * lines. A tab that indents, or that follows the {@code -} or {@code ?} which the line starts with, stays what it is: an
 * error. A tab inside quotes or in a word between others may become a space too; no value of a configuration can hold one.
 */
final class Tabs {
    private final char[] text;
    private int flow;
    private int at;

    /** Whether a value may start here, so that a bracket or a quote has its meaning. */
    private boolean fresh = true;

    /** Whether the line has something but blanks and the signs of its list items. */
    private boolean started;

    private Tabs(String text) {
        this.text = text.toCharArray();
    }

    static String separating(String text) {
        return text.indexOf('\t') < 0 ? text : new Tabs(text).replaced();
    }

    private String replaced() {
        while (at < text.length) {
            char c = text[at];
            switch (c) {
                case '\n', '\r' -> newLine();
                case ' ', '\t' -> blank();
                case '#' -> hash();
                case '"', '\'' -> quote(c);
                default -> sign(c);
            }
            at++;
        }
        return new String(text);
    }

    private void newLine() {
        fresh = true;
        started = false;
    }

    private void blank() {
        if (text[at] == '\t' && (started || flow > 0 || isBlankTillEnd())) {
            text[at] = ' ';
        }
    }

    /** Whether only blanks or a comment follow in this line; looks at each tab run once, since it turns all of it. */
    private boolean isBlankTillEnd() {
        int end = at;
        while (end < text.length && (text[end] == ' ' || text[end] == '\t')) {
            end++;
        }
        boolean blank = end == text.length || text[end] == '\n' || text[end] == '\r' || text[end] == '#';
        if (blank) {
            Arrays.fill(text, at, end, ' ');
        } else {
            // these tabs indent and stay: go on after them
            at = end - 1;
        }
        return blank;
    }

    /** A comment runs to the end of its line. */
    private void hash() {
        boolean comment = at == 0 || Character.isWhitespace(text[at - 1]);
        if (!comment) {
            sign('#');
            return;
        }
        while (at + 1 < text.length && text[at + 1] != '\n' && text[at + 1] != '\r') {
            at++;
        }
    }

    /** What is in quotes is passed over. */
    private void quote(char mark) {
        if (!fresh) {
            sign(mark);
            return;
        }
        started = true;
        fresh = false;
        at++;
        while (at < text.length && text[at] != mark) {
            at += mark == '"' && text[at] == '\\' ? 2 : 1;
        }
    }

    private void sign(char c) {
        boolean opens = c == '[' || c == '{';
        boolean closes = c == ']' || c == '}';
        boolean separates = flow > 0 && (c == ',' || c == ':');
        boolean item = (c == '-' || c == '?') && fresh && isBlankAt(at + 1);
        if (opens && (fresh || flow > 0)) {
            flow++;
            separates = true;
        } else if (closes && flow > 0) {
            flow--;
        }
        started |= !item || flow > 0;
        fresh = item || separates || c == ':' && isBlankAt(at + 1);
    }

    private boolean isBlankAt(int index) {
        return index >= text.length || Character.isWhitespace(text[index]);
    }
}
