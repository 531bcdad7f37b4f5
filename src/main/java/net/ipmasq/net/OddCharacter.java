package net.ipmasq.net;

import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * A character that looks like another one or is invisible, so that the error cannot be seen: web pages, word processors and
 * input methods put such characters in place of spaces, quotes, colons and dashes.
 *
 * @param at UTF-16 offset in the text
 * @param number its place in code points, 1-based
 * @param instead what to write in its place; empty for nothing
 */
public record OddCharacter(int codePoint, int at, int number, String name, String instead) {
    private static final int FULL_WIDTH_FIRST = 0xff01;
    private static final int FULL_WIDTH_LAST = 0xff5e;
    private static final int FULL_WIDTH_OFFSET = 0xfee0;

    private record Kind(String name, String instead) {}

    private static final Map<Integer, Kind> KINDS = Map.ofEntries(
            Map.entry(0xa0, new Kind("no-break space", " ")),
            Map.entry(0xad, new Kind("soft hyphen", "")),
            Map.entry(0x200b, new Kind("zero width space", "")),
            Map.entry(0x200c, new Kind("zero width non-joiner", "")),
            Map.entry(0x200d, new Kind("zero width joiner", "")),
            Map.entry(0x2060, new Kind("word joiner", "")),
            Map.entry(0xfeff, new Kind("byte-order mark", "")),
            Map.entry(0x202f, new Kind("narrow no-break space", " ")),
            Map.entry(0x3000, new Kind("ideographic space", " ")),
            Map.entry(0x2018, new Kind("left single quotation mark", "'")),
            Map.entry(0x2019, new Kind("right single quotation mark", "'")),
            Map.entry(0x201c, new Kind("left double quotation mark", "\"")),
            Map.entry(0x201d, new Kind("right double quotation mark", "\"")),
            Map.entry(0x201e, new Kind("low double quotation mark", "\"")),
            Map.entry(0x2010, new Kind("hyphen", "-")),
            Map.entry(0x2011, new Kind("non-breaking hyphen", "-")),
            Map.entry(0x2012, new Kind("figure dash", "-")),
            Map.entry(0x2013, new Kind("en dash", "-")),
            Map.entry(0x2014, new Kind("em dash", "-")),
            Map.entry(0x2212, new Kind("minus sign", "-")),
            Map.entry(0x2044, new Kind("fraction slash", "/")),
            Map.entry(0x2215, new Kind("division slash", "/")),
            Map.entry(0x3001, new Kind("ideographic comma", ",")),
            Map.entry(0x3002, new Kind("ideographic full stop", ".")),
            Map.entry(0x3010, new Kind("left lenticular bracket", "[")),
            Map.entry(0x3011, new Kind("right lenticular bracket", "]")),
            Map.entry(0x300c, new Kind("left corner bracket", "\"")),
            Map.entry(0x300d, new Kind("right corner bracket", "\"")));

    public static Optional<OddCharacter> in(String text) {
        return in(text, 0, text.length());
    }

    /** The first one from one UTF-16 offset to another; its number is relative to the first offset. */
    public static Optional<OddCharacter> in(String text, int from, int to) {
        int number = 1;
        int at = from;
        while (at < to) {
            int codePoint = text.codePointAt(at);
            Optional<Kind> kind = kind(codePoint);
            if (kind.isPresent()) {
                return Optional.of(new OddCharacter(codePoint, at, number, kind.get().name, kind.get().instead));
            }
            at += Character.charCount(codePoint);
            number++;
        }
        return Optional.empty();
    }

    private static Optional<Kind> kind(int codePoint) {
        if (codePoint < 0x80) {
            return Optional.empty();
        }
        if (codePoint >= FULL_WIDTH_FIRST && codePoint <= FULL_WIDTH_LAST) {
            String plain = Character.toString(codePoint - FULL_WIDTH_OFFSET);
            return Optional.of(new Kind("full-width '" + plain + "'", plain));
        }
        Kind listed = KINDS.get(codePoint);
        if (listed != null) {
            return Optional.of(listed);
        }
        int type = Character.getType(codePoint);
        if (type == Character.SPACE_SEPARATOR) {
            return Optional.of(new Kind("a space of another kind", " "));
        }
        return type == Character.FORMAT ? Optional.of(new Kind("invisible", "")) : Optional.empty();
    }

    /** For example {@code U+00A0 (no-break space)}. */
    public String shown() {
        return String.format(Locale.ROOT, "U+%04X (%s)", codePoint, name);
    }

    public String fix() {
        return switch (instead) {
            case "" -> "delete that character; it cannot be seen in most editors";
            case " " -> "write a plain space in place of that character, or delete it";
            default -> "write a plain " + instead + " in place of that character";
        };
    }
}
