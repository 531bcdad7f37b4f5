package net.ipmasq.config;

import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.reader.StreamReader;

/**
 * A reader for SnakeYAML over a text that is in memory as a whole. SnakeYAML's own (2.5) reads 1,025 characters at a time
 * and copies all that it holds each time, so a value as long as the text takes time quadratic in its length.
 */
final class WholeTextReader extends StreamReader {
    /** SnakeYAML does not count it as a column. */
    private static final int BYTE_ORDER_MARK = 0xfeff;

    private final int[] codePoints;
    private int pointer;
    private int line;
    private int column;
    private int documentStart;

    WholeTextReader(String text) {
        super("");
        this.codePoints = new int[text.codePointCount(0, text.length())];
        int count = 0;
        for (int i = 0; i < text.length(); i += Character.charCount(codePoints[count - 1])) {
            codePoints[count++] = text.codePointAt(i);
        }
    }

    @Override
    public Mark getMark() {
        return new Mark("'string'", pointer, line, column, codePoints, pointer);
    }

    @Override
    public void forward(int length) {
        for (int i = 0; i < length && pointer < codePoints.length; i++) {
            int passed = codePoints[pointer++];
            boolean endsLine = passed == '\n'
                    || passed == 0x85
                    || passed == 0x2028
                    || passed == 0x2029
                    || passed == '\r' && peek() != '\n' && pointer < codePoints.length;
            if (endsLine) {
                line++;
                column = 0;
            } else if (passed != BYTE_ORDER_MARK) {
                column++;
            }
        }
    }

    /** Zero for the end of the text. */
    @Override
    public int peek() {
        return peek(0);
    }

    @Override
    public int peek(int index) {
        return pointer + index < codePoints.length ? codePoints[pointer + index] : 0;
    }

    @Override
    public String prefix(int length) {
        int end = Math.min(pointer + length, codePoints.length);
        return new String(codePoints, pointer, Math.max(0, end - pointer));
    }

    /** What is taken so never holds a line break. */
    @Override
    public String prefixForward(int length) {
        String prefix = prefix(length);
        pointer += length;
        column += length;
        return prefix;
    }

    @Override
    public int getColumn() {
        return column;
    }

    @Override
    public int getDocumentIndex() {
        return pointer - documentStart;
    }

    @Override
    public void resetDocumentIndex() {
        documentStart = pointer;
    }

    @Override
    public int getIndex() {
        return pointer;
    }

    @Override
    public int getLine() {
        return line;
    }
}
