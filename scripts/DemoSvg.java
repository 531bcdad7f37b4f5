import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A picture of the demo from what a run of it has printed: java DemoSvg.java SVG &lt; OUTPUT. Each step is a screen of its own
 * and shown for some seconds; where animations are off, one screen stays.
 */
final class DemoSvg {
    private static final int COLUMNS = 106;
    private static final int MOST_ROWS = 19;
    private static final double ROW = 17.5;
    private static final int SECONDS = 7;
    /** The screen that stays: the one that shows both addresses. */
    private static final int STILL = 2;

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT[0-9:.]+Z ");
    private static final Pattern TEMPORARY = Pattern.compile("/tmp/ip-masq-demo\\.\\w+/");
    /** What is left out: long lists, a second telling of the same, the details of status. */
    private static final Pattern LEFT_OUT = Pattern.compile("      - .*|    (masqLink|resync|-N |-A .*RETURN|ip-masq-agent: line).*"
            + "|    (version|profile|config|source|revision|rules in place|Degraded|Progressing|Configured) .*"
            + "|    ipv[46]: .*|      (drift|  +\\d+ packets).*| +\t?\\d\t  - .*|    ");

    private static final Pattern TABLE = Pattern.compile("  (the pod sends to|[0-9a-f.:]+ {2,}).*");
    private static final Pattern SEEN = Pattern.compile("\\b(pod|node) +([0-9a-f]+[.:][0-9a-f.:]+)");

    private DemoSvg() {}

    public static void main(String[] args) throws IOException {
        String output = new String(System.in.readAllBytes(), StandardCharsets.UTF_8);
        if (!output.contains("All steps passed")) {
            throw new IllegalArgumentException("the demo has not come to its end");
        }
        List<List<String>> screens = new ArrayList<>();
        for (String step : output.substring(0, output.indexOf("All steps passed")).split("(?m)^(?=== )")) {
            if (step.startsWith("== ")) {
                screens.add(screen(step.lines().toList()));
            }
        }
        Files.writeString(Path.of(args[0]), svg(screens));
    }

    private static List<String> screen(List<String> step) {
        boolean all = shortened(step, false).size() <= MOST_ROWS;
        List<String> rows = shortened(step, !all);
        if (rows.size() > MOST_ROWS) {
            throw new IllegalArgumentException("too long for a screen: " + rows.getFirst());
        }
        return rows;
    }

    private static List<String> shortened(List<String> step, boolean withoutTable) {
        List<String> rows = new ArrayList<>();
        for (String line : step) {
            boolean left = LEFT_OUT.matcher(line).matches() || withoutTable && TABLE.matcher(line).matches();
            if (!left && !line.isEmpty()) {
                rows.add(cut(TEMPORARY.matcher(TIME.matcher(line).replaceAll("")).replaceAll("/")));
            } else if (left && !rows.getLast().equals("    ...")) {
                rows.add("    ...");
            }
        }
        return rows;
    }

    private static String cut(String line) {
        String text = line.replaceFirst("^ +(\\d)\t", "    $1  ").stripTrailing();
        return text.length() <= COLUMNS ? text : text.substring(0, COLUMNS - 3) + "...";
    }

    private static String svg(List<List<String>> screens) {
        double height = 34 + MOST_ROWS * ROW;
        double share = 100.0 / screens.size();
        StringBuilder svg = new StringBuilder(String.format(
                Locale.ROOT,
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 880 %1$.0f" width="880" height="%1$.0f" role="img">
                <title>A run of ./dev demo, step by step</title>
                <style>
                text{font:13px ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace;fill:#e6edf3}
                .h{fill:#79c0ff;font-weight:bold}.k{fill:#56d364}.d{fill:#9da7b3}.n{fill:#ffa657}.p{fill:#79c0ff}.e{fill:#ff7b72}
                .s{opacity:0;animation:show %2$ds step-end infinite}
                @keyframes show{0%%{opacity:1}%3$.2f%%{opacity:0}100%%{opacity:0}}
                .still{opacity:1}
                @media (prefers-reduced-motion:reduce){.s{animation:none}}
                </style>
                <rect x=".5" y=".5" width="879" height="%4$.0f" rx="8" fill="#0d1117" stroke="#484f58"/>
                """,
                height,
                SECONDS * screens.size(),
                share,
                height - 1));
        for (int i = 0; i < screens.size(); i++) {
            // a negative delay starts in the middle, so that no screen shows before its turn
            int delay = i == 0 ? 0 : (i - screens.size()) * SECONDS;
            svg.append("<g class=\"s").append(i + 1 == STILL ? " still" : "").append("\" style=\"animation-delay:")
                    .append(delay).append("s\">\n");
            for (int row = 0; row < screens.get(i).size(); row++) {
                svg.append(String.format(Locale.ROOT, "<text x=\"18\" y=\"%.1f\"", 30 + row * ROW))
                        .append(coloured(screens.get(i).get(row))).append("</text>\n");
            }
            svg.append("</g>\n");
        }
        return svg.append("</svg>\n").toString();
    }

    /** The rest of the element: its class and its text. */
    private static String coloured(String line) {
        String text = line.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
        // spaces that no renderer folds
        String kept = SEEN.matcher(text)
                .replaceAll(seen -> "<tspan class=\"" + seen.group(1).charAt(0) + "\">" + seen.group() + "</tspan>")
                .replaceAll("ok$", "<tspan class=\"k\">ok</tspan>")
                .replaceAll("(?<= ) |^ ", "\u00a0");
        String style = line.startsWith("== ") ? "h" : line.startsWith("  ok") ? "k" : line.startsWith("    ERROR") ? "e"
                : line.startsWith("    ") ? "d" : "";
        return (style.isEmpty() ? "" : " class=\"" + style + "\"") + ">" + kept;
    }
}
