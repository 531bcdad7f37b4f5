package net.ipmasq.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which of the objects of a file is judged, when it is known which ConfigMap the agent reads. */
class ManifestChoiceTest {
    private static final String OURS = "metadata: {namespace: kube-system, name: cce-ip-masq-agent}";

    private static ManifestReader.Checked check(String file) {
        return ManifestReader.check(file.getBytes(StandardCharsets.UTF_8), "kube-system", "cce-ip-masq-agent");
    }

    private static String map(String metadata, String config) {
        return "apiVersion: v1\nkind: ConfigMap\n" + metadata + "\ndata: {config: \"" + config + "\"}\n";
    }

    @Test
    void theAgentsOwnHasNoFinding() {
        assertThat(check(map(OURS, "masqOutBound: true")).outcome())
                .isInstanceOf(ConfigOutcome.Loaded.class)
                .satisfies(outcome -> assertThat(outcome.problems()).isEmpty());
    }

    /** It can be applied with -n. */
    @Test
    void aManifestWithoutANamespaceCanBeTheAgentsOwn() {
        assertThat(check(map("metadata: {name: cce-ip-masq-agent}", "masqOutBound: true"))
                        .outcome()
                        .problems())
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "metadata: {namespace: kube-system, name: ip-masq-agent} | 3 | kube-system/ip-masq-agent",
                "metadata: {namespace: default, name: cce-ip-masq-agent} | 3 | default/cce-ip-masq-agent",
                "metadata: {name: ip-masq-agent} | 3 | this is the ConfigMap ip-masq-agent on line 1",
                "metadata: {generateName: cce-ip-masq-agent} | 1 | generateName",
                "metadata: {namespace: kube-system} | 1 | has no name",
                "metadata: | 1 | has no name",
                "metadata: {name: [cce-ip-masq-agent]} | 3 | without a name"
            })
    void anotherOneIsJudgedAndNamed(String metadata, int line, String said) {
        assertThat(check(map(metadata, "cidrLimit: 7")).outcome())
                .isInstanceOfSatisfying(ConfigOutcome.Loaded.class, loaded -> {
                    assertThat(loaded.config().get(ConfigKey.CIDR_LIMIT)).isPresent();
                    assertThat(loaded.warnings()).singleElement().satisfies(warning -> {
                        assertThat(warning.code()).isEqualTo("manifest-not-read");
                        assertThat(warning.severity().key()).isEqualTo("warning");
                        assertThat(warning.line()).isEqualTo(line);
                        assertThat(warning.message()).contains(said, "kube-system/cce-ip-masq-agent");
                    });
                });
        assertThat(check(map(metadata, "cidrLimit: 0")).outcome().problems())
                .extracting(Problem::code)
                .containsExactlyInAnyOrder("manifest-not-read", "cidr-limit-invalid");
    }

    @Test
    void amongSeveralDocumentsItIsTheAgentsOwn() {
        String file = map("metadata: {name: other}", "cidrLimit: 0") + "---\n" + map(OURS, "masqOutBound: false")
                + "---\napiVersion: v1\nkind: Service\n";
        ManifestReader.Checked checked = check(file);
        assertThat(checked.outcome().problems()).isEmpty();
        assertThat(((ConfigOutcome.Loaded) checked.outcome()).config().get(ConfigKey.MASQ_OUT_BOUND))
                .isPresent();
        assertThat(checked.subject()).hasValue("ConfigMap kube-system/cce-ip-masq-agent on line 6");
    }

    @Test
    void inAListItIsTheAgentsOwnAlsoWithoutConfig() {
        String file = """
                kind: List
                apiVersion: v1
                items:
                - kind: ConfigMap
                  metadata: {name: other}
                  data: {config: "cidrLimit: 0"}
                - kind: ConfigMap
                  metadata: {name: cce-ip-masq-agent, namespace: kube-system}
                  data: {text: "masqOutBound: true"}
                """;
        assertThat(check(file).outcome().problems()).singleElement().satisfies(problem -> {
            assertThat(problem.code()).isEqualTo("config-key-missing");
            assertThat(problem.line()).isEqualTo(7);
        });
    }

    @Test
    void twoOfTheAgentsNameAreBothNamedAndBothJudged() {
        ManifestReader.Checked checked =
                check(map(OURS, "cidrLimit: 0") + "---\n" + map(OURS, "masqOutBound: perhaps"));
        assertThat(checked.outcome()).isInstanceOf(ConfigOutcome.Invalid.class);
        assertThat(checked.outcome().problems())
                .extracting(problem -> problem.line() + " " + problem.code())
                .containsExactly("4 cidr-limit-invalid", "6 manifest-several-configs", "9 bool-invalid");
        assertThat(checked.outcome().problems().get(1).message()).contains("lines 1, 6");
    }

    @Test
    void twoOfTheAgentsNameOfWhichOneIsEmptyAreNamedToo() {
        assertThat(check(map(OURS, "") + "---\nkind: ConfigMap\n" + OURS + "\n")
                        .outcome()
                        .problems())
                .extracting(Problem::code)
                .containsExactly("manifest-several-configs", "manifest-data-empty");
    }

    @Test
    void aFileOfOneObjectNeedsNoName() {
        assertThat(check(map(OURS, "")).subject()).isEmpty();
        assertThat(check("masqOutBound: true\n").subject()).isEmpty();
    }

    /** However many there are, a hundred findings are kept, the note among them, and all are counted. */
    @Test
    void surplusKeysAndDocumentsAreBoundedToo() {
        StringBuilder file = new StringBuilder("kind: ConfigMap\nimmutable: true\n" + OURS + "\n");
        for (int i = 0; i < 20_000; i++) {
            file.append("surplus").append(i).append(": 1\n");
        }
        file.append("---\nx\n".repeat(20_000));
        Problems found = check(file.toString()).outcome().findings();
        assertThat(found.shown()).hasSize(Findings.MOST);
        assertThat(found.count(Problem.Severity.ERROR)).isEqualTo(20_000);
        assertThat(found.count(Problem.Severity.WARNING)).isEqualTo(20_000);
        assertThat(found.shown()).extracting(Problem::code).contains("manifest-immutable");
    }

    @Test
    void manyOfTheAgentsNameAreBoundedToo() {
        String one = "kind: ConfigMap\nimmutable: true\n" + OURS + "\ndata: {config: \"cidrLimit: 0\"}\n---\n";
        Problems found = check(one.repeat(3_000)).outcome().findings();
        assertThat(found.shown()).hasSize(Findings.MOST);
        assertThat(found.count(Problem.Severity.ERROR)).isEqualTo(3_001);
        assertThat(found.count(Problem.Severity.NOTE)).isEqualTo(3_000);
    }
}
