package net.ipmasq.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.net.Cidr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ConfigReaderTest {

    @Test
    void valuesKeepWhereTheyStand() {
        AgentConfig config =
                loaded("masqOutBound: yes\nnonMasqueradeCIDRs:\n  - 10.0.0.0/8\n  - 10.0.0.0/8\n  - FC00::/7\n");
        assertThat(config.get(ConfigKey.MASQ_OUT_BOUND)).hasValueSatisfying(value -> {
            assertThat(value.value()).isTrue();
            assertThat(value.at()).isEqualTo(new Position(1, 1));
        });
        assertThat(config.get(ConfigKey.NON_MASQUERADE_CIDRS).orElseThrow().value())
                .containsExactly(
                        new Item(Cidr.of("10.0.0.0/8"), 0, new Position(3, 5)),
                        new Item(Cidr.of("fc00::/7"), 2, new Position(5, 5)));
    }

    @ParameterizedTest
    @CsvSource({"0s, PT1S", "-1h, PT1S", "999ms, PT1S", "1s, PT1S", "1h, PT1H", "1h1ns, PT1H", "1m30s, PT1M30S"})
    void intervalsAreBroughtIntoBounds(String text, Duration expected) {
        assertThat(loaded("resyncInterval: " + text)
                        .get(ConfigKey.RESYNC_INTERVAL)
                        .orElseThrow()
                        .value())
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "# c", "{}", "null", "~", "---", "---\n...", "\uFEFF", " \n", "--- {}"})
    void emptyTextsHaveNoKeys(String text) {
        assertThat(ConfigReader.read(text)).isEqualTo(new ConfigOutcome.Loaded(AgentConfig.EMPTY, List.of()));
    }

    @Test
    void aNullListIsAnEmptyListAndNotTheProfiles() {
        assertThat(loaded("masqueradeCIDRs:")
                        .get(ConfigKey.MASQUERADE_CIDRS)
                        .orElseThrow()
                        .value())
                .isEmpty();
        assertThat(loaded("masqueradeCIDRs: []")
                        .get(ConfigKey.MASQUERADE_CIDRS)
                        .orElseThrow()
                        .value())
                .isEmpty();
    }

    @Test
    void dataWithoutConfigNamesTheKeysAndTheCommand() {
        Map<String, String> data = new TreeMap<>(Map.of("ip-masq-agent", "x", "b", "y"));
        assertThat(ConfigReader.readData(data, "kube-system", "cce-ip-masq-agent")
                        .problems())
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.code()).isEqualTo("config-key-missing");
                    assertThat(problem.message()).contains("'b', 'ip-masq-agent'");
                    assertThat(problem.fix())
                            .contains(
                                    "kubectl create configmap cce-ip-masq-agent -n kube-system --from-file=config=FILE"
                                            + " --dry-run=client -o yaml | kubectl apply -f -");
                });
    }

    @Test
    void dataIsReadLikeAFile() {
        assertThat(ConfigReader.readData(Map.of(), "n", "m"))
                .isEqualTo(new ConfigOutcome.Loaded(AgentConfig.EMPTY, List.of()));
        assertThat(ConfigReader.readData(Map.of("config", "cidrLimit: 5", "other", ""), "n", "m"))
                .isEqualTo(ConfigReader.read("cidrLimit: 5"));
    }

    @Test
    void tooLargeIsAnErrorInBothForms() {
        String text = "# " + "é".repeat(1 << 19) + "\n";
        assertThat(codes(ConfigReader.read(text))).containsExactly("text-too-large");
        assertThat(codes(ConfigReader.read(new byte[(1 << 20) + 1]))).containsExactly("text-too-large");
        assertThat(codes(ConfigReader.read("#".repeat(1 << 20)))).isEmpty();
    }

    /** Texts made to be slow or deep, a quarter of the size limit each. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "[",
                "{\"a\":",
                "{a: ",
                "- ",
                "? ",
                "-\n ",
                "a: &a [*a,",
                "\"",
                "'",
                "!",
                "&a ",
                "0",
                "1:",
                "::",
                "{{",
                "a: b\n",
                "- *a\n",
                "#",
                "|\n",
                "%Y\n",
                "0.",
                "_",
                "- 0:0:\n",
                "- 1.1.\n"
            })
    @Timeout(20)
    void hostileTextsEndSoon(String piece) {
        String many = piece.repeat((1 << 18) / piece.length());
        assertThat(ConfigReader.read(many)).isNotNull();
        assertThat(ConfigReader.read("nonMasqueradeCIDRs:\n- " + many)).isNotNull();
        assertThat(ConfigReader.read("{\"a\": \"" + many)).isNotNull();
    }

    @Test
    @Timeout(20)
    void plainAliasesAreFineAndMultiplyingOnesAreNot() {
        String plain = "masqueradeCIDRs: &l [" + "10.0.0.0/8,".repeat(5000) + "]\nnonMasqueradeCIDRs: *l\n";
        assertThat(ConfigReader.read(plain)).isInstanceOf(ConfigOutcome.Loaded.class);
        String quadratic = "a: &l [" + "x,".repeat(5000) + "]\nb: [" + "*l,".repeat(5000) + "]\n";
        assertThat(codes(ConfigReader.read(quadratic))).containsExactly("yaml-alias-expansion");
    }

    @Test
    void codesAreUniqueKebabCaseAndExplained() {
        assertThat(ProblemCode.values()).extracting(ProblemCode::code).doesNotHaveDuplicates();
        assertThat(ProblemCode.values()).allSatisfy(code -> {
            assertThat(code.code()).matches("[a-z0-9]+(-[a-z0-9]+)*");
            assertThat(code.code())
                    .isEqualTo(code.name().toLowerCase(java.util.Locale.ROOT).replace('_', '-'));
            assertThat(code.meaning()).isNotBlank();
            assertThat(ProblemCode.of(code.code())).isEqualTo(code);
        });
    }

    private static AgentConfig loaded(String text) {
        ConfigOutcome outcome = ConfigReader.read(text);
        assertThat(outcome).isInstanceOf(ConfigOutcome.Loaded.class);
        return ((ConfigOutcome.Loaded) outcome).config();
    }

    private static List<String> codes(ConfigOutcome outcome) {
        return outcome.problems().stream().map(Problem::code).toList();
    }
}
