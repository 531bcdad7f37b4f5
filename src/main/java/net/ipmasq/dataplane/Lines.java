package net.ipmasq.dataplane;

import java.io.IOException;
import java.io.Reader;
import java.util.function.Consumer;

/** Splits what a tool prints into lines while it comes. Of an overlong line only beginning and end are passed on. */
public final class Lines {
    /** Characters of a line that are kept; far more than a rule has. */
    public static final int MOST = 32 * 1024;

    /** Kept of the end, where nft prints the handle of a rule. */
    private static final int END = 64;

    private Lines() {}

    public static void read(Reader text, Consumer<String> lines) throws IOException {
        char[] some = new char[16 * 1024];
        StringBuilder open = new StringBuilder();
        for (int count = text.read(some); count >= 0; count = text.read(some)) {
            int start = 0;
            for (int i = 0; i < count; i++) {
                if (some[i] == '\n') {
                    append(open, some, start, i);
                    lines.accept(open.toString());
                    open.setLength(0);
                    start = i + 1;
                }
            }
            append(open, some, start, count);
        }
        if (!open.isEmpty()) {
            lines.accept(open.toString());
        }
    }

    private static void append(StringBuilder open, char[] some, int start, int end) {
        open.append(some, start, end - start);
        if (open.length() > MOST + END) {
            open.delete(MOST, open.length() - END);
        }
    }
}
