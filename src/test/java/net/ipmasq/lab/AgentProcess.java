package net.ipmasq.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;

/** The agent as a process of its own inside a namespace: {@link Artifact} says what is started. */
public final class AgentProcess implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(60);

    private final Process process;
    private final List<String> lines = new CopyOnWriteArrayList<>();
    private final Object news = new Object();

    private AgentProcess(Process process) {
        this.process = process;
    }

    /** How a command ended and what it printed. */
    public record Result(int code, String out, String err) {}

    /** Runs a command to its end inside a namespace, in front of it a wrapper such as {@code setpriv}. */
    public static Result run(NetNs ns, Map<String, String> env, List<String> wrapper, String... args) {
        List<String> argv = new ArrayList<>(wrapper);
        argv.addAll(Artifact.underTest().command(args));
        return runCommand(ns, env, argv);
    }

    /** As {@link #run(NetNs, Map, List, String...)} for an agent that is started in another way, such as an image's. */
    public static Result runCommand(NetNs ns, Map<String, String> env, List<String> argv) {
        Map<String, String> all = new java.util.HashMap<>(ns.environment());
        all.putAll(env);
        return switch (Programs.run(ns.enter(argv), "", all, LIMIT)) {
            case net.ipmasq.dataplane.CommandRunner.Exited exited ->
                new Result(exited.code(), exited.stdout(), exited.stderr());
            case net.ipmasq.dataplane.CommandRunner.Outcome other ->
                throw new IllegalStateException(argv + ": " + other);
        };
    }

    public static Result run(NetNs ns, String... args) {
        return run(ns, Map.of(), List.of(), args);
    }

    /** Runs a command of the operator's program to its end inside a namespace. */
    public static Result runFleet(NetNs ns, String... args) {
        return runCommand(ns, Map.of(), Artifact.underTest().fleetCommand(args));
    }

    /** Starts the service inside a namespace. */
    public static AgentProcess start(NetNs ns, Map<String, String> env, String... args) {
        return startCommand(ns, env, Artifact.underTest().command(args));
    }

    /** As {@link #start(NetNs, Map, String...)} for an agent that is started in another way. */
    public static AgentProcess startCommand(NetNs ns, Map<String, String> env, List<String> argv) {
        ProcessBuilder builder = new ProcessBuilder(ns.enter(argv)).redirectErrorStream(true);
        builder.environment().putAll(ns.environment());
        builder.environment().putAll(env);
        try {
            AgentProcess agent = new AgentProcess(builder.start());
            Thread.ofPlatform().daemon().name("agent-lines").start(agent::read);
            return agent;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void read() {
        try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line = reader.readLine(); line != null; line = reader.readLine()) {
                lines.add(line);
                synchronized (news) {
                    news.notifyAll();
                }
            }
        } catch (IOException e) {
            lines.add("reading the agent's log ended: " + e);
        }
    }

    /** The log so far. */
    public List<String> lines() {
        return lines;
    }

    /** Waits until a log line, old or new, matches; fails with the whole log when none comes. */
    public String awaitLine(String part) {
        return awaitLine(0, line -> line.contains(part), part);
    }

    /** As {@link #awaitLine(String)}, only for lines after the first {@code seen}. */
    public String awaitLine(int seen, Predicate<String> wanted, String what) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        int at = seen;
        while (true) {
            for (; at < lines.size(); at++) {
                if (wanted.test(lines.get(at))) {
                    return lines.get(at);
                }
            }
            long left = deadline - System.nanoTime();
            if (left <= 0 || !process.isAlive() && at >= lines.size()) {
                throw new AssertionError("no line with '" + what + "' in:\n" + String.join("\n", lines));
            }
            synchronized (news) {
                try {
                    news.wait(Math.min(200, TimeUnit.NANOSECONDS.toMillis(left) + 1));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new AssertionError("interrupted", e);
                }
            }
        }
    }

    public long pid() {
        return process.pid();
    }

    public boolean isAlive() {
        return process.isAlive();
    }

    /** Sends SIGTERM and waits for the end. */
    public int terminate() {
        // not Process.destroy, which also closes the pipe that the last lines come through
        process.toHandle().destroy();
        return await();
    }

    /** Sends SIGKILL and waits for the end. */
    public int kill() {
        process.destroyForcibly();
        return await();
    }

    private int await() {
        try {
            if (!process.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("the agent did not stop:\n" + String.join("\n", lines));
            }
            return process.exitValue();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError("interrupted", e);
        }
    }

    @Override
    public void close() {
        if (process.isAlive()) {
            kill();
        }
    }
}
