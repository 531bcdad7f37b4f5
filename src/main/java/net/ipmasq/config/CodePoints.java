package net.ipmasq.config;

import java.util.Optional;

/**
 * Counts the code points before any place of a text. {@link String#codePointCount} walks over all of them in a text with
 * a character beyond Latin-1; here it walks over one block, so that the places of all values of a text cost no more than
 * the text's length.
 */
final class CodePoints {
    private static final int BLOCK = 256;

    private final String text;

    /** Second halves of surrogate pairs before each block; empty when the text has none. */
    private final Optional<int[]> halvesBefore;

    CodePoints(String text) {
        this.text = text;
        int[] before = new int[text.length() / BLOCK + 1];
        int halves = 0;
        for (int i = 0; i < text.length(); i++) {
            if (i % BLOCK == 0) {
                before[i / BLOCK] = halves;
            }
            halves += Character.isLowSurrogate(text.charAt(i)) ? 1 : 0;
        }
        before[text.length() / BLOCK] = text.length() % BLOCK == 0 ? halves : before[text.length() / BLOCK];
        this.halvesBefore = halves == 0 ? Optional.empty() : Optional.of(before);
    }

    /** Code points from {@code start} to {@code end}, both UTF-16 offsets that do not split a pair. */
    int between(int start, int end) {
        return before(end) - before(start);
    }

    private int before(int offset) {
        if (halvesBefore.isEmpty()) {
            return offset;
        }
        int block = offset / BLOCK;
        int halves = halvesBefore.get()[block];
        for (int i = block * BLOCK; i < offset; i++) {
            halves += Character.isLowSurrogate(text.charAt(i)) ? 1 : 0;
        }
        return offset - halves;
    }

    /** The offset of the place that is {@code count} code points after {@code start}; at most the end of the text. */
    int offset(int start, int count) {
        int low = start;
        int high = text.length();
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (between(start, middle) < count) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        // a place between the halves of a pair has as many code points before it as the place after the pair
        boolean splits = low > start && low < text.length() && Character.isLowSurrogate(text.charAt(low));
        return splits ? low + 1 : low;
    }
}
