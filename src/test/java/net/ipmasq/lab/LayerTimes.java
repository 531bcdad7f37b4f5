package net.ipmasq.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.LongSupplier;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Counts tests and their time by layer, set-up included, and adds a line for each layer to {@code target/layers} when a run
 * ends: the layer, how many tests ran, and milliseconds. Tests of the packaged program ({@code *IT}) have lines of their own.
 */
public final class LayerTimes implements TestExecutionListener {
    private static volatile Optional<Layer> current = Optional.empty();

    /** Tests and milliseconds until now. */
    record Total(int tests, long millis) {
        Total plus(Total other) {
            return new Total(tests + other.tests, millis + other.millis);
        }
    }

    private record Open(Layer layer, boolean packaged) {
        static final Open NOTHING = new Open(Layer.UNIT, false);

        String key() {
            return layer.tag() + (packaged ? ", packaged" : "");
        }
    }

    private final LongSupplier nanos;
    private final Path file;
    private final Deque<Open> open = new ArrayDeque<>();
    private final Map<String, Total> totals = new TreeMap<>();
    private long since;

    public LayerTimes() {
        this(System::nanoTime, Path.of("target", "layers"));
    }

    LayerTimes(LongSupplier nanos, Path file) {
        this.nanos = nanos;
        this.file = file;
        this.since = nanos.getAsLong();
    }

    /** The layer of the test that runs now; empty between tests. */
    static Optional<Layer> current() {
        return current;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        Open outer = open.isEmpty() ? Open.NOTHING : open.peek();
        add(0);
        // dynamic tests have no tags of their own
        Layer layer = Layer.of(test.getTags().stream().map(TestTag::getName).toList())
                .filter(own -> own.compareTo(outer.layer) > 0)
                .orElse(outer.layer);
        enter(new Open(layer, outer.packaged || test.getUniqueId().matches(".*\\[class:[^]]*IT]")));
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        add(test.isTest() ? 1 : 0);
        open.pop();
        current = Optional.ofNullable(open.peek()).map(Open::layer);
    }

    private void enter(Open next) {
        open.push(next);
        current = Optional.of(next.layer);
    }

    private void add(int tests) {
        long now = nanos.getAsLong();
        if (!open.isEmpty()) {
            Total more = new Total(tests, (now - since) / 1_000_000);
            totals.merge(open.peek().key(), more, Total::plus);
        }
        since = now;
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        StringBuilder lines = new StringBuilder();
        totals.forEach((key, total) -> {
            if (total.tests > 0) {
                lines.append("%s\t%d\t%d\n".formatted(key, total.tests, total.millis));
            }
        });
        totals.clear();
        try {
            Files.createDirectories(file.toAbsolutePath().getParent());
            Files.writeString(file, lines, StandardOpenOption.CREATE, StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
