package net.ipmasq.config;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;

/** The stage before any parser: bytes to text that is safe to parse, or one problem. */
sealed interface SourceText {

    int MAX_BYTES = 1 << 20;

    /** Not fit for a parser. */
    record Refused(Problem problem) implements SourceText {}

    /** Fit for a parser; no byte-order mark. */
    record Clean(String text, Offsets lineStarts, CodePoints codePoints) implements SourceText {

        /** The place of the UTF-16 unit at {@code offset}. */
        Position positionAt(int offset) {
            int line = lineStarts.floor(offset);
            int end = Math.min(offset, text.length());
            return new Position(line + 1, codePoints.between(lineStarts.get(line), end) + 1);
        }

        /** A line without its line break; {@code line} is 1-based. */
        String line(int line) {
            int start = lineStarts.get(line - 1);
            int end = start;
            while (end < text.length() && !isBreak(text.charAt(end))) {
                end++;
            }
            return text.substring(start, end);
        }

        /** The UTF-16 offset of a place, the end of the text if its line is shorter. */
        int offsetOf(Position at) {
            return codePoints.offset(lineStarts.get(at.line() - 1), Math.max(at.column() - 1, 0));
        }
    }

    static SourceText of(byte[] bytes) {
        if (bytes.length > MAX_BYTES) {
            return new Refused(tooLarge(bytes.length));
        }
        CharBuffer decoded = CharBuffer.allocate(bytes.length);
        CoderResult result = StandardCharsets.UTF_8
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT)
                .decode(ByteBuffer.wrap(bytes), decoded, true);
        decoded.flip();
        String text = decoded.toString();
        if (result.isError()) {
            Clean before = readable(text);
            return new Refused(ProblemCode.TEXT_NOT_UTF8.at(
                    before.positionAt(before.text.length()),
                    "",
                    "the text is not UTF-8 from here on",
                    "save the file as UTF-8; a ConfigMap's binaryData is not read"));
        }
        return checked(text);
    }

    static SourceText of(String text) {
        long bytes = text.codePoints()
                .mapToLong(c -> c < 0x80 ? 1 : c < 0x800 ? 2 : c < 0x10000 ? 3 : 4)
                .sum();
        return bytes > MAX_BYTES ? new Refused(tooLarge(bytes)) : checked(text);
    }

    private static SourceText checked(String text) {
        Clean readable = readable(text);
        String body = readable.text;
        for (int i = 0; i < body.length(); i += Character.charCount(body.codePointAt(i))) {
            int codePoint = body.codePointAt(i);
            if (!printable(codePoint)) {
                return new Refused(ProblemCode.TEXT_CONTROL_CHARACTER.at(
                        readable.positionAt(i),
                        "",
                        String.format("the character U+%04X is not allowed in YAML or JSON", codePoint),
                        "delete it; it is invisible in most editors"));
            }
        }
        return readable;
    }

    /** The set of YAML 1.1, section 4.1. */
    private static boolean printable(int c) {
        return c >= 0x20 && c <= 0x7e
                || c == '\t'
                || c == '\n'
                || c == '\r'
                || c == 0x85
                || c >= 0xa0 && c <= 0xd7ff
                || c >= 0xe000 && c <= 0xfffd
                || c >= 0x10000;
    }

    /** The line breaks of YAML 1.1, which SnakeYAML counts by. */
    private static boolean isBreak(char c) {
        return c == '\n' || c == '\r' || c == '\u0085' || c == '\u2028' || c == '\u2029';
    }

    private static Clean readable(String text) {
        String body = text.startsWith("\uFEFF") ? text.substring(1) : text;
        Offsets starts = new Offsets();
        starts.append(0);
        for (int i = 0; i < body.length(); i++) {
            char c = body.charAt(i);
            boolean crlf = c == '\r' && i + 1 < body.length() && body.charAt(i + 1) == '\n';
            if (isBreak(c) && !crlf) {
                starts.append(i + 1);
            }
        }
        return new Clean(body, starts, new CodePoints(body));
    }

    private static Problem tooLarge(long bytes) {
        return ProblemCode.TEXT_TOO_LARGE.at(
                Position.NONE,
                "",
                "the text has " + bytes + " bytes; at most " + MAX_BYTES + " are allowed",
                "remove comments, and join neighbouring CIDRs into wider ones");
    }
}
