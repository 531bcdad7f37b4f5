package net.ipmasq.docs;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/** A Markdown page taken apart. */
record Page(List<String> headings, List<String> blocks, List<Table> tables, List<String> links) {
    private static final Pattern LINK = Pattern.compile("]\\(([^)#\\s]*)(#[^)\\s]*)?\\)");

    /** Rows without the line below the head; the head is the first. */
    record Table(String heading, List<List<String>> rows) {}

    static Page of(String text) {
        List<String> headings = new ArrayList<>();
        List<String> blocks = new ArrayList<>();
        List<Table> tables = new ArrayList<>();
        List<List<String>> rows = new ArrayList<>();
        StringBuilder prose = new StringBuilder();
        StringBuilder block = null;
        for (String line : (text + "\n").split("\n", -1)) {
            if (!line.startsWith("|") && !rows.isEmpty()) {
                tables.add(new Table(headings.getLast(), List.copyOf(rows)));
                rows.clear();
            }
            if (block != null) {
                block.append(line).append('\n');
                if (line.equals("```")) {
                    blocks.add(block.toString());
                    block = null;
                }
            } else if (line.startsWith("```")) {
                block = new StringBuilder(line).append('\n');
            } else {
                prose.append(line).append('\n');
                if (line.startsWith("#")) {
                    headings.add(line);
                } else if (line.startsWith("|") && !line.startsWith("|--")) {
                    rows.add(cells(line));
                }
            }
        }
        List<String> links = LINK.matcher(prose)
                .results()
                .map(found -> found.group(1))
                .filter(target -> !target.isEmpty())
                .toList();
        return new Page(List.copyOf(headings), List.copyOf(blocks), List.copyOf(tables), links);
    }

    private static List<String> cells(String line) {
        String inner = line.strip();
        return Pattern.compile("(?<!\\\\)\\|")
                .splitAsStream(inner.substring(1, inner.length() - 1))
                .map(String::strip)
                .toList();
    }

    /** What stands in code spans, in order. */
    static List<String> code(String text) {
        return Pattern.compile("`([^`]+)`")
                .matcher(text)
                .results()
                .map(found -> found.group(1))
                .toList();
    }

    /** The text of the headings' levels, for example {@code ##}. */
    List<String> levels() {
        return headings.stream().map(heading -> heading.replaceFirst(" .*", "")).toList();
    }

    /** The text outside of blocks of code. */
    static String prose(String text) {
        return text.replaceAll("(?ms)^```.*?^```$", "").replaceAll("`[^`\n]+`", "`code`");
    }

    /** What links can name after {@code #}, as GitHub makes it of headings. */
    List<String> anchors() {
        List<String> anchors = new ArrayList<>();
        for (String heading : headings) {
            String anchor = heading.replaceFirst("^#+ +", "")
                    .toLowerCase(Locale.ROOT)
                    .replaceAll("[^\\p{L}\\p{N}_ -]", "")
                    .replace(' ', '-');
            String unique = anchor;
            for (int again = 1; anchors.contains(unique); again++) {
                unique = anchor + "-" + again;
            }
            anchors.add(unique);
        }
        return anchors;
    }

    /** Every place in {@code text} that a pattern with one group matches. */
    static List<String> all(String pattern, String text) {
        return Pattern.compile(pattern)
                .matcher(text)
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
    }
}
