package net.ipmasq.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.generator.Draws;
import net.ipmasq.generator.Generator;
import net.ipmasq.generator.Property;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.LoaderOptions;
import org.yaml.snakeyaml.error.Mark;
import org.yaml.snakeyaml.error.YAMLException;
import org.yaml.snakeyaml.events.Event;
import org.yaml.snakeyaml.parser.ParserImpl;
import org.yaml.snakeyaml.reader.StreamReader;

/** What holds for every text: no exception, places within the text, and the same meaning in YAML and JSON. */
class ConfigReaderPropertiesTest {
    /** Pieces that parsers trip over, glued together at random. */
    private static final List<String> PIECES = List.of(
            "nonMasqueradeCIDRs",
            "masqOutBound",
            "resyncInterval",
            "cidrLimit",
            ": ",
            ":",
            "\n",
            "\n  ",
            "\n  - ",
            "- ",
            "10.0.0.0/8",
            "::/0",
            "fc00::/7",
            "[",
            "]",
            "{",
            "}",
            ",",
            "\"",
            "'",
            "&a ",
            "*a",
            "<<",
            "!!str ",
            "!foo ",
            "!!binary ",
            "!%ff ",
            "%YAML 1.1\n",
            "%YAML 99999999999.1\n",
            "%TAG ! x\n",
            "---\n",
            "...\n",
            "|\n",
            ">\n",
            "|9\n",
            "? ",
            "#",
            "\t",
            "\\",
            "\"\\UFFFFFFFF\"",
            "\"\\xZZ\"",
            "\r\n",
            "\r",
            "\u2028",
            "\u0085",
            "\uFEFF",
            "😀",
            "null",
            "~",
            "true",
            "yes",
            "0x",
            "60",
            "1e9",
            ".inf",
            "2001-01-01",
            "=",
            "@",
            "`",
            "kind: ConfigMap\n",
            "data:\n",
            "config: ",
            " ");

    @Test
    void survivesAnyText() {
        Property.tries(1000).forAll(draws -> draws.text(255), text -> {
            assertSound(ConfigReader.read(text), text);
            assertSound(ManifestReader.check(text), text);
        });
    }

    @Test
    void survivesAnyBytes() {
        Property.tries(1000).forAll(draws -> draws.bytes(255), bytes -> {
            assertSound(ConfigReader.read(bytes), new String(bytes, StandardCharsets.UTF_8));
            assertSound(ManifestReader.check(bytes), new String(bytes, StandardCharsets.UTF_8));
        });
    }

    @Test
    void survivesNearlyYaml() {
        Property.tries(5000).forAll(ConfigReaderPropertiesTest::nearlyYaml, text -> {
            assertSound(ConfigReader.read(text), text);
            assertSound(ManifestReader.check(text), text);
        });
    }

    @Test
    void survivesNearlyManifests() {
        Property.tries(1000).forAll(ConfigReaderPropertiesTest::nearlyYaml, text -> {
            String head = "kind: ConfigMap\ndata:\n  config: ";
            String literal = head + "|\n    " + text.replace("\n", "\n    ");
            assertSound(ManifestReader.check(literal), literal);
            String quoted = head + "\""
                    + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + "\"";
            assertSound(ManifestReader.check(quoted), quoted);
        });
    }

    @Test
    void literalBlocksKeepPlaces() {
        Property.tries(1000).forAll(ConfigReaderPropertiesTest::nearlyYaml, text -> {
            String plain = text.replaceAll("[^ -~\n]", "").stripLeading();
            ConfigOutcome direct = ConfigReader.read(plain + "\n");
            String file = "kind: ConfigMap\ndata:\n  config: |\n    " + plain.replace("\n", "\n    ") + "\n";
            List<Problem> inFile = ManifestReader.check(file).problems();
            assertThat(inFile).hasSameSizeAs(direct.problems());
            for (int i = 0; i < inFile.size(); i++) {
                Problem expected = direct.problems().get(i);
                boolean inText =
                        expected.line() >= 1 && expected.line() <= plain.lines().count();
                if (inText) {
                    assertThat(inFile.get(i).line()).isEqualTo(expected.line() + 3);
                    assertThat(inFile.get(i).column()).isEqualTo(expected.column() + 4);
                }
            }
        });
    }

    /** Our reader under SnakeYAML's parser changes nothing that it says, places included. */
    @Test
    void theReaderOfWholeTextsIsLikeSnakeYamls() {
        Property.tries(2000).forAll(ConfigReaderPropertiesTest::nearlyYaml, text -> {
            assertThat(events(new WholeTextReader(text))).isEqualTo(events(new StreamReader(text)));
        });
    }

    private static List<String> events(StreamReader reader) {
        List<String> said = new ArrayList<>();
        try {
            ParserImpl parser = new ParserImpl(reader, new LoaderOptions());
            while (!parser.checkEvent(Event.ID.StreamEnd)) {
                Event event = parser.getEvent();
                said.add(event + " " + place(event.getStartMark()) + " " + place(event.getEndMark()));
            }
        } catch (YAMLException | IllegalArgumentException | IndexOutOfBoundsException e) {
            said.add(e.getClass() + " " + reader.getLine() + " " + reader.getColumn() + " " + reader.getIndex());
        }
        return said;
    }

    private static String place(Mark mark) {
        return mark.getLine() + ":" + mark.getColumn() + ":" + mark.getIndex();
    }

    /** A tab that separates reads like a space; what is wrong stands where it stood. */
    @Test
    void separatingTabsAreLikeSpaces() {
        Property.tries(2000).forAll(ConfigReaderPropertiesTest::nearlyYaml, text -> {
            String tabs =
                    "masqOutBound:\ttrue\t# x\nnonMasqueradeCIDRs:\t[\n\t10.0.0.0/8\t,\t172.16.0.0/12\t]\n" + text;
            String head = tabs.substring(0, tabs.length() - text.length());
            assertThat(ConfigReader.read(tabs)).isEqualTo(ConfigReader.read(head.replace('\t', ' ') + text));
        });
    }

    @Test
    void readsBackWhatIsWritten() {
        Property.tries(1000).forAll(ConfigReaderPropertiesTest::config, config -> {
            assertThat(read(ConfigTexts.yaml(config))).isEqualTo(config);
            assertThat(read(ConfigTexts.json(config))).isEqualTo(config);
        });
    }

    private static AgentConfig read(String text) {
        ConfigOutcome outcome = ConfigReader.read(text);
        assertThat(outcome).as(text).isInstanceOf(ConfigOutcome.Loaded.class);
        return ConfigTexts.unplaced(((ConfigOutcome.Loaded) outcome).config());
    }

    private static void assertSound(ConfigOutcome outcome, String text) {
        assertThat(outcome).isInstanceOfAny(ConfigOutcome.Loaded.class, ConfigOutcome.Invalid.class);
        boolean anyError = outcome.problems().stream().anyMatch(Problem::isError);
        assertThat(outcome instanceof ConfigOutcome.Invalid).isEqualTo(anyError);
        long lines = text.chars()
                        .filter(c -> "\n\r\u0085\u2028\u2029".indexOf(c) >= 0)
                        .count()
                + 1;
        for (Problem problem : outcome.problems()) {
            assertThat(problem.line()).as("%s", problem).isBetween(0, (int) lines);
            assertThat(problem.column()).isNotNegative();
            assertThat(problem.message().chars()).as("%s", problem).noneMatch(Character::isISOControl);
            assertThat(problem.path().chars()).as("%s", problem).noneMatch(Character::isISOControl);
            assertThat(problem.path()).hasSizeLessThan(200);
            assertThat(problem.fix()).isNotBlank();
            assertThat(problem.fix().chars()).as("%s", problem).noneMatch(Character::isISOControl);
            assertThat(ProblemCode.of(problem.code()).severity()).isEqualTo(problem.severity());
        }
    }

    private static String nearlyYaml(Draws draws) {
        return String.join("", draws.list(25, some -> some.of(PIECES)));
    }

    private static AgentConfig config(Draws draws) {
        return ConfigTexts.config(
                located(draws, ConfigReaderPropertiesTest::items),
                located(draws, ConfigReaderPropertiesTest::items),
                located(draws, Draws::yes),
                located(draws, Draws::yes),
                located(draws, Draws::yes),
                located(draws, Draws::yes),
                located(draws, some -> Duration.ofNanos(some.between(1_000_000_000L, 3_600_000_000_000L))),
                located(draws, some -> some.between(1, 999_999_999)));
    }

    private static <T> Optional<Located<T>> located(Draws draws, Generator<T> value) {
        return draws.optional(90, value).map(made -> new Located<>(made, Position.NONE));
    }

    private static List<Item> items(Draws draws) {
        List<Item> items = new ArrayList<>();
        draws.distinct(8, ConfigReaderPropertiesTest::cidr)
                .forEach(cidr -> items.add(new Item(cidr, items.size(), Position.NONE)));
        return items;
    }

    private static Cidr cidr(Draws draws) {
        long bits = draws.anyLong();
        if (draws.yes()) {
            int length = draws.between(0, 32);
            return new Cidr(new IpAddress(IpFamily.IPV4, bits << 32, 0).masked(length), length);
        }
        int length = draws.between(0, 64);
        return new Cidr(new IpAddress(IpFamily.IPV6, bits, 0).masked(length), length);
    }
}
