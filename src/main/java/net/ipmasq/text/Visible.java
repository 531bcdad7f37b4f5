package net.ipmasq.text;

/** Makes foreign text safe for a terminal or a log: what would move a cursor, colour or reorder text is escaped. */
public final class Visible {
    private Visible() {}

    /** The text on one line: line feeds become spaces, other invisible characters become {@code \\u001b}. */
    public static String line(String text) {
        return of(text, ' ');
    }

    /** The same for text of several lines. */
    public static String lines(String text) {
        return of(text, '\n');
    }

    private static String of(String text, char lineFeed) {
        int first = 0;
        while (first < text.length() && !isHidden(text.charAt(first))) {
            first++;
        }
        if (first == text.length()) {
            return text;
        }
        StringBuilder visible = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '\n') {
                visible.append(lineFeed);
            } else if (isHidden(c)) {
                visible.append(String.format("\\u%04x", (int) c));
            } else {
                visible.append(c);
            }
        }
        return visible.toString();
    }

    /** Control characters (C0 and C1), separators, and marks that change the direction of text. */
    private static boolean isHidden(char c) {
        if (c < 0x7f) {
            return c < ' ' && c != '\t';
        }
        return c < 0xa0 || c >= 0x2028 && c <= 0x202e || c >= 0x2066 && c <= 0x2069 || c == 0x200e || c == 0x200f;
    }
}
