package net.ipmasq.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import net.ipmasq.lab.Eventually;
import org.junit.jupiter.api.Assumptions;

/** A control group with a limit of memory and no swap, as a kubelet makes one for a container; version 1 or 2. */
final class MemoryGroup implements AutoCloseable {
    private static final Path V1 = Path.of("/sys/fs/cgroup/memory");
    private static final Path V2 = Path.of("/sys/fs/cgroup");
    private static final AtomicInteger MADE = new AtomicInteger();

    private final Path directory;
    private final boolean first;

    private MemoryGroup(Path directory, boolean first) {
        this.directory = directory;
        this.first = first;
    }

    /** Makes one; where this machine does not let us, the test fails in CI and is skipped with the reason elsewhere. */
    static MemoryGroup create(long limitBytes) throws IOException {
        try {
            return make(limitBytes);
        } catch (IOException e) {
            if ("true".equals(System.getenv("CI"))) {
                throw e;
            }
            return Assumptions.abort("needs a memory control group of its own: " + e);
        }
    }

    private static MemoryGroup make(long limitBytes) throws IOException {
        boolean first = Files.exists(V1.resolve("memory.limit_in_bytes"));
        if (!first) {
            Files.writeString(V2.resolve("cgroup.subtree_control"), "+memory");
        }
        String name = "ipmasq-" + ProcessHandle.current().pid() + "-" + MADE.incrementAndGet();
        MemoryGroup group = new MemoryGroup(Files.createDirectory((first ? V1 : V2).resolve(name)), first);
        group.write(first ? "memory.limit_in_bytes" : "memory.max", limitBytes);
        String swap = first ? "memory.swappiness" : "memory.swap.max";
        if (Files.exists(group.directory.resolve(swap))) {
            group.write(swap, 0);
        }
        return group;
    }

    private void write(String file, long value) throws IOException {
        Files.writeString(directory.resolve(file), Long.toString(value));
    }

    /** The command line that runs another one in this group. */
    List<String> enter(List<String> argv) {
        List<String> line = new ArrayList<>(List.of("sh", "-ec", "echo $$ >\"$0\"; exec \"$@\""));
        // as this process sees it: 'ip netns exec' mounts another /sys
        line.add("/proc/" + ProcessHandle.current().pid() + "/root" + directory.resolve("cgroup.procs"));
        line.addAll(argv);
        return line;
    }

    /** The most that was ever in use, in bytes; files that others have read before do not count. */
    long peak() throws IOException {
        Path file = directory.resolve(first ? "memory.max_usage_in_bytes" : "memory.peak");
        return Long.parseLong(Files.readString(file).strip());
    }

    /** How many processes the kernel has ended for want of memory. */
    long killed() throws IOException {
        Path file = directory.resolve(first ? "memory.oom_control" : "memory.events");
        return Files.readAllLines(file).stream()
                .filter(line -> line.startsWith("oom_kill "))
                .mapToLong(line -> Long.parseLong(line.substring("oom_kill ".length())))
                .sum();
    }

    private String processes() {
        try {
            return Files.readString(directory.resolve("cgroup.procs"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() {
        Eventually.holds("group " + directory + " is empty", this::processes, String::isEmpty);
        try {
            Files.delete(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
