package net.ipmasq.bench;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Everything that the flow bench measured, as a table (Markdown) and as a plot. */
final class FlowResults {
    /** Ratios are to this many entries. */
    private static final int REFERENCE = 5;

    private final Map<String, Map<Integer, FlowSamples>> samples = new LinkedHashMap<>();
    private double forwarding = Double.POSITIVE_INFINITY;

    FlowSamples of(String backend, int size) {
        return samples.computeIfAbsent(backend, name -> new TreeMap<>())
                .computeIfAbsent(size, entries -> new FlowSamples());
    }

    /** A round without rules and without connection tracking. */
    void forwarding(double micros) {
        forwarding = Math.min(forwarding, micros);
    }

    /** How many flows of a backend arrived with which address, over all sizes. */
    record Arrived(long asNode, long asPod) {}

    Arrived arrived(String backend) {
        var sizes = samples.getOrDefault(backend, Map.of()).values();
        return new Arrived(
                sizes.stream().mapToLong(FlowSamples::arrivedAsNode).sum(),
                sizes.stream().mapToLong(FlowSamples::arrivedAsPod).sum());
    }

    String table() {
        StringBuilder table = new StringBuilder("""
                | backend         | entries | no match µs |   ratio | last match µs | load ms | load CPU ms | load bytes | update ms | update CPU ms | update bytes |
                |-----------------|--------:|------------:|--------:|--------------:|--------:|------------:|-----------:|----------:|--------------:|-------------:|
                """);
        row(table, "none", "", forwarding, "", "", "", "", "", "", "", "");
        samples.forEach((backend, sizes) -> sizes.forEach((size, sample) -> row(table, backend, size, sizes)));
        return table.toString();
    }

    private static void row(StringBuilder table, String backend, int size, Map<Integer, FlowSamples> sizes) {
        FlowSamples sample = sizes.get(size);
        FlowSamples reference = sizes.get(REFERENCE);
        if (sample == null) {
            return;
        }
        row(
                table,
                backend,
                String.format(Locale.ROOT, "%,d", size),
                sample.noMatchMicros(),
                reference == null ? "" : decimal(sample.noMatchMicros() / reference.noMatchMicros(), 2),
                size == 0 ? "" : decimal(sample.lastMatchMicros(), 1),
                decimal(sample.loads().medianMillis(), 1),
                decimal(sample.loads().meanCpuMillis(), 0),
                String.format(Locale.ROOT, "%,d", sample.loads().bytes()),
                decimal(sample.updates().medianMillis(), 1),
                decimal(sample.updates().meanCpuMillis(), 0),
                String.format(Locale.ROOT, "%,d", sample.updates().bytes()));
    }

    private static void row(StringBuilder table, String backend, String size, double micros, String... rest) {
        List<Object> cells = new ArrayList<>(List.of(backend, size, decimal(micros, 1)));
        cells.addAll(List.of(rest));
        table.append(String.format(
                Locale.ROOT,
                "| %-15s | %7s | %11s | %7s | %13s | %7s | %11s | %10s | %9s | %13s | %12s |%n",
                cells.toArray()));
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
            series.add(new FlowPlot.Series(backend, points));
        });
        return FlowPlot.svg(series, new FlowPlot.Level("no rules, forwarding only", forwarding));
    }
}
