package net.ipmasq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import javax.xml.parsers.DocumentBuilderFactory;
import net.ipmasq.bench.FlowPlot.Point;
import net.ipmasq.bench.FlowPlot.Series;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Document;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

/** The plot is XML that a browser takes, and shows everything that it was given. */
class FlowPlotTest {
    private static final List<Series> SERIES = List.of(
            new Series("first", List.of(new Point(5, 6.5), new Point(64, 7.5), new Point(16_384, 410.25))),
            new Series("second", List.of(new Point(5, 6.75), new Point(64, 8.0), new Point(16_384, 405.5))),
            new Series("third", List.of(new Point(5, 7.25), new Point(64, 7.5), new Point(16_384, 8.5))));
    private static final FlowPlot.Level LEVEL = new FlowPlot.Level("none", 4.25);

    @Test
    void hasALinePerSeriesWithAllItsPoints() throws Exception {
        List<Element> lines = elements(svg(SERIES), "polyline");

        assertThat(lines).hasSameSizeAs(SERIES);
        assertThat(lines)
                .allSatisfy(line ->
                        assertThat(line.getAttribute("points").split(" ")).hasSize(3));
    }

    @Test
    void showsEveryValue() throws Exception {
        List<String> shown = texts(svg(SERIES), "title");

        for (Series series : SERIES) {
            for (Point point : series.points()) {
                assertThat(shown)
                        .contains("%s, %,d entries: %.1f µs".formatted(series.name(), point.entries(), point.micros()));
            }
        }
        assertThat(texts(svg(SERIES), "text"))
                .contains("first 410.3", "second 405.5", "third 8.5", "none 4.3")
                .contains("5", "64", "16,384");
    }

    @Test
    void drawsHigherWhatCostsMoreAndInsideThePanel() throws Exception {
        List<Double> heights = elements(svg(SERIES), "circle").stream()
                .map(circle -> Double.valueOf(circle.getAttribute("cy")))
                .toList();

        assertThat(heights.get(2)).isLessThan(heights.get(1));
        assertThat(heights).allSatisfy(y -> assertThat(y).isBetween(66.0, 390.0));
    }

    @Test
    void keepsLabelsOfLinesThatEndTogetherApart() throws Exception {
        List<Double> labels = elements(svg(SERIES), "text").stream()
                .filter(text -> Pattern.matches("(first|second|third|none) .*", text.getTextContent()))
                .map(text -> Double.valueOf(text.getAttribute("y")))
                .sorted()
                .toList();

        assertThat(labels).hasSize(4);
        for (int i = 1; i < labels.size(); i++) {
            assertThat(labels.get(i) - labels.get(i - 1)).isGreaterThan(19.9);
        }
    }

    @Test
    void drawsASingleSize() throws Exception {
        assertThat(elements(svg(List.of(new Series("only", List.of(new Point(5, 6.5))))), "circle"))
                .hasSize(1);
    }

    private static Document svg(List<Series> series) throws Exception {
        String text = FlowPlot.svg(series, LEVEL);
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static List<Element> elements(Document svg, String name) {
        NodeList found = svg.getElementsByTagName(name);
        List<Element> elements = new ArrayList<>();
        for (int i = 0; i < found.getLength(); i++) {
            elements.add((Element) found.item(i));
        }
        return elements;
    }

    private static List<String> texts(Document svg, String name) {
        return elements(svg, name).stream().map(Element::getTextContent).toList();
    }
}
