package net.ipmasq.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.ipmasq.lab.PackagedHeap;
import net.ipmasq.lab.Slow;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** No text kills or freezes the agent: every one is read to its end, in the packaged heap, in time that grows as it does. */
class HostileTextsTest {
    /** Room for the indentation or the escapes that a manifest adds to a text. */
    private static final Map<HostileTextsMain.Way, Integer> SIZES = Map.of(
            HostileTextsMain.Way.CONFIG, 1 << 20,
            HostileTextsMain.Way.CHECK, 1 << 20,
            HostileTextsMain.Way.PROFILE, 1 << 20,
            HostileTextsMain.Way.LITERAL, 400_000,
            HostileTextsMain.Way.QUOTED, 600_000);

    /** Findings of the texts whose every line is one: {@code {errors, warnings}}. */
    private static final Map<HostileTexts, List<Long>> COUNTS = Map.of(
            HostileTexts.EMPTY_ITEMS, List.of((1048576L - 20) / 3, 0L),
            HostileTexts.ITEMS_OF_NO_CIDR, List.of((1048576L - 20) / 4, 0L),
            HostileTexts.INVISIBLE_LINES, List.of((1048576L - 20) / 8, 0L),
            // each but the first is there already
            HostileTexts.SAME_CIDR, List.of(0L, (1048576L - 20) / 13 - 1),
            // each is no bool, and each but the first is there already
            HostileTexts.KNOWN_KEY_AGAIN, List.of(1048576L / 16 * 2 - 1, 0L));

    /** One line of what the child printed. */
    private record Result(
            HostileTexts text, int shown, int errors, int warnings, int json, long quarterMillis, long wholeMillis) {
        static Result of(String line) {
            String[] words = line.split(" ");
            List<Integer> numbers =
                    Arrays.stream(words).skip(1).map(Integer::valueOf).toList();
            return new Result(
                    HostileTexts.valueOf(words[0]),
                    numbers.get(0),
                    numbers.get(1),
                    numbers.get(2),
                    numbers.get(3),
                    numbers.get(4),
                    numbers.get(5));
        }

        /** Four times the text takes four times as long; nine times and half a second leave room for a busy machine. */
        void check() {
            assertThat(shown).isLessThanOrEqualTo(Findings.MOST).isLessThanOrEqualTo(errors + warnings);
            assertThat(shown).isGreaterThanOrEqualTo(Math.min(Findings.MOST, errors + warnings));
            assertThat(json).as("findings as JSON").isLessThan(100_000);
            assertThat(wholeMillis).as("CPU time in ms").isLessThan(9 * quarterMillis + 500);
        }
    }

    @Slow
    @TestFactory
    Stream<DynamicTest> everyTextIsReadInThePackagedHeap() {
        return Arrays.stream(HostileTextsMain.Way.values())
                .map(way -> DynamicTest.dynamicTest(way.name(), () -> {
                    PackagedHeap.Run run = PackagedHeap.run(
                            HostileTextsMain.class, way.name(), String.valueOf(SIZES.getOrDefault(way, 0)));
                    System.out.println(way + ": " + run.heap() + "\n" + run.out());
                    assertThat(run.code()).as(run.out() + run.err()).isZero();
                    List<Result> results = run.out().lines().map(Result::of).toList();
                    assertThat(results).hasSize(HostileTexts.values().length);
                    results.forEach(Result::check);
                    if (way == HostileTextsMain.Way.CONFIG) {
                        results.forEach(HostileTextsTest::checkCounts);
                    }
                }));
    }

    private static void checkCounts(Result result) {
        List<Long> expected = COUNTS.get(result.text);
        if (expected != null) {
            assertThat(List.of((long) result.errors, (long) result.warnings))
                    .as(result.text.name())
                    .isEqualTo(expected);
        }
    }

    /** Errors beyond the hundred make a text as invalid as those within, and push warnings out. */
    @Test
    void errorsComeBeforeWarningsHoweverLateTheyStand() {
        String text = "nonMasqueradeCIDRs:\n" + "- 10.0.0.0/8\n".repeat(500) + "- x\n".repeat(60);
        ConfigOutcome outcome = ConfigReader.read(text);
        assertThat(outcome).isInstanceOf(ConfigOutcome.Invalid.class);
        assertThat(outcome.problems()).hasSize(100).isSortedAccordingTo(Problem.IN_TEXT_ORDER);
        assertThat(outcome.problems().stream().filter(Problem::isError)).hasSize(60);
        assertThat(outcome.problems().getFirst().line()).isEqualTo(3);
        assertThat(outcome.findings().omitted().document()).isEqualTo(Map.of("errors", 0, "warnings", 459));
        assertThat(outcome.findings().omitted().text()).isEqualTo("and 459 warnings more, which are not shown");
    }

    @ParameterizedTest
    @EnumSource(names = {"EMPTY_ITEMS", "TAGS", "SHADOWED"})
    void ofTheHundredTheFirstInTheTextAreKept(HostileTexts text) {
        List<Problem> few = ConfigReader.read(text.text(1200)).problems();
        List<Problem> many = ConfigReader.read(text.text(100_000)).problems();
        assertThat(many.subList(0, Math.min(few.size(), 100))).isEqualTo(few.subList(0, Math.min(few.size(), 100)));
    }
}
