package net.ipmasq.lab;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** Runs programs in a namespace, records every call, and can hide programs or step in before a call. */
public final class NetNsRunner implements TextRunner {

    /** One call and how it went. */
    public record Call(List<String> argv, String stdin, Outcome outcome) {
        /** The program's name without its directory. */
        public String program() {
            return String.valueOf(Path.of(argv.getFirst()).getFileName());
        }

        /** Whether the program is one of the iptables-restore family, the only ones that write rules. */
        public boolean isRestore() {
            return program().endsWith("-restore");
        }

        /** Empty for a program that did not end by itself. */
        public OptionalInt exitCode() {
            return outcome instanceof Exited exited ? OptionalInt.of(exited.code()) : OptionalInt.empty();
        }
    }

    private final NetNs ns;
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final Set<String> hidden = ConcurrentHashMap.newKeySet();
    private final Map<String, String> environment = new ConcurrentHashMap<>();
    private volatile Consumer<List<String>> before = argv -> {};

    public NetNsRunner(NetNs ns) {
        this.ns = ns;
        environment.putAll(ns.environment());
    }

    /** From now on these programs are not there, by name and by path. */
    public NetNsRunner hide(String... programs) {
        hidden.addAll(List.of(programs));
        return this;
    }

    /** From now on these programs are there again. */
    public NetNsRunner show(String... programs) {
        List.of(programs).forEach(hidden::remove);
        return this;
    }

    /** Sets an environment variable of the programs; {@code PATH} is also where programs are looked for. */
    public NetNsRunner env(String name, String value) {
        environment.put(name, value);
        return this;
    }

    /** Something to do before each call, on the caller's thread, given the argv. */
    public NetNsRunner before(Consumer<List<String>> hook) {
        before = hook;
        return this;
    }

    /** All calls since the start or the last {@link #forget}, in order of their end. */
    public List<Call> calls() {
        return List.copyOf(calls);
    }

    public List<Call> calls(Predicate<Call> which) {
        return calls.stream().filter(which).toList();
    }

    /** The calls that write rules. */
    public List<Call> restores() {
        return calls(Call::isRestore);
    }

    public void forget() {
        calls.clear();
    }

    @Override
    public Outcome run(List<String> argv, String stdin, Duration limit) {
        before.accept(argv);
        Outcome outcome = has(argv.getFirst())
                ? Programs.run(ns.enter(argv), stdin, new HashMap<>(environment), limit)
                : new NotStarted("No such file or directory");
        calls.add(new Call(List.copyOf(argv), stdin, outcome));
        return outcome;
    }

    @Override
    public boolean has(String program) {
        String name = String.valueOf(Path.of(program).getFileName());
        return !hidden.contains(name)
                && Programs.find(program, environment.getOrDefault("PATH", "")).isPresent();
    }
}
