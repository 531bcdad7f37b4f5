package net.ipmasq.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.LongSupplier;
import java.util.function.Predicate;

/**
 * The random choices that a value is made of. They are kept as numbers, 0 being the simplest, so that a value can be made
 * again from fewer or smaller ones. Limits of ranges come up often, and in one value of sixteen wherever they can.
 */
public final class Draws {
    private static final int ALL_EDGES = 16;
    private static final int MANY = 1000;
    private static final long ANY = -1;
    private static final long[] EDGES = {
        0, 1, -1, 2, -2, Long.MIN_VALUE, Long.MIN_VALUE + 1, Long.MAX_VALUE - 1, Long.MAX_VALUE
    };
    private static final int[] ODD_CHARACTERS = {
        0, '\t', '\n', '\r', 0x1b, ' ', '~', 0x7f, 0x85, 0xa0, 0x2028, 0xd800, 0xdfff, 0xfeff, 0xffff, 0x1f600, 0x10ffff
    };

    /** The part of the choices that one element of a list took, from {@code from} to before {@code to}. */
    record Span(int from, int to) {}

    private final Optional<Random> random;
    private final int edgeOneIn;
    private final List<Long> given;
    private final List<Long> made = new ArrayList<>();
    private final List<Span> elements = new ArrayList<>();

    private Draws(Optional<Random> random, int edgeOneIn, List<Long> given) {
        this.random = random;
        this.edgeOneIn = edgeOneIn;
        this.given = given;
    }

    /** New choices; the same seed gives the same. */
    static Draws random(long seed) {
        // the first numbers of java.util.Random are alike for seeds that are near each other
        Random random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        return new Draws(Optional.of(random), random.nextInt(ALL_EDGES) == 0 ? 1 : 8, List.of());
    }

    /** The choices given; where they end, the simplest ones follow. */
    static Draws replay(List<Long> choices) {
        return new Draws(Optional.empty(), 1, choices);
    }

    /** What was chosen until now. */
    List<Long> choices() {
        return List.copyOf(made);
    }

    /** One for each element of each list drawn until now. */
    List<Span> elements() {
        return List.copyOf(elements);
    }

    /** A number in these limits, both included. */
    public int between(int min, int max) {
        return (int) between((long) min, max);
    }

    /** A number in these limits, both included; {@code max - min} fits a long. */
    public long between(long min, long max) {
        long last = Math.subtractExact(max, min);
        return min + choose(last, () -> offset(last));
    }

    /** Any number at all. */
    public long anyLong() {
        // zigzag: small numbers of either sign are small choices
        long choice = choose(ANY, () -> {
            long value = edge() ? EDGES[dice(EDGES.length)] : fresh().nextLong() >> dice(Long.SIZE);
            return value << 1 ^ value >> Long.SIZE - 1;
        });
        return choice >>> 1 ^ -(choice & 1);
    }

    public boolean yes() {
        return weighted(1, 1) == 1;
    }

    /** One of these; the first is the simplest. */
    @SafeVarargs
    public final <T> T of(T... values) {
        return of(List.of(values));
    }

    public <T> T of(List<T> values) {
        return values.get((int) choose(values.size() - 1, () -> dice(values.size())));
    }

    /** An index into these weights, each as likely as its weight says. */
    public int weighted(int... weights) {
        return (int) choose(weights.length - 1, () -> {
            int all = 0;
            for (int weight : weights) {
                all += weight;
            }
            int left = dice(all);
            int index = 0;
            while (left >= weights[index]) {
                left -= weights[index++];
            }
            return index;
        });
    }

    public <T> Optional<T> optional(int percent, Generator<T> value) {
        return weighted(100 - percent, percent) == 1 ? Optional.of(value.from(this)) : Optional.empty();
    }

    /** A value that fits; an error when none comes up. */
    public <T> T fitting(Generator<T> values, Predicate<? super T> fits) {
        for (int i = 0; i < MANY; i++) {
            T value = values.from(this);
            if (fits.test(value)) {
                return value;
            }
        }
        throw new IllegalStateException("no value of " + MANY + " fits");
    }

    /** A list of {@code min} to {@code max} elements. */
    public <T> List<T> list(int min, int max, Generator<T> element) {
        int size = random.isPresent() ? min + (int) offset(max - min) : max;
        List<T> list = new ArrayList<>();
        while (list.size() < max) {
            int start = made.size();
            // a choice for each element says that it is there: without its choices the list is one shorter
            int index = list.size();
            boolean more = choose(1, () -> index < size ? 1 : 0) == 1;
            if (!more && index >= min) {
                break;
            }
            list.add(element.from(this));
            elements.add(new Span(start, made.size()));
        }
        return list;
    }

    public <T> List<T> list(int max, Generator<T> element) {
        return list(0, max, element);
    }

    /** At most so many different elements. */
    public <T> List<T> distinct(int max, Generator<T> element) {
        return list(max, element).stream().distinct().toList();
    }

    /** Of any characters, with control characters and unpaired surrogates among them. */
    public String text(int max) {
        StringBuilder text = new StringBuilder();
        list(max, Draws::codePoint).forEach(text::appendCodePoint);
        return text.toString();
    }

    /** Of these characters only. */
    public String text(String characters, int max) {
        StringBuilder text = new StringBuilder();
        list(max, draws -> characters.charAt(draws.between(0, characters.length() - 1)))
                .forEach(text::append);
        return text.toString();
    }

    public byte[] bytes(int max) {
        List<Integer> values = list(max, draws -> draws.between(0, 255));
        byte[] bytes = new byte[values.size()];
        for (int i = 0; i < bytes.length; i++) {
            bytes[i] = values.get(i).byteValue();
        }
        return bytes;
    }

    private int codePoint() {
        int all = Character.MAX_CODE_POINT + 1;
        long choice = choose(Character.MAX_CODE_POINT, () -> {
            int character = edge()
                    ? ODD_CHARACTERS[dice(ODD_CHARACTERS.length)]
                    : switch (dice(6)) {
                        case 0, 1, 2 -> ' ' + dice('~' - ' ' + 1);
                        case 3 -> dice(0x3000);
                        case 4 -> dice(Character.MAX_VALUE + 1);
                        default -> dice(all);
                    };
            return (character - 'a' + all) % all;
        });
        return (int) (choice + 'a') % all;
    }

    private long offset(long last) {
        if (edge()) {
            return new long[] {0, last, Math.min(1, last), Math.max(0, last - 1)}[dice(4)];
        }
        long most = dice(3) == 0 ? Math.min(last, 5) : last;
        return most == Long.MAX_VALUE ? fresh().nextLong() & most : fresh().nextLong(most + 1);
    }

    /** The next choice, from 0 to {@code last} as unsigned numbers. */
    private long choose(long last, LongSupplier fresh) {
        long choice = random.isPresent() ? fresh.getAsLong() : made.size() < given.size() ? given.get(made.size()) : 0;
        long valid = last == ANY ? choice : Long.remainderUnsigned(choice, last + 1);
        made.add(valid);
        return valid;
    }

    private Random fresh() {
        return random.orElseThrow();
    }

    private int dice(int sides) {
        return fresh().nextInt(sides);
    }

    private boolean edge() {
        return dice(edgeOneIn) == 0;
    }
}
