package net.ipmasq.net;

/** Foreign text inside a message: in quotes, short, and unable to move a terminal's cursor or forge a log line. */
public final class Quoted {
    private static final int LONGEST = 80;

    private Quoted() {}

    /** {@code text} in single quotes, cut after 80 code points, control characters as {@code \}{@code uXXXX}. */
    public static String of(String text) {
        return "'" + withoutQuotes(text) + "'";
    }

    /** As {@link #of}, and names an invisible or look-alike character, if there is one, since that is the error. */
    public static String naming(String text) {
        return of(text)
                + OddCharacter.in(text)
                        .map(odd -> " (character " + odd.number() + " is " + odd.shown() + ")")
                        .orElse("");
    }

    /** As {@link #of}, for text that needs no quotes, such as paths. */
    public static String withoutQuotes(String text) {
        StringBuilder shown = new StringBuilder();
        int[] codePoints = text.codePoints().limit(LONGEST + 1L).toArray();
        int length = codePoints.length > LONGEST ? LONGEST - 3 : codePoints.length;
        for (int i = 0; i < length; i++) {
            append(shown, codePoints[i]);
        }
        return shown.append(codePoints.length > LONGEST ? "..." : "").toString();
    }

    private static void append(StringBuilder shown, int codePoint) {
        int type = Character.getType(codePoint);
        // a no-break space pasted from a web page looks like a space but is not
        boolean spaceOfAnotherKind = type == Character.SPACE_SEPARATOR && codePoint != ' ';
        boolean visible = !spaceOfAnotherKind
                && !Character.isISOControl(codePoint)
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.LINE_SEPARATOR
                && type != Character.PARAGRAPH_SEPARATOR;
        if (visible) {
            shown.appendCodePoint(codePoint);
        } else {
            shown.append(String.format("\\u%04x", codePoint));
        }
    }
}
