package net.ipmasq.generator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class PropertyTest {
    private static final int TRIES = 1000;
    private static final Pattern SEED = Pattern.compile("-Dipmasq\\.seed=(-?\\d+) ");

    private static List<Integer> numbers(Draws draws) {
        return draws.list(20, some -> some.between(0, 10_000));
    }

    /** The values of a thousand seeds. */
    private static <T> List<T> sample(Generator<T> generator) {
        return LongStream.range(0, TRIES)
                .mapToObj(seed -> generator.from(Draws.random(seed)))
                .toList();
    }

    private static AssertionError failure(long seed, Property.One<List<Integer>> property) {
        return catchThrowableOfType(
                AssertionError.class, () -> new Property(TRIES, seed).forAll(PropertyTest::numbers, property));
    }

    @Test
    void whatHoldsIsTriedAsOftenAsSaid() {
        List<Object> tried = new ArrayList<>();
        new Property(17, 5).forAll(PropertyTest::numbers, tried::add);
        assertThat(tried).hasSize(17);
    }

    @Test
    void aListThatFailsLosesTheElementsThatDoNotMatter() {
        for (long seed = 0; seed < 20; seed++) {
            AssertionError error = failure(seed, list -> assertThat(list).noneMatch(number -> number >= 1234));
            assertThat(error).hasMessageContaining("simplest values that fail: '[1234]'\n");
        }
    }

    @Test
    void elementsThatMatterTogetherAreKept() {
        AssertionError error = failure(7, list -> assertThat(list.size()).isLessThan(3));
        assertThat(error).hasMessageContaining("simplest values that fail: '[0, 0, 0]'\n");
    }

    @Test
    void everyValueAndTextGetsSimpler() {
        Property.Two<Long, String> property =
                (number, text) -> assertThat(number < -5 && text.length() > 1).isFalse();
        assertThatThrownBy(() -> new Property(TRIES, 3).forAll(Draws::anyLong, draws -> draws.text(50), property))
                .hasMessageContaining("simplest values that fail: '-6', 'aa'\n");
    }

    @Test
    void anotherErrorIsNotTakenForTheSame() {
        AssertionError error = failure(9, list -> {
            assertThat(list).hasSizeLessThan(5);
            if (!list.isEmpty()) {
                throw new IllegalArgumentException("any element");
            }
        });
        Throwable cause = error.getCause();
        String simplest = cause instanceof IllegalArgumentException ? "'[0]'" : "'[0, 0, 0, 0, 0]'";
        assertThat(error).hasMessageContaining("simplest values that fail: " + simplest);
    }

    @Test
    void theSeedThatIsNamedFailsAtTheFirstTry() {
        Property.One<List<Integer>> property =
                list -> assertThat(list).noneMatch(number -> number >= 4000 && number < 4020);
        AssertionError error = failure(1000, property);
        Matcher seed = SEED.matcher(error.getMessage());
        assertThat(seed.find()).as(error.getMessage()).isTrue();
        assertThat(error.getMessage()).doesNotContain("at try 1 of");
        AssertionError again = catchThrowableOfType(
                AssertionError.class,
                () -> new Property(1, Long.parseLong(seed.group(1))).forAll(PropertyTest::numbers, property));
        assertThat(again.getMessage().lines().skip(1))
                .containsExactlyElementsOf(error.getMessage().lines().skip(1).toList());
    }

    @Test
    void controlCharactersAreShownAsNumbers() {
        assertThatThrownBy(() -> new Property(TRIES, 1)
                        .forAll(draws -> draws.text(9), text -> assertThat(text).doesNotContain("\0")))
                .hasMessageContaining("simplest values that fail: '\\u0000'\n");
    }

    @Test
    void aConditionThatNothingMeetsIsAnError() {
        assertThatThrownBy(() -> new Property(1, 1)
                        .forAll(draws -> draws.fitting(Draws::anyLong, number -> false), number -> {}))
                .hasMessageContaining("no value of 1000 fits");
    }

    @Test
    void aConditionHoldsForSimplerValuesToo() {
        Generator<Long> even = draws -> draws.fitting(some -> some.between(0L, 1000L), number -> number % 2 == 0);
        assertThatThrownBy(() -> new Property(TRIES, 2)
                        .forAll(even, number -> assertThat(number).isLessThan(101)))
                .hasMessageContaining("simplest values that fail: '102'\n");
    }

    @Test
    void listsAreEmptyAndFullAndAnythingBetween() {
        Set<Integer> sizes = new HashSet<>();
        sample(draws -> draws.list(2, 12, some -> some.of("x"))).forEach(list -> sizes.add(list.size()));
        assertThat(sizes).containsExactlyInAnyOrder(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12);
        List<List<Integer>> lists = sample(PropertyTest::numbers);
        assertThat(lists.stream().filter(List::isEmpty).count()).isGreaterThan(TRIES / 50);
        assertThat(lists.stream().filter(list -> list.size() == 20).count()).isGreaterThan(TRIES / 50);
    }

    @Test
    void limitsOfRangesComeUp() {
        assertThat(sample(draws -> draws.between(-7, 1_000_000)))
                .contains(-7, -6, 999_999, 1_000_000)
                .allMatch(number -> number >= -7 && number <= 1_000_000);
        assertThat(sample(draws -> draws.between(5, 5))).containsOnly(5);
        assertThat(sample(draws -> draws.between(0, Long.MAX_VALUE))).contains(0L, Long.MAX_VALUE);
        assertThat(sample(Draws::anyLong))
                .contains(0L, 1L, -1L, Long.MIN_VALUE, Long.MAX_VALUE)
                .anyMatch(number -> number > 1L << 60)
                .anyMatch(number -> number > 2 && number < 100);
    }

    /** Also all of them at their limits at once. */
    @Test
    void limitsComeUpTogether() {
        List<List<Integer>> triples = sample(draws ->
                List.of(draws.between(0, 1_000_000), draws.between(0, 1_000_000), draws.between(0, 1_000_000)));
        assertThat(triples.stream()
                        .filter(triple -> triple.stream().allMatch(number -> number < 2 || number > 999_998))
                        .count())
                .isGreaterThan(TRIES / 40);
    }

    @Test
    void textsHoldOddCharactersAndNone() {
        List<String> texts = sample(draws -> draws.text(255));
        assertThat(texts).contains("").anyMatch(text -> text.length() > 200);
        for (int odd : new int[] {0, '\n', '\r', 0x85, 0x2028, 0xfeff, 0xffff, 0x1f600, 0x10ffff}) {
            assertThat(texts).as("%x", odd).anyMatch(text -> text.codePoints().anyMatch(c -> c == odd));
        }
        assertThat(texts)
                .anyMatch(text -> text.codePoints().anyMatch(c -> c >= 0xd800 && c < 0xe000))
                .anyMatch(text -> !text.isEmpty() && text.chars().allMatch(c -> c >= ' ' && c <= '~'));
        assertThat(sample(draws -> draws.text("ab", 3))).contains("", "a", "bb", "aba");
    }

    @Test
    void bytesAreOfAnyValue() {
        Set<Byte> values = new HashSet<>();
        for (byte[] bytes : sample(draws -> draws.bytes(255))) {
            for (byte b : bytes) {
                values.add(b);
            }
        }
        assertThat(values).hasSize(256);
    }

    @Test
    void weightsAreShares() {
        List<Integer> chosen = sample(draws -> draws.weighted(8, 0, 2));
        assertThat(chosen).contains(0, 2).doesNotContain(1);
        assertThat(chosen.stream().filter(index -> index == 0).count()).isBetween(700L, 900L);
        assertThat(sample(draws -> draws.optional(10, Draws::anyLong)).stream()
                        .filter(value -> value.isPresent())
                        .count())
                .isBetween(50L, 200L);
    }
}
