package net.ipmasq.config;

import java.util.Arrays;
import java.util.function.UnaryOperator;

/**
 * Where the lines of a text stand in the file that embeds it as one scalar. Exact for literal blocks ({@code |}) and for
 * quoted texts on one line, which is what kubectl writes; elsewhere a problem is placed at the start of the scalar.
 */
final class EmbeddedText implements UnaryOperator<Position> {
    private final SourceText.Clean file;
    private final SyntaxNode.Scalar scalar;
    private final SourceText.Clean inner;
    private int[] offsets = {};
    private int shiftedLine;
    private int shift;

    private EmbeddedText(SourceText.Clean file, SyntaxNode.Scalar scalar, SourceText.Clean inner) {
        this.file = file;
        this.scalar = scalar;
        this.inner = inner;
    }

    /** How to move positions in {@code scalar}'s text to positions in {@code file}. */
    static UnaryOperator<Position> placement(SourceText file, SyntaxNode.Scalar scalar) {
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
        if (position.line() != shiftedLine) {
            // places come in the order of the text: a line, which can be the whole of it, is compared once
            shiftedLine = position.line();
            shift = shift(file.line(line), inner.line(position.line()));
        }
        return shift < 0 ? new Position(line, 1) : new Position(line, position.column() + shift);
    }

    /** How many code points further right the line stands in the file; below zero if it is another one. */
    private static int shift(String outside, String inside) {
        return outside.endsWith(inside)
                ? outside.codePointCount(0, outside.length()) - inside.codePointCount(0, inside.length())
                : -1;
    }

    private Position inDoubleQuotes(Position position) {
        if (offsets.length == 0) {
            offsets = offsets();
        }
        int offset = offsets[Math.min(inner.offsetOf(position), offsets.length - 1)];
        return offset < 0 ? scalar.at() : file.positionAt(offset);
    }

    /**
     * Where each UTF-16 unit of the text stands in the file, and its end. Escapes are counted one by one, once for all
     * places. In a quoted text that YAML folds over several lines, offsets after the first line are below zero.
     */
    private int[] offsets() {
        int[] found = new int[inner.text().length() + 1];
        Arrays.fill(found, -1);
        String text = file.text();
        int at = file.offsetOf(scalar.at());
        if (at >= text.length() || text.charAt(at) != '"') {
            return found;
        }
        at++;
        for (int i = 0; i < found.length && at < text.length(); i++) {
            found[i] = at;
            char c = text.charAt(at);
            if (c == '\n' || c == '\r') {
                break;
            }
            // only \U can be two UTF-16 units, and only for characters that no configuration needs
            at += c == '\\' && at + 1 < text.length() ? escapeWidth(text.charAt(at + 1)) : 1;
        }
        return found;
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
