package net.ipmasq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every decision that something refers to exists, and the list of decisions is complete. */
class DecisionsTest {
    private static final Path FOLDER = Path.of("docs/adr");

    /** Files that refer to decisions: pages, sources, scripts, the bundle. */
    private static List<Path> files() throws IOException {
        List<Path> files = new ArrayList<>();
        for (String root : List.of("docs", "src", "scripts", "addon-bundle", ".ci", "dev", "pom.xml")) {
            try (Stream<Path> below = Files.walk(Path.of(root))) {
                below.filter(Files::isRegularFile).forEach(files::add);
            }
        }
        try (Stream<Path> top = Files.list(Path.of(""))) {
            top.filter(file -> file.toString().endsWith(".md")).forEach(files::add);
        }
        return files;
    }

    /** Number to file name. */
    private static Map<String, String> decisions() throws IOException {
        Map<String, String> decisions = new TreeMap<>();
        try (Stream<Path> files = Files.list(FOLDER)) {
            files.map(file -> file.getFileName().toString())
                    .filter(name -> name.matches("\\d{4}-.*\\.md"))
                    .forEach(name -> assertThat(decisions.put(name.substring(0, 4), name))
                            .as("another decision with the number of %s", name)
                            .isNull());
        }
        return decisions;
    }

    @Test
    void everyDecisionMentionedExists() throws IOException {
        Map<String, String> decisions = decisions();
        int mentions = 0;
        for (Path file : files()) {
            // bytes as characters: some resources are no UTF-8
            String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            for (String number : Page.all("\\bADR[ -]?(\\d+)\\b", text)) {
                assertThat(decisions).as("ADR %s in %s", number, file).containsKey(number);
                mentions++;
            }
            for (String name : Page.all("\\badr/(\\d[\\w-]*(?:\\.md)?)", text)) {
                assertThat(decisions.entrySet())
                        .as("adr/%s in %s", name, file)
                        .anyMatch(decision -> name.equals(decision.getKey()) || name.equals(decision.getValue()));
                mentions++;
            }
        }
        assertThat(mentions).isGreaterThan(10);
    }

    @Test
    void theListHasEachDecisionWithItsTitle() throws IOException {
        List<String> lines = new ArrayList<>();
        for (Map.Entry<String, String> decision : decisions().entrySet()) {
            String title =
                    Files.readAllLines(FOLDER.resolve(decision.getValue())).getFirst();
            assertThat(title).startsWith("# " + decision.getKey() + " ");
            lines.add(
                    "- [" + decision.getKey() + "](" + decision.getValue() + ")" + title.substring("# 0000".length()));
        }
        assertThat(Docs.text("docs/adr/README.md").lines().filter(line -> line.startsWith("- ")))
                .containsExactlyElementsOf(lines);
    }

    /** A link between decisions has the number of the page that it leads to. */
    @Test
    void everyLinkHasTheNumberOfItsPage() throws IOException {
        for (Path file : files()) {
            if (file.toString().endsWith(".md")) {
                for (String link :
                        Page.all("\\[(?:ADR )?(\\d{4}\\]\\((?:[\\w./]*/)?\\d{4})-", Files.readString(file))) {
                    assertThat(link.substring(0, 4))
                            .as("link in %s", file)
                            .isEqualTo(link.substring(link.length() - 4));
                }
            }
        }
    }
}
