package net.ipmasq.bench;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Lines over a logarithmic axis of entries, as SVG with a background of its own, dark where the viewer wants dark. */
final class FlowPlot {
    private static final int WIDTH = 880;
    private static final int HEIGHT = 460;
    private static final int LEFT = 70;
    private static final int RIGHT = 660;
    private static final int TOP = 66;
    private static final int BOTTOM = 390;
    private static final int LABEL_HEIGHT = 20;

    private static final String STYLE = """
              <style>
                text { font: 13px sans-serif; fill: #1f2328; }
                .title { font-size: 17px; font-weight: bold; }
                .panel { fill: #ffffff; stroke: #8b949e; }
                .grid { stroke: #d0d7de; }
                .level { stroke: #6e7781; stroke-dasharray: 6 4; }
                .line { fill: none; stroke-width: 2.5; }
                .s0 { stroke: #0969da; } .s1 { stroke: #bc4c00; } .s2 { stroke: #1a7f37; }
                circle { fill: #ffffff; stroke-width: 2.5; }
                @media (prefers-color-scheme: dark) {
                  text { fill: #e6edf3; }
                  .panel, circle { fill: #0d1117; }
                  .grid { stroke: #30363d; }
                  .level { stroke: #8b949e; }
                  .s0 { stroke: #58a6ff; } .s1 { stroke: #f0883e; } .s2 { stroke: #3fb950; }
                }
              </style>
            """;

    record Point(int entries, double micros) {}

    record Series(String name, List<Point> points) {}

    /** A value that does not depend on the number of entries. */
    record Level(String name, double micros) {}

    private final List<Series> series;
    private final Level level;
    private final double leftLog;
    private final double rightLog;
    private final double step;
    private final double most;

    private FlowPlot(List<Series> series, Level level) {
        this.series = series;
        this.level = level;
        List<Point> all = series.stream().flatMap(one -> one.points().stream()).toList();
        this.leftLog = Math.log(all.stream().mapToInt(Point::entries).min().orElseThrow());
        this.rightLog = Math.log(all.stream().mapToInt(Point::entries).max().orElseThrow());
        double highest = all.stream().mapToDouble(Point::micros).max().orElseThrow();
        this.step = step(highest);
        this.most = Math.ceil(highest / step) * step;
    }

    static String svg(List<Series> series, Level level) {
        return new FlowPlot(series, level).svg();
    }

    /** Of the form 1, 2 or 5 times a power of ten, for four to ten lines. */
    private static double step(double highest) {
        double power = Math.pow(10, Math.floor(Math.log10(highest / 4)));
        double factor = highest / 4 / power;
        return power * (factor >= 5 ? 5 : factor >= 2 ? 2 : 1);
    }

    private String svg() {
        StringBuilder svg = new StringBuilder(8192);
        add(
                svg,
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\" role=\"img\">",
                WIDTH,
                HEIGHT,
                WIDTH,
                HEIGHT);
        add(svg, "  <title>Cost of a new flow by length of the list</title>");
        svg.append(STYLE);
        add(
                svg,
                "  <rect class=\"panel\" x=\"1\" y=\"1\" width=\"%d\" height=\"%d\" rx=\"8\"/>",
                WIDTH - 2,
                HEIGHT - 2);
        text(svg, " class=\"title\"", LEFT, 34, "Cost of a new flow that matches no entry");
        axes(svg);
        add(
                svg,
                "  <line class=\"level\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
                LEFT,
                y(level.micros()),
                RIGHT,
                y(level.micros()));
        for (int i = 0; i < series.size(); i++) {
            line(svg, i);
        }
        labels(svg);
        return svg.append("</svg>\n").toString();
    }

    private void axes(StringBuilder svg) {
        text(svg, "", LEFT, 54, "µs per flow");
        for (double value = 0; value <= most + step / 2; value += step) {
            add(
                    svg,
                    "  <line class=\"grid\" x1=\"%d\" y1=\"%.1f\" x2=\"%d\" y2=\"%.1f\"/>",
                    LEFT,
                    y(value),
                    RIGHT,
                    y(value));
            text(svg, " text-anchor=\"end\"", LEFT - 8, y(value) + 4, String.format(Locale.ROOT, "%.0f", value));
        }
        series.getFirst().points().stream().mapToInt(Point::entries).forEach(entries -> {
            add(
                    svg,
                    "  <line class=\"grid\" x1=\"%.1f\" y1=\"%d\" x2=\"%.1f\" y2=\"%d\"/>",
                    x(entries),
                    TOP,
                    x(entries),
                    BOTTOM + 6);
            text(svg, " text-anchor=\"middle\"", x(entries), BOTTOM + 24, String.format(Locale.ROOT, "%,d", entries));
        });
        text(svg, " text-anchor=\"middle\"", (LEFT + RIGHT) / 2.0, BOTTOM + 48, "entries in the list (logarithmic)");
    }

    private void line(StringBuilder svg, int index) {
        Series one = series.get(index);
        String points = one.points().stream()
                .map(point -> String.format(Locale.ROOT, "%.1f,%.1f", x(point.entries()), y(point.micros())))
                .collect(Collectors.joining(" "));
        add(svg, "  <polyline class=\"line s%d\" points=\"%s\"/>", index, points);
        for (Point point : one.points()) {
            add(
                    svg,
                    "  <circle class=\"s%d\" cx=\"%.1f\" cy=\"%.1f\" r=\"4\"><title>%s, %,d entries: %.1f µs</title></circle>",
                    index,
                    x(point.entries()),
                    y(point.micros()),
                    one.name(),
                    point.entries(),
                    point.micros());
        }
    }

    private record Label(String name, double micros) {}

    /** At the right end of each line, moved apart where lines end close together. */
    private void labels(StringBuilder svg) {
        List<Label> labels = new ArrayList<>(series.stream()
                .map(one -> new Label(one.name(), one.points().getLast().micros()))
                .toList());
        labels.add(new Label(level.name(), level.micros()));
        labels.sort(Comparator.comparingDouble(Label::micros));
        double[] at =
                labels.stream().mapToDouble(label -> y(label.micros()) + 4).toArray();
        IntStream.range(1, at.length).forEach(i -> at[i] = Math.min(at[i], at[i - 1] - LABEL_HEIGHT));
        for (int i = 0; i < at.length; i++) {
            Label label = labels.get(i);
            text(svg, "", RIGHT + 12, at[i], String.format(Locale.ROOT, "%s %.1f", label.name(), label.micros()));
        }
    }

    private double x(int entries) {
        double width = rightLog > leftLog ? rightLog - leftLog : 1;
        return LEFT + 20 + (Math.log(entries) - leftLog) / width * (RIGHT - LEFT - 30);
    }

    private double y(double micros) {
        return BOTTOM - micros / most * (BOTTOM - TOP);
    }

    private static void text(StringBuilder svg, String attributes, double x, double y, String text) {
        add(svg, "  <text%s x=\"%.1f\" y=\"%.1f\">%s</text>", attributes, x, y, text);
    }

    private static void add(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values)).append('\n');
    }
}
