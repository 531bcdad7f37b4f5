package net.ipmasq.docs;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A table between markers of a page. Its first columns come from the program; the last ones are written by hand, and stay
 * with the row whose first cell is the same.
 *
 * @param head heads of the generated columns
 * @param byHand heads of the columns that follow them
 * @param rows the generated cells
 */
record GeneratedTable(List<String> head, List<String> byHand, List<List<String>> rows) {
    private static String start(String name) {
        return "<!-- generated: " + name + " -->\n";
    }

    private static final String END = "<!-- end -->";

    /** The page with this table between the markers of {@code name}. */
    String into(String page, String name) {
        int from = from(page, name);
        return page.substring(0, from) + "\n" + text(written(page, name)) + "\n"
                + page.substring(page.indexOf(END, from));
    }

    /** The rows whose first column by hand is empty, by their first cells. */
    List<String> unexplained(String page, String name) {
        Map<String, List<String>> written = written(page, name);
        return rows.stream()
                .map(List::getFirst)
                .filter(row -> written.getOrDefault(row, List.of("")).getFirst().isEmpty())
                .toList();
    }

    private static int from(String page, String name) {
        int at = page.indexOf(start(name));
        if (at < 0) {
            throw new IllegalArgumentException(
                    "the page has no marker " + start(name).strip());
        }
        return at + start(name).length();
    }

    private String text(Map<String, List<String>> written) {
        List<String> blank = byHand.stream().map(any -> "").toList();
        Stream<List<String>> all = Stream.concat(
                Stream.of(join(head, byHand)),
                rows.stream().map(row -> join(row, written.getOrDefault(row.getFirst(), blank))));
        List<String> lines =
                all.map(cells -> "| " + String.join(" | ", cells) + " |\n").toList();
        return lines.getFirst() + "|" + "---|".repeat(head.size() + byHand.size()) + "\n"
                + lines.stream().skip(1).collect(Collectors.joining());
    }

    private static List<String> join(List<String> first, List<String> second) {
        return Stream.concat(first.stream(), second.stream()).toList();
    }

    /** The cells by hand that the page has now, by the first cell of the row. */
    private Map<String, List<String>> written(String page, String name) {
        int from = from(page, name);
        Map<String, List<String>> written = new HashMap<>();
        Page.of("# " + name + "\n" + page.substring(from, page.indexOf(END, from))).tables().stream()
                .flatMap(table -> table.rows().stream().skip(1))
                .filter(row -> row.size() == head.size() + byHand.size())
                .forEach(row -> written.put(row.getFirst(), row.subList(head.size(), row.size())));
        return written;
    }
}
