package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;
import net.ipmasq.agent.ConfigSource.Version;
import net.ipmasq.config.Problem;
import net.ipmasq.config.Problems;
import net.ipmasq.profile.ConfigMapRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One state of the ConfigMap is one Event, whoever makes it; its note fits the API. */
class ConfigEventTest {
    private static final ConfigMapRef ABOUT = new ConfigMapRef("kube-system", "cce-ip-masq-agent");
    private static final Version VERSION = new Version("uid-1", "17");

    private static Problem problem(int line, String message) {
        return new Problem(Problem.Severity.ERROR, "cidr-invalid", line, 3, "nonMasqueradeCIDRs", message, "fix it");
    }

    private static Problems problems(int count, String message) {
        return Problems.of(IntStream.rangeClosed(1, count)
                .mapToObj(line -> problem(line, message))
                .toList());
    }

    private static ConfigEvent invalid(Version version) {
        return ConfigEvent.invalid(ABOUT, version, problems(1, "wrong"));
    }

    @Test
    void theNameFollowsFromTheStateAndTheReasonOnly() {
        String name = invalid(VERSION).name();
        assertThat(name).matches("cce-ip-masq-agent\\.[0-9a-f]{16}");
        // another node, perhaps with another release whose messages differ
        assertThat(ConfigEvent.invalid(ABOUT, new Version("uid-1", "17"), problems(2, "bad"))
                        .name())
                .isEqualTo(name);
        assertThat(List.of(
                        name,
                        invalid(new Version("uid-2", "17")).name(),
                        invalid(new Version("uid-1", "18")).name(),
                        ConfigEvent.warnings(ABOUT, VERSION, Problems.NONE).name(),
                        ConfigEvent.recovered(ABOUT, VERSION).name()))
                .doesNotHaveDuplicates();
    }

    @Test
    void aFewProblemsAreAllInTheNote() {
        assertThat(ConfigEvent.invalid(ABOUT, VERSION, problems(2, "wrong")).note())
                .isEqualTo("""
                        The configuration is not valid; the last good one stays in force. line 1, column 3: error: nonMasqueradeCIDRs: wrong; fix it [cidr-invalid]
                        line 2, column 3: error: nonMasqueradeCIDRs: wrong; fix it [cidr-invalid]""");
    }

    /** The API server counts bytes, whatever its message says. */
    @ParameterizedTest
    @CsvSource({"1, 1", "7, 100", "500, 1", "500, 60", "1, 800", "2, 900", "1, 2000", "3, 2000"})
    void aNoteHoldsWholeProblemsAndSaysHowManyAreLeft(int count, int length) {
        for (String letter : List.of("x", "ü", "界", "😀")) {
            String message = letter.repeat(length);
            Problems problems = problems(count, message);
            String note = ConfigEvent.invalid(ABOUT, VERSION, problems).note();
            assertThat(note.getBytes(StandardCharsets.UTF_8)).hasSizeLessThanOrEqualTo(1024);
            int listed = 0;
            // the first problem stands in the first line, which is all that kubectl get events shows
            for (String line : note.replaceFirst("in force\\. line", "in force.\nline")
                    .lines()
                    .skip(1)
                    .toList()) {
                if (line.endsWith("…")) {
                    assertThat(listed).isZero();
                    assertThat(problems.shown().getFirst().oneLine()).startsWith(line.substring(0, line.length() - 1));
                } else if (line.startsWith("line")) {
                    assertThat(line).isEqualTo(problems.shown().get(listed).oneLine());
                    listed++;
                } else {
                    assertThat(line).isEqualTo("(and " + (count - listed) + " more: run ip-masq-agent check)");
                }
            }
            assertThat(note.contains("more: run")).isEqualTo(listed < count);
        }
    }

    @Test
    void theFirstLineHasTheFirstProblemInOneLine() {
        Problem problem = new Problem(
                Problem.Severity.ERROR, "no-key", 7, 5, "", "no key 'config'", "run:\n  kubectl create\r\n  configmap");
        String first = ConfigEvent.invalid(ABOUT, VERSION, Problems.of(List.of(problem)))
                .note()
                .lines()
                .findFirst()
                .orElseThrow();
        assertThat(first)
                .contains("not valid", "line 7, column 5", "no key 'config'", "kubectl create", "configmap [no-key]");
        String long1 = ConfigEvent.invalid(ABOUT, VERSION, problems(3, "x".repeat(5000)))
                .note();
        assertThat(long1.lines().findFirst().orElseThrow())
                .contains("line 1, column 3: error: nonMasqueradeCIDRs: xxx");
        assertThat(long1).endsWith("(and 3 more: run ip-masq-agent check)").hasSizeLessThanOrEqualTo(1024);
    }

    @Test
    void anErrorComesBeforeAWarningOfAnEarlierLine() {
        Problem warning = new Problem(Problem.Severity.WARNING, "duplicate-item", 2, 3, "", "twice", "remove one");
        Problem error = new Problem(Problem.Severity.ERROR, "cidr-invalid", 9, 3, "", "no CIDR", "write one");
        String note = ConfigEvent.invalid(ABOUT, VERSION, Problems.of(List.of(warning, error)))
                .note();
        assertThat(note.lines().findFirst().orElseThrow()).contains("line 9", "no CIDR");
        assertThat(note).contains("line 2", "twice");
    }

    /** What is beyond the first hundred is in the number too. */
    @Test
    void theNoteCountsWhatIsNotKept() {
        String note = ConfigEvent.invalid(ABOUT, VERSION, problems(5000, "x".repeat(300)))
                .note();
        long listed = note.lines().filter(line -> line.contains(": error: ")).count();
        assertThat(listed).isBetween(1L, 3L);
        assertThat(note).endsWith("(and " + (5000 - listed) + " more: run ip-masq-agent check)");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25})
    void theLimitHoldsAtEveryBoundary(int more) {
        Problems problems = problems(11, "x".repeat(50 + more));
        assertThat(ConfigEvent.warnings(ABOUT, VERSION, problems).note()).hasSizeLessThanOrEqualTo(1024);
    }

    @Test
    void onlyARecoveryIsNormal() {
        assertThat(invalid(VERSION).warning()).isTrue();
        assertThat(ConfigEvent.warnings(ABOUT, VERSION, Problems.NONE).warning())
                .isTrue();
        assertThat(ConfigEvent.recovered(ABOUT, VERSION).warning()).isFalse();
    }
}
