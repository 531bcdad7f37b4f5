package net.ipmasq.config;

import java.util.function.UnaryOperator;

/**
 * Where the lines of a text stand in the file that embeds it as one scalar. Exact for literal blocks ({@code |}) and for
 * quoted texts on one line, which is what kubectl writes; elsewhere a problem is placed at the start of the scalar.
 */
final class EmbeddedText implements UnaryOperator<Position> {
    private final SourceText.Clean file;
    private final Node.Scalar scalar;
    private final SourceText.Clean inner;

    private EmbeddedText(SourceText.Clean file, Node.Scalar scalar, SourceText.Clean inner) {
        this.file = file;
        this.scalar = scalar;
        this.inner = inner;
    }

    /** How to move positions in {@code scalar}'s text to positions in {@code file}. */
    static UnaryOperator<Position> placement(SourceText file, Node.Scalar scalar) {
        return file instanceof SourceText.Clean outer && SourceText.of(scalar.text()) instanceof SourceText.Clean inner
                ? new EmbeddedText(outer, scalar, inner)
                : position -> scalar.at();
    }

    @Override
    public Position apply(Position position) {
        boolean placed =
                position.line() >= 1 && position.line() <= inner.lineStarts().size();
        if (!placed) {
            return scalar.at();
        }
        return switch (scalar.style()) {
            case LITERAL -> inLiteral(position);
            case DOUBLE_QUOTED -> inDoubleQuotes(position);
            case PLAIN -> onFirstLine(position, 0);
            case SINGLE_QUOTED -> onFirstLine(position, 1);
            case FOLDED -> scalar.at();
        };
    }

    /** The text starts on the line after {@code |}; what a line has more in the file is its indentation. */
    private Position inLiteral(Position position) {
        int line = scalar.at().line() + position.line();
        boolean blockStartsHere = file.line(scalar.at().line()).indexOf('|') >= 0;
        if (!blockStartsHere || line > file.lineStarts().size()) {
            return scalar.at();
        }
        String outside = file.line(line);
        String inside = inner.line(position.line());
        return outside.endsWith(inside)
                ? new Position(line, position.column() + codePoints(outside) - codePoints(inside))
                : new Position(line, 1);
    }

    private static int codePoints(String text) {
        return text.codePointCount(0, text.length());
    }

    /** Escapes are walked over one by one; a quoted text that YAML folds over lines is not worth the exactness. */
    private Position inDoubleQuotes(Position position) {
        int remaining = inner.offsetOf(position);
        int at = file.offsetOf(scalar.at());
        String text = file.text();
        if (at >= text.length() || text.charAt(at) != '"') {
            return scalar.at();
        }
        at++;
        while (remaining > 0 && at < text.length()) {
            char c = text.charAt(at);
            if (c == '\n' || c == '\r') {
                return scalar.at();
            }
            int width = c == '\\' && at + 1 < text.length() ? escapeWidth(text.charAt(at + 1)) : 1;
            at += width;
            // only \U can stand for two UTF-16 units, and only for signs that no configuration needs
            remaining--;
        }
        return file.positionAt(at);
    }

    private static int escapeWidth(char kind) {
        return switch (kind) {
            case 'x' -> 4;
            case 'u' -> 6;
            case 'U' -> 10;
            default -> 2;
        };
    }

    private Position onFirstLine(Position position, int quote) {
        boolean oneLine = inner.lineStarts().size() == 1;
        return oneLine
                ? new Position(scalar.at().line(), scalar.at().column() + position.column() - 1 + quote)
                : scalar.at();
    }
}
