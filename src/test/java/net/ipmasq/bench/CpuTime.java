package net.ipmasq.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** CPU time from proc(5), in the kernel's ticks of 10 ms: user and system. */
final class CpuTime {
    private static final double MILLIS_PER_TICK = 10.0;
    private static final int OWN = 11;
    private static final int CHILDREN = 13;

    private CpuTime() {}

    /** Of this process and of its ended children. */
    static double totalMillis() {
        return millis(OWN) + millis(CHILDREN);
    }

    /** Of the ended children alone. */
    static double childrenMillis() {
        return millis(CHILDREN);
    }

    private static double millis(int field) {
        try {
            String stat = Files.readString(Path.of("/proc/self/stat"));
            String[] fields = stat.substring(stat.lastIndexOf(')') + 2).split(" ");
            return (Long.parseLong(fields[field]) + Long.parseLong(fields[field + 1])) * MILLIS_PER_TICK;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
