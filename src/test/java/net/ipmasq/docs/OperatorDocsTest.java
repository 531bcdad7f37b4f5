package net.ipmasq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.ipmasq.agent.Settings;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.backend.BackendChoice;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the pages for operators name must exist: metrics, labels, settings, codes, backends. */
class OperatorDocsTest {
    private static final List<String> PAGES = List.of(
            "README.md",
            "docs/reference.md",
            "docs/operations.md",
            "docs/migration.md",
            "docs/user-guide.md",
            "docs/user-guide.zh-CN.md",
            "docs/adr/0011-backends-and-auto.md");

    @TestFactory
    Stream<DynamicTest> everyMetricNamedExists() {
        return PAGES.stream()
                .map(file -> DynamicTest.dynamicTest(file, () -> {
                    Set<String> known = Docs.firstCells("docs/metrics.md", "## Metrics");
                    for (String name : Page.all("(ip_masq_agent_[a-z_]+)", Docs.text(file))) {
                        assertThat(known).as(file).contains(name.replaceFirst("_(bucket|count|sum)$", ""));
                    }
                }));
    }

    /** {@code metric{label="value"}} and {@code by (label)}: labels that the metric has. */
    @Test
    void everyLabelOfAnExpressionExists() throws IOException {
        String metrics = Docs.text("docs/metrics.md");
        String text = Docs.text("docs/operations.md");
        for (String use : Page.all("(ip_masq_agent_[a-z_]+\\{[a-z_]+)=", text)) {
            String name = use.substring(0, use.indexOf('{'));
            String label = use.substring(use.indexOf('{') + 1);
            assertThat(metrics.lines().filter(line -> line.startsWith("| `" + name + "` |")))
                    .as(use)
                    .anySatisfy(line -> assertThat(line).contains("`" + label + "`"));
        }
    }

    @TestFactory
    Stream<DynamicTest> everySettingNamedExists() throws IOException {
        // what building the image takes is none of the agent's
        Set<String> known = new TreeSet<>();
        for (String script : List.of("scripts/image.sh", "scripts/image-base.sh")) {
            Page.all("\\b(IP_MASQ_[A-Z0-9_]+)", Files.readString(Path.of(script)))
                    .forEach(known::add);
        }
        Settings.of(name -> {
            known.add(Settings.environmentName(name));
            return java.util.Optional.empty();
        });
        return PAGES.stream()
                .map(file -> DynamicTest.dynamicTest(file, () -> {
                    for (String name : Page.all("\\b(IP_MASQ_[A-Z0-9_]+)", Docs.text(file))) {
                        assertThat(known).as(file).contains(name);
                    }
                }));
    }

    /** {@code --backend} values that follow the flag. */
    @TestFactory
    Stream<DynamicTest> everyBackendNamedExists() {
        return PAGES.stream()
                .map(file -> DynamicTest.dynamicTest(file, () -> {
                    for (String name : Page.all("--backend ([a-z-]+)", Docs.text(file))) {
                        assertThat(Settings.BACKENDS).as(file).contains(name);
                    }
                }));
    }

    /** What stands in code spans in any table. */
    private static List<String> cells(String file) throws IOException {
        return Page.of(Docs.text(file)).tables().stream()
                .flatMap(table -> table.rows().stream())
                .flatMap(row -> row.stream().flatMap(cell -> Page.code(cell).stream()))
                .toList();
    }

    private static List<String> firstCells(String file, String head) throws IOException {
        return Page.of(Docs.text(file)).tables().stream()
                .filter(table -> table.rows().getFirst().getFirst().equals(head))
                .flatMap(table -> table.rows().stream().skip(1))
                .map(row -> Page.code(row.getFirst()).getFirst())
                .toList();
    }

    @TestFactory
    Stream<DynamicTest> everyReasonOfAutoIsExplained() {
        List<String> reasons = Arrays.stream(BackendChoice.Reason.values())
                .map(BackendChoice.Reason::key)
                .toList();
        return Stream.of("docs/adr/0011-backends-and-auto.md", "docs/operations.md")
                .map(file -> DynamicTest.dynamicTest(
                        file, () -> assertThat(firstCells(file, "reason")).containsSubsequence(reasons)));
    }

    @Test
    void everyBackendIsExplained() throws IOException {
        assertThat(Docs.firstCells("docs/reference.md", "## Backends")).containsAll(Settings.BACKENDS);
        assertThat(Docs.text("docs/operations.md")).contains(Settings.BACKENDS);
    }

    @Test
    void everyFailureCodeIsInTheOperatorsTable() throws IOException {
        assertThat(cells("docs/operations.md"))
                .containsAll(Arrays.stream(FailureCode.values())
                        .map(FailureCode::key)
                        .toList());
    }

    /** The migration page says which finding a difference leads to. */
    @Test
    void everyCodeOfTheMigrationPageExists() throws IOException {
        List<String> known =
                Arrays.stream(ProblemCode.values()).map(ProblemCode::code).toList();
        List<String> named = Page.of(Docs.text("docs/migration.md")).tables().stream()
                .filter(table -> table.rows().getFirst().getLast().equals("finding"))
                .flatMap(table -> table.rows().stream())
                .flatMap(row -> Page.code(row.getLast()).stream())
                .filter(code -> code.matches("[a-z0-9]+(-[a-z0-9]+)+"))
                .toList();
        assertThat(named).hasSizeGreaterThan(5);
        assertThat(known).containsAll(named);
    }
}
