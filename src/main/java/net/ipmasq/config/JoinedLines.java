package net.ipmasq.config;

/**
 * Finds a text that lost its line ends on the way into a manifest: YAML joins the lines of a folded block ({@code >}), and
 * those of a value that goes on over several lines, to one. Tools that break long lines keep the line ends
 * as {@code \n}.
 */
final class JoinedLines {
    private JoinedLines() {}

    /** Whether {@code config}'s text has fewer lines than the file has for it. JSON does not mind. */
    static boolean in(SourceText.Clean file, SyntaxNode.Entry config, SyntaxNode.Scalar scalar) {
        String text = scalar.text();
        if (text.stripLeading().startsWith("{")) {
            return false;
        }
        long inside = text.lines().filter(line -> !line.isBlank()).count();
        return switch (scalar.style()) {
            case FOLDED -> inside < blockLines(file, config.key().at().column() - 1, scalar.at());
            case SINGLE_QUOTED, DOUBLE_QUOTED -> inside == 1 && !endsOnItsLine(file, scalar);
            case PLAIN -> inside == 1 && !plainEndsOnItsLine(file, scalar);
            case LITERAL -> false;
        };
    }

    static Problem problem(SyntaxNode.Scalar scalar) {
        boolean folded = scalar.style() == SyntaxNode.Style.FOLDED;
        return ProblemCode.CONFIG_FOLDED.at(
                scalar.at(),
                "data.config",
                (folded ? "'>' joins the lines of the text into one" : "YAML joins the lines of this value into one")
                        + " before the agent sees it",
                "write 'config: |'" + (folded ? "; '|' keeps the lines" : " and the text below it, indented"));
    }

    /** Lines with something in them that are indented deeper than the key, below the line of the {@code >}. */
    private static long blockLines(SourceText.Clean file, int keyIndent, Position header) {
        long lines = 0;
        for (int number = header.line() + 1; number <= file.lineStarts().size(); number++) {
            String line = file.line(number);
            boolean blank = line.isBlank();
            if (!blank && line.length() - line.stripLeading().length() <= keyIndent) {
                break;
            }
            lines += blank ? 0 : 1;
        }
        return lines;
    }

    private static boolean endsOnItsLine(SourceText.Clean file, SyntaxNode.Scalar scalar) {
        String line = fromStart(file, scalar);
        if (!line.startsWith("\"") && !line.startsWith("'")) {
            // an alias, or a tag before the quote: where it ends is not known here
            return true;
        }
        char quote = line.charAt(0);
        int at = 1;
        while (at < line.length()) {
            boolean escaped = quote == '"' && line.charAt(at) == '\\' || line.startsWith("''", at) && quote == '\'';
            if (!escaped && line.charAt(at) == quote) {
                return true;
            }
            at += escaped ? 2 : 1;
        }
        return false;
    }

    /** An alias stands for a text that is somewhere else, so only a text that begins here can go on below. */
    private static boolean plainEndsOnItsLine(SourceText.Clean file, SyntaxNode.Scalar scalar) {
        String line = fromStart(file, scalar);
        String text = scalar.text();
        return text.isEmpty() || line.isEmpty() || line.charAt(0) != text.charAt(0) || line.startsWith(text);
    }

    private static String fromStart(SourceText.Clean file, SyntaxNode.Scalar scalar) {
        String line = file.line(scalar.at().line());
        int column = Math.min(scalar.at().column() - 1, line.codePointCount(0, line.length()));
        return line.substring(line.offsetByCodePoints(0, column));
    }
}
