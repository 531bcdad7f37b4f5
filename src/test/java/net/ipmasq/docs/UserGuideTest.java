package net.ipmasq.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ManifestReader;
import net.ipmasq.config.Problem;
import net.ipmasq.config.ProblemCode;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.ConfigJudge;
import net.ipmasq.policy.Decision;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.policy.NodeFacts;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The user guide in both languages: complete, alike, and with messages that the agent really gives. */
class UserGuideTest {
    private static final String ENGLISH = "docs/user-guide.md";
    private static final String CHINESE = "docs/user-guide.zh-CN.md";

    private static Page page(String file) throws IOException {
        return Page.of(Docs.text(file));
    }

    private static ProviderProfile profile(String name) {
        return BuiltInProfiles.profile(name).orElseThrow();
    }

    // ------------------------------------------------------------------------------------------------ twins

    @Test
    void bothHaveTheSameHeadingLevels() throws IOException {
        assertThat(page(CHINESE).levels()).isEqualTo(page(ENGLISH).levels());
    }

    @Test
    void bothHaveTheSameBlocks() throws IOException {
        assertThat(page(CHINESE).blocks()).isEqualTo(page(ENGLISH).blocks());
    }

    @Test
    void bothLinkToTheSamePages() throws IOException {
        Set<String> english = new TreeSet<>(page(ENGLISH).links());
        Set<String> chinese = new TreeSet<>(page(CHINESE).links());
        english.remove("user-guide.zh-CN.md");
        chinese.remove("user-guide.md");
        assertThat(chinese).isEqualTo(english);
    }

    /** Row by row the same code: fields, values, codes, messages. Words around them are each language's own. */
    @Test
    void bothHaveTheSameTables() throws IOException {
        assertThat(shape(page(CHINESE))).isEqualTo(shape(page(ENGLISH)));
    }

    private static List<List<List<Object>>> shape(Page page) {
        return page.tables().stream()
                .map(table -> table.rows().stream()
                        .map(row -> List.<Object>of(
                                row.size(),
                                Page.code(String.join(" ", row)).stream()
                                        .sorted()
                                        .toList()))
                        .toList())
                .toList();
    }

    /** No paragraph was forgotten: every part has as many list items and about as much text in both. */
    @Test
    void bothHaveTheSameListItems() throws IOException {
        assertThat(items(CHINESE)).isEqualTo(items(ENGLISH));
    }

    private static List<Integer> items(String file) throws IOException {
        return Arrays.stream(Docs.text(file).split("(?m)^#+ "))
                .map(part -> Page.all("(?m)^(- |\\d\\. )", part).size())
                .toList();
    }

    @Test
    void theChineseOneIsChinese() throws IOException {
        for (String heading : page(CHINESE).headings()) {
            boolean name =
                    heading.matches("#+ (status|explain|plan|check|Events|CIDR|" + String.join("|", keys()) + ")");
            assertThat(name || heading.codePoints().anyMatch(Character::isIdeographic))
                    .as(heading)
                    .isTrue();
        }
    }

    // ------------------------------------------------------------------------------------------------ complete

    private static List<String> keys() {
        return ConfigKey.spellings(ConfigKey.ALL);
    }

    @ParameterizedTest
    @ValueSource(strings = {ENGLISH, CHINESE})
    void everyFieldHasARowAndAPart(String file) throws IOException {
        Page page = page(file);
        assertThat(page.headings())
                .containsAll(keys().stream().map(key -> "### " + key).toList());
        List<String> rows = page.tables().getFirst().rows().stream()
                .skip(1)
                .map(row -> Page.code(row.getFirst()).getFirst())
                .toList();
        assertThat(rows).containsExactlyInAnyOrderElementsOf(keys());
    }

    @ParameterizedTest
    @ValueSource(strings = {ENGLISH, CHINESE})
    void defaultsAreThoseOfTheProfiles(String file) throws IOException {
        for (List<String> row :
                page(file).tables().get(1).rows().stream().skip(1).toList()) {
            ProviderProfile profile = profile(Page.code(row.getFirst()).getFirst());
            assertThat(Page.code(row.get(1)))
                    .isEqualTo(profile.defaults().get(ConfigKey.NON_MASQUERADE_CIDRS).value().stream()
                            .map(Cidr::toString)
                            .toList());
            assertThat(profile.cidrLimit().value()).isEqualTo(64);
            assertThat(profile.defaults().get(ConfigKey.MASQ_OUT_BOUND).value()).isTrue();
            assertThat(profile.defaults().get(ConfigKey.MASQ_LINK_LOCAL).value())
                    .isFalse();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {ENGLISH, CHINESE})
    void everyFailureCodeIsExplained(String file) throws IOException {
        List<String> codes =
                Arrays.stream(FailureCode.values()).map(FailureCode::key).toList();
        List<List<String>> tables = page(file).tables().stream()
                .map(table -> table.rows().stream()
                        .skip(1)
                        .flatMap(row -> Page.code(row.getFirst()).stream())
                        .toList())
                .toList();
        assertThat(tables).contains(codes);
    }

    /** Reasons have no list in the code; they are found where the source names them. */
    private static Set<String> reasons() throws IOException {
        Set<String> reasons = new TreeSet<>();
        try (Stream<Path> sources = Files.walk(Path.of("src/main/java/net/ipmasq"))) {
            for (Path source :
                    sources.filter(file -> file.toString().endsWith(".java")).toList()) {
                String text = Files.readString(source);
                if (source.endsWith("observe/Conditions.java")) {
                    reasons.addAll(Page.all("new Condition\\(\\s*\"\\w+\",\\s*(?:true|false),\\s*\"(\\w+)\"", text));
                    reasons.addAll(Page.all("degraded\\(\"(\\w+)\"", text));
                }
                reasons.addAll(Page.all("issue\\.put(?:IfAbsent)?\\(\\s*\"(\\w+)\"", text));
                reasons.addAll(Page.all("issue\\.put(?:IfAbsent)?\\(\"(\\w+)\"", text));
                reasons.addAll(Page.all("String REASON = \"(\\w+)\"", text));
                reasons.addAll(Page.all("\\.report\\(\\s*\"(\\w+)\"", text));
            }
        }
        for (FailureCode code : FailureCode.values()) {
            reasons.add(camelCase(code.key()));
        }
        return reasons;
    }

    private static String camelCase(String key) {
        StringBuilder text = new StringBuilder();
        for (String word : key.split("-")) {
            text.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return text.toString();
    }

    @ParameterizedTest
    @ValueSource(strings = {ENGLISH, CHINESE, "docs/operations.md"})
    void everyConditionReasonIsExplained(String file) throws IOException {
        Set<String> reasons = reasons();
        assertThat(reasons).contains("InSync", "ConfigInvalid", "PortTaken", "EventNotWritten", "Leftovers", "Timeout");
        Set<String> listed = new TreeSet<>();
        for (Page.Table table : page(file).tables()) {
            table.rows().forEach(row -> row.forEach(cell -> listed.addAll(Page.code(cell))));
        }
        if (file.equals("docs/operations.md")) {
            // the fleet operator looks up what is wrong, not what is well
            reasons.removeAll(
                    Set.of("AsExpected", "InSync", "Settled", "Loaded", "Empty", "Absent", "Invalid", "Unknown"));
        }
        assertThat(listed).containsAll(reasons);
    }

    @ParameterizedTest
    @ValueSource(strings = {ENGLISH, CHINESE})
    void everyReasonOfAnEventIsExplained(String file) throws IOException {
        String source = Docs.text("src/main/java/net/ipmasq/agent/kube/ConfigEvent.java");
        Set<String> reasons = new TreeSet<>(Page.all("\"(Config[A-Z][a-z]+)\"", source));
        assertThat(reasons).hasSize(3);
        assertThat(page(file).tables())
                .anySatisfy(table -> assertThat(table.rows().stream()
                                .skip(1)
                                .map(row -> Page.code(row.getFirst()))
                                .filter(code -> !code.isEmpty())
                                .map(List::getFirst))
                        .containsExactlyInAnyOrderElementsOf(reasons));
    }

    // ------------------------------------------------------------------------------------------------ true

    private static List<List<String>> codeRows(String file) throws IOException {
        List<List<String>> rows = new ArrayList<>();
        for (Page.Table table : page(file).tables()) {
            table.rows().stream()
                    .filter(row -> row.size() == 5 && row.get(1).matches("`(error|warning|note)`"))
                    .forEach(rows::add);
        }
        return rows;
    }

    @ParameterizedTest
    @ValueSource(strings = {ENGLISH, CHINESE})
    void everyProblemCodeHasOneRowWithItsSeverity(String file) throws IOException {
        assertThat(codeRows(file).stream()
                        .map(row -> row.get(0) + " " + row.get(1))
                        .toList())
                .containsExactlyInAnyOrderElementsOf(Arrays.stream(ProblemCode.values())
                        .map(code -> "`" + code.code() + "` `" + code.severity().key() + "`")
                        .toList());
    }

    /** The example of each row leads to the very message of that row. */
    @TestFactory
    Stream<DynamicTest> everyMessageIsTheAgents() throws IOException {
        ProviderProfile example = example();
        return Stream.concat(codeRows(ENGLISH).stream(), codeRows(CHINESE).stream())
                .filter(row -> row.get(2).startsWith("`"))
                .map(row -> DynamicTest.dynamicTest(row.getFirst(), () -> {
                    String code = Page.code(row.getFirst()).getFirst();
                    String text = Page.code(row.get(2)).getFirst().translateEscapes();
                    boolean other = row.get(2).endsWith("profile `example`");
                    List<Problem> problems = code.startsWith("profile-")
                            ? ofProfile(text)
                            : ConfigJudge.judge(ManifestReader.check(text), other ? example : profile("cce"))
                                    .problems();
                    assertThat(problems)
                            .anySatisfy(problem -> assertThat("`" + problem.code() + "` `" + problem.message() + "`")
                                    .isEqualTo("`" + code + "` " + row.get(3)));
                }));
    }

    private static ProviderProfile example() throws IOException {
        String block = page("docs/configuration.md").blocks().stream()
                .filter(text -> text.contains("name: example"))
                .findFirst()
                .orElseThrow();
        return ((ProfileReader.Good) ProfileReader.read(inner(block).getBytes(StandardCharsets.UTF_8), "otherwise"))
                .profile();
    }

    private static List<Problem> ofProfile(String yaml) {
        return switch (ProfileReader.read(yaml.getBytes(StandardCharsets.UTF_8), "otherwise")) {
            case ProfileReader.Good good -> good.warnings();
            case ProfileReader.Bad bad -> bad.problems();
        };
    }

    private static String inner(String block) {
        return block.substring(block.indexOf('\n') + 1, block.lastIndexOf("```"));
    }

    /** What is shown as YAML or JSON can be pasted. */
    @Test
    void everyConfigurationIsValidAndWithoutWarnings() throws IOException {
        List<String> texts = page(ENGLISH).blocks().stream()
                .filter(block -> block.startsWith("```yaml") || block.startsWith("```json"))
                .map(UserGuideTest::inner)
                .toList();
        assertThat(texts).hasSizeGreaterThan(10).allSatisfy(text -> {
            ConfigOutcome outcome = ConfigJudge.judge(ManifestReader.check(text), profile("cce"));
            assertThat(outcome).as(text).isInstanceOf(ConfigOutcome.Loaded.class);
            assertThat(outcome.problems()).as(text).isEmpty();
        });
    }

    /** The scenarios are the cases that packets are sent through elsewhere, with the rules that those want. */
    @ParameterizedTest
    @ValueSource(strings = {"node-identity", "pod-identity", "specific-addresses"})
    void scenariosAreTheCases(String name) throws IOException {
        List<String> blocks = page(ENGLISH).blocks();
        Path folder = Path.of("src/test/resources/cases/rules", name);
        int at = blocks.indexOf(
                "```yaml\n" + Files.readString(folder.resolve("config.yaml")).strip() + "\n```\n");
        assertThat(at).as("the configuration of %s", name).isNotNegative();
        assertThat(blocks.get(at + 2))
                .isEqualTo("```\n" + Files.readString(folder.resolve("v4.save")).strip() + "\n```\n");
        MasqPolicy policy = policy(inner(blocks.get(at)));
        NodeFacts node = new NodeFacts(Set.of(IpAddress.of("192.168.50.10")));
        for (String line : inner(blocks.get(at + 1)).lines().toList()) {
            Decision decision = policy.explain(IpAddress.of(line.substring(0, line.indexOf(' '))), node);
            assertThat(line).contains(verdict(decision)).contains(why(decision));
        }
    }

    private static MasqPolicy policy(String yaml) {
        ConfigOutcome.Loaded loaded =
                (ConfigOutcome.Loaded) ConfigJudge.judge(ManifestReader.check(yaml), profile("cce"));
        return MasqPolicy.of(EffectiveConfig.of(loaded.config(), profile("cce")), EnumSet.allOf(IpFamily.class));
    }

    private static String verdict(Decision decision) {
        return decision.verdict() == Decision.Verdict.MASQUERADE ? " is masqueraded as " : " keeps the pod's address: ";
    }

    private static String why(Decision decision) {
        Optional<String> cidr = decision.cidr().map(value -> " " + value);
        return decision.verdict() == Decision.Verdict.LOCAL
                ? "it is an address of this node"
                : decision.rule() + cidr.orElse("") + " (" + decision.origin() + ")";
    }

    /** The bad text and what is said of it: by check, by an Event, and in the log. */
    @Test
    void theBadEditIsReal() throws IOException {
        List<String> blocks = page(ENGLISH).blocks();
        int at = blocks.indexOf(blocks.stream()
                .filter(block -> block.contains("masqOutBond: true"))
                .findFirst()
                .orElseThrow());
        List<Problem> problems = ConfigJudge.judge(ManifestReader.check(inner(blocks.get(at))), profile("cce"))
                .problems();
        String said = String.join("", blocks);
        assertThat(problems).hasSize(5).allSatisfy(problem -> {
            assertThat(said).contains("\n-: " + problem.oneLine() + "\n");
            // the Event's note has the first problem in its first line
            String before = problem.equals(problems.getFirst()) ? "stays in force. " : "\n";
            assertThat(said).contains(before + problem.oneLine() + "\n");
        });
    }
}
