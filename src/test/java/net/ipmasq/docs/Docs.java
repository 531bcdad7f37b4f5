package net.ipmasq.docs;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The project's documents, as tests look at them. */
public final class Docs {
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    private Docs() {}

    /** The text of a document, for example {@code docs/metrics.md}. */
    public static String text(String file) throws IOException {
        return Files.readString(Path.of(file));
    }

    /** What stands in the code spans of the first cell of every table row below a heading, up to the next heading. */
    public static Set<String> firstCells(String file, String heading) throws IOException {
        List<String> lines = text(file).lines().toList();
        int from = lines.indexOf(heading);
        if (from < 0) {
            throw new IllegalArgumentException(file + " has no heading '" + heading + "'");
        }
        Set<String> cells = new TreeSet<>();
        for (String line : lines.subList(from + 1, lines.size())) {
            if (line.startsWith("#")) {
                break;
            }
            if (line.startsWith("|")) {
                Matcher code = CODE.matcher(line.split("\\|", -1)[1]);
                while (code.find()) {
                    cells.add(code.group(1));
                }
            }
        }
        return cells;
    }
}
