package net.ipmasq.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Exited;

/** A network namespace of a unique name with its loopback up; deleted by {@link #close} or when the JVM ends. */
public final class NetNs implements AutoCloseable {
    private static final String PREFIX = "ipmasq-";
    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final AtomicInteger COUNTER = new AtomicInteger();
    private static final Set<NetNs> OPEN = ConcurrentHashMap.newKeySet();

    static {
        sweep();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(() -> List.copyOf(OPEN).forEach(NetNs::close), "netns-cleanup"));
    }

    private final String name;
    private final Path lockFile;

    private NetNs(String name, Path lockFile) {
        this.name = name;
        this.lockFile = lockFile;
    }

    /** Makes one. Only a test that is marked {@link NeedsKernel} may. */
    public static NetNs create() {
        Layer.require(Layer.KERNEL);
        String name = PREFIX + ProcessHandle.current().pid() + "-" + COUNTER.incrementAndGet();
        try {
            NetNs ns = new NetNs(name, Files.createTempFile(name + "-", ".lock"));
            OPEN.add(ns);
            demand(List.of("ip", "netns", "add", name), "");
            ns.sh("ip link set lo up");
            return ns;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public String name() {
        return name;
    }

    /** The xtables lock that every program run in this namespace uses, so that tests do not wait for each other. */
    public Path lockFile() {
        return lockFile;
    }

    /** The command that runs {@code argv} in this namespace. */
    public List<String> enter(List<String> argv) {
        String ip = Programs.find("ip", Programs.path()).map(Path::toString).orElse("ip");
        List<String> full = new ArrayList<>(List.of(ip, "netns", "exec", name));
        full.addAll(argv);
        return full;
    }

    Map<String, String> environment() {
        return Map.of("XTABLES_LOCKFILE", lockFile.toString(), "PATH", Programs.path());
    }

    /** Runs a program here and returns how it went. */
    public CommandRunner.Outcome tryRun(List<String> argv, String stdin) {
        return Programs.run(enter(argv), stdin, environment(), LIMIT);
    }

    /** Runs a program here, which must exit with 0, and returns what it printed. */
    public String run(String... argv) {
        return runWith("", argv);
    }

    /** As {@link #run} with standard input. */
    public String runWith(String stdin, String... argv) {
        return demandExit(List.of(argv), tryRun(List.of(argv), stdin));
    }

    /** Runs shell lines here; the first that fails is an error. */
    public String sh(String lines) {
        return run("sh", "-ec", lines);
    }

    @Override
    public void close() {
        if (OPEN.remove(this)) {
            try {
                demand(List.of("ip", "netns", "del", name), "");
            } finally {
                lockFile.toFile().delete();
            }
        }
    }

    private static String demand(List<String> argv, String stdin) {
        return demandExit(argv, Programs.run(argv, stdin, Map.of("PATH", Programs.path()), LIMIT));
    }

    private static String demandExit(List<String> argv, CommandRunner.Outcome outcome) {
        if (outcome instanceof Exited exited && exited.code() == 0) {
            return exited.stdout();
        }
        throw new IllegalStateException(argv + ": " + outcome);
    }

    /** Deletes what a killed JVM left: names that hold the pid of a process that is no more. */
    private static void sweep() {
        Path directory = Path.of("/run/netns");
        if (!Files.isDirectory(directory)) {
            return;
        }
        try (Stream<Path> entries = Files.list(directory)) {
            entries.map(path -> path.getFileName().toString())
                    .filter(found -> found.matches(PREFIX + "\\d+-\\d+"))
                    .filter(found -> ProcessHandle.of(Long.parseLong(found.split("-")[1]))
                            .isEmpty())
                    .forEach(found -> Programs.run(
                            List.of("ip", "netns", "del", found), "", Map.of("PATH", Programs.path()), LIMIT));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
