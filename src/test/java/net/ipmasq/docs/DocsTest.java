package net.ipmasq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ManifestReader;
import net.ipmasq.config.Problem;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** What the documents list must be what the code has, both ways. */
class DocsTest {
    private static final Pattern EXAMPLE =
            Pattern.compile("(?m)^\\| `([a-z0-9-]+)` \\| (?:error|warning|note) \\| [^|]+ \\| `([^`]+)`([^|]*) \\|$");

    private static final int README_LINES = 120;
    private static final Pattern LINK =
            Pattern.compile("(?:]\\(|(?:href|src|srcset)=\")([^)#\\s\"]*)(?:#([^)\\s\"]*))?[)\"]");

    @Test
    void everyProblemCodeIsExplainedAndNoOther() throws IOException {
        assertThat(Docs.firstCells("docs/configuration.md", "## Problem codes"))
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ProblemCode.values())
                        .map(ProblemCode::code)
                        .toList());
    }

    @Test
    void problemCodesAreListedWithTheirSeverity() throws IOException {
        String text = Docs.text("docs/configuration.md");
        for (ProblemCode code : ProblemCode.values()) {
            assertThat(text)
                    .contains("| `" + code.code() + "` | " + code.severity().key() + " |");
        }
    }

    /** Each example has the finding that it stands for, under {@code cce} or the profile that the page shows. */
    @TestFactory
    Stream<DynamicTest> everyExampleHasItsProblem() throws IOException {
        String page = Docs.text("docs/configuration.md");
        ProviderProfile cce = BuiltInProfiles.profile("cce").orElseThrow();
        ProviderProfile example = profileOf(block(page, "name: example"));
        return EXAMPLE.matcher(page)
                .results()
                .map(row -> DynamicTest.dynamicTest(row.group(1), () -> {
                    String text = row.group(2).translateEscapes();
                    boolean other = row.group(3).contains("profile `example`");
                    List<Problem> problems = row.group(1).startsWith("profile-")
                            ? problemsOfProfile(text)
                            : ConfigJudge.judge(ManifestReader.check(text), other ? example : cce)
                                    .problems();
                    assertThat(problems).extracting(Problem::code).contains(row.group(1));
                }));
    }

    /** The scenarios can be pasted: they have no finding at all. */
    @Test
    void everyConfigurationOfThePageIsValid() throws IOException {
        String page = Docs.text("docs/configuration.md");
        ProviderProfile cce = BuiltInProfiles.profile("cce").orElseThrow();
        for (String start : List.of("masqOutBound: false", "nonMasqueradeCIDRs:", "masqueradeCIDRs:")) {
            ConfigOutcome outcome = ConfigJudge.judge(ManifestReader.check(block(page, start)), cce);
            assertThat(outcome).isInstanceOf(ConfigOutcome.Loaded.class);
            assertThat(outcome.problems()).isEmpty();
        }
    }

    @Test
    void theConfigurationOfTheReadmeIsValid() throws IOException {
        ConfigOutcome outcome = ConfigJudge.judge(
                ManifestReader.check(block(Docs.text("README.md"), "nonMasqueradeCIDRs:")),
                BuiltInProfiles.profile("cce").orElseThrow());
        assertThat(outcome).isInstanceOf(ConfigOutcome.Loaded.class);
        assertThat(outcome.problems()).isEmpty();
    }

    private static String block(String page, String start) {
        int from = page.indexOf("```yaml\n" + start);
        assertThat(from).as("block that starts with %s", start).isNotNegative();
        return page.substring(from + "```yaml\n".length(), page.indexOf("```", from + 3));
    }

    private static ProviderProfile profileOf(String yaml) {
        return ((ProfileReader.Good) ProfileReader.read(yaml.getBytes(StandardCharsets.UTF_8), "otherwise")).profile();
    }

    private static List<Problem> problemsOfProfile(String yaml) {
        return switch (ProfileReader.read(yaml.getBytes(StandardCharsets.UTF_8), "otherwise")) {
            case ProfileReader.Good good -> good.warnings();
            case ProfileReader.Bad bad -> bad.problems();
        };
    }

    @Test
    void everyKeyOfTheConfigurationIsInTheReference() throws IOException {
        assertThat(Docs.firstCells("docs/reference.md", "## Configuration"))
                .containsExactlyInAnyOrderElementsOf(ConfigKey.spellings(ConfigKey.ALL));
    }

    @Test
    void theReadmeIsShort() throws IOException {
        assertThat(Docs.text("README.md").lines().count()).isLessThanOrEqualTo(README_LINES);
    }

    /** With the heading that it names, where it names one. */
    @TestFactory
    Stream<DynamicTest> everyLinkBetweenDocumentsLeadsSomewhere() throws IOException {
        return documents().stream()
                .map(file -> DynamicTest.dynamicTest(file.toString(), () -> {
                    Matcher link = LINK.matcher(Page.prose(Files.readString(file)));
                    while (link.find()) {
                        if (!link.group(1).matches("[a-z]+:.*")) {
                            leadsSomewhere(file, link.group(1), link.group(2));
                        }
                    }
                }));
    }

    private static void leadsSomewhere(Path file, String target, String anchor) throws IOException {
        Path page = target.isEmpty() ? file : file.resolveSibling(target);
        assertThat(page).as("link in %s", file).exists();
        if (anchor != null) {
            assertThat(Page.of(Files.readString(page)).anchors())
                    .as("anchors of %s, for a link in %s", page, file)
                    .contains(anchor);
        }
    }

    private static List<Path> documents() throws IOException {
        try (Stream<Path> top = Files.list(Path.of(""));
                Stream<Path> docs = Files.walk(Path.of("docs"));
                Stream<Path> bundle = Files.walk(Path.of("addon-bundle"))) {
            return Stream.of(top, docs, bundle)
                    .flatMap(files -> files)
                    .filter(file -> file.toString().endsWith(".md"))
                    .sorted()
                    .toList();
        }
    }
}
