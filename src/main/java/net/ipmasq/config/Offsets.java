package net.ipmasq.config;

import java.util.AbstractList;
import java.util.Arrays;
import java.util.Objects;

/** Ascending numbers without an object for each: a text of nothing but line breaks has a million. */
final class Offsets extends AbstractList<Integer> {
    private int[] values = new int[64];
    private int size;

    /** Appends one that is not below the last. */
    void append(int value) {
        if (size == values.length) {
            values = Arrays.copyOf(values, size * 2);
        }
        values[size++] = value;
    }

    /** The index of the last number that is not above {@code value}; the first number must not be. */
    int floor(int value) {
        int found = Arrays.binarySearch(values, 0, size, value);
        return found >= 0 ? found : -found - 2;
    }

    @Override
    public Integer get(int index) {
        return values[Objects.checkIndex(index, size)];
    }

    @Override
    public int size() {
        return size;
    }
}
