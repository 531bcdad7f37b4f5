package net.ipmasq.dataplane.iptables;

import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Splits what {@code iptables-save} prints into lines while it comes. A comment may hold line feeds, and the tools print
 * them as they are; such a rule is one line here.
 */
final class SaveLines {
    /** Far more than a rule can have: comments end at 256 characters. */
    static final int MOST_CHARACTERS = 64 * 1024;

    private final Consumer<String> lines;
    private final StringBuilder open = new StringBuilder();
    private boolean inRule;
    private boolean quoted;
    private boolean escaped;
    private boolean tooLong;

    private SaveLines(Consumer<String> lines) {
        this.lines = lines;
    }

    /** Passes on all lines and always reads to the end; returns why it could not pass on all, empty if it did. */
    static Optional<String> read(Reader save, Consumer<String> lines) throws IOException {
        SaveLines split = new SaveLines(lines);
        char[] some = new char[16 * 1024];
        for (int count = save.read(some); count >= 0; count = save.read(some)) {
            if (!split.tooLong) {
                split.take(some, count);
            }
        }
        if (!split.tooLong && !split.open.isEmpty()) {
            lines.accept(split.open.toString());
        }
        return split.tooLong
                ? Optional.of("a line has more than " + MOST_CHARACTERS + " characters")
                : Optional.empty();
    }

    private void take(char[] some, int count) {
        int start = 0;
        for (int i = 0; i < count; i++) {
            char c = some[i];
            if (open.isEmpty() && i == start) {
                inRule = c == '-' || c == '[';
            }
            if (c == '\n' && !quoted) {
                end(some, start, i);
                start = i + 1;
            } else if (inRule) {
                quotes(c);
            }
        }
        open.append(some, start, count - start);
        tooLong = open.length() > MOST_CHARACTERS;
    }

    private void quotes(char c) {
        if (escaped) {
            escaped = false;
        } else if (quoted && c == '\\') {
            escaped = true;
        } else if (c == '"') {
            quoted = !quoted;
        }
    }

    private void end(char[] some, int start, int end) {
        if (open.isEmpty()) {
            lines.accept(new String(some, start, end - start));
        } else {
            open.append(some, start, end - start);
            lines.accept(open.toString());
            open.setLength(0);
        }
    }
}
