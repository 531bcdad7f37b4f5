package net.ipmasq.bench;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Everything that the flow bench measured, as a table (Markdown) and as a plot. */
final class FlowResults {
    /** Ratios are to this many entries. */
    private static final int REFERENCE = 5;

    private final Map<FlowBackend, Map<Integer, FlowSamples>> samples = new EnumMap<>(FlowBackend.class);
    private double forwarding = Double.POSITIVE_INFINITY;
    private double coldForwarding = Double.POSITIVE_INFINITY;

    FlowSamples of(FlowBackend backend, int size) {
        return samples.computeIfAbsent(backend, name -> new TreeMap<>())
                .computeIfAbsent(size, entries -> new FlowSamples());
    }

    /** A round without rules and without connection tracking. */
    void forwarding(double hot, double cold) {
        forwarding = Math.min(forwarding, hot);
        coldForwarding = Math.min(coldForwarding, cold);
    }

    /** How many flows of a backend arrived with which address, over all sizes. */
    record Arrived(long asNode, long asPod) {}

    Arrived arrived(FlowBackend backend) {
        var sizes = samples.getOrDefault(backend, Map.of()).values();
        return new Arrived(
                sizes.stream().mapToLong(FlowSamples::arrivedAsNode).sum(),
                sizes.stream().mapToLong(FlowSamples::arrivedAsPod).sum());
    }

    /** What flows cost. */
    String flows() {
        StringBuilder table = new StringBuilder("""
                | backend         | entries | no match, µs | ratio to 5 | cold, µs | ratio to 5 | last match, µs |
                |-----------------|--------:|-------------:|-----------:|---------:|-----------:|---------------:|
                """);
        String row = "| %-15s | %7s | %12s | %10s | %8s | %10s | %14s |";
        row(table, row, "no rules", "", decimal(forwarding, 1), "", decimal(coldForwarding, 1), "", "");
        samples.forEach((backend, sizes) -> sizes.forEach((size, sample) -> {
            FlowSamples reference = sizes.getOrDefault(REFERENCE, sample);
            row(
                    table,
                    row,
                    backend.key(),
                    whole(size),
                    decimal(sample.noMatchMicros(), 1),
                    decimal(sample.noMatchMicros() / reference.noMatchMicros(), 2),
                    decimal(sample.coldMicros(), 1),
                    decimal(sample.coldMicros() / reference.coldMicros(), 2),
                    size == 0 ? "" : decimal(sample.lastMatchMicros(), 1));
        }));
        return table.toString();
    }

    /** What loading the list and adding an entry cost. */
    String writes() {
        StringBuilder table = new StringBuilder("""
                | backend         | entries | load, ms | CPU, ms |     bytes | read, ms | update, ms | CPU, ms | bytes |
                |-----------------|--------:|---------:|--------:|----------:|---------:|-----------:|--------:|------:|
                """);
        samples.forEach((backend, sizes) -> sizes.forEach((size, sample) -> row(
                table,
                "| %-15s | %7s | %8s | %7s | %9s | %8s | %10s | %7s | %5s |",
                backend.key(),
                whole(size),
                decimal(sample.loads().millis(), 1),
                decimal(sample.loads().cpuMillis(), 0),
                whole(sample.loads().bytes()),
                decimal(sample.updates().readMillis(), 1),
                decimal(sample.updates().millis(), 1),
                decimal(sample.updates().cpuMillis(), 0),
                whole(sample.updates().bytes()))));
        return table.toString();
    }

    private static void row(StringBuilder table, String format, Object... cells) {
        table.append(String.format(Locale.ROOT, format, cells)).append('\n');
    }

    private static String whole(int value) {
        return String.format(Locale.ROOT, "%,d", value);
    }

    private static String decimal(double value, int digits) {
        return String.format(Locale.ROOT, "%." + digits + "f", value);
    }

    /** New flows that match nothing: the longest way through the rules. */
    String plot() {
        List<FlowPlot.Series> series = new ArrayList<>();
        samples.forEach((backend, sizes) -> {
            List<FlowPlot.Point> points = new ArrayList<>();
            sizes.forEach((size, sample) -> {
                if (size > 0) {
                    points.add(new FlowPlot.Point(size, sample.noMatchMicros()));
                }
            });
            series.add(new FlowPlot.Series(backend.key(), points));
        });
        return FlowPlot.svg(series, new FlowPlot.Level("no rules at all", forwarding));
    }
}
