package net.ipmasq.lab;

import java.io.Reader;
import java.util.Iterator;
import java.util.stream.Stream;

/** Text that is made line by line while it is read, so that its size does not matter to the reader's heap. */
public final class LineReader extends Reader {
    private final Iterator<String> lines;
    private String line = "";
    private int at;

    public LineReader(Stream<String> lines) {
        this.lines = lines.iterator();
    }

    @Override
    public int read(char[] into, int offset, int length) {
        while (at == line.length()) {
            if (!lines.hasNext()) {
                return -1;
            }
            line = lines.next() + "\n";
            at = 0;
        }
        int count = Math.min(length, line.length() - at);
        line.getChars(at, at + count, into, offset);
        at += count;
        return count;
    }

    @Override
    public void close() {
        // nothing is held
    }
}
