package net.ipmasq.generator;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import net.ipmasq.lab.Seeds;

/**
 * Something that holds for every value of a kind, tried with many. A failure names the seed, with which
 * {@code -Dipmasq.seed=N} makes the same value at the first try, and the simplest value that fails in the same way.
 */
public final class Property {
    private static final int LONGEST = 2000;

    /** What must hold for one value. It throws when it does not. */
    @FunctionalInterface
    public interface One<A> {
        void test(A a) throws Exception;
    }

    /** What must hold for two values. */
    @FunctionalInterface
    public interface Two<A, B> {
        void test(A a, B b) throws Exception;
    }

    /** What must hold for three values. */
    @FunctionalInterface
    public interface Three<A, B, C> {
        void test(A a, B b, C c) throws Exception;
    }

    /** The values for which it does not hold, what they were made of, and the error. */
    record Failed(List<Object> values, Draws draws, Throwable error) {}

    private final int tries;
    private final long seed;

    Property(int tries, long seed) {
        this.tries = tries;
        this.seed = seed;
    }

    /** Values of a seed of their own, or of the one that was given to repeat. */
    public static Property tries(int tries) {
        return new Property(tries, Seeds.any());
    }

    public <A> void forAll(Generator<A> as, One<A> property) {
        check(draws -> {
            A a = as.from(draws);
            return new Case(Arrays.asList(a), () -> property.test(a));
        });
    }

    public <A, B> void forAll(Generator<A> as, Generator<B> bs, Two<A, B> property) {
        check(draws -> {
            A a = as.from(draws);
            B b = bs.from(draws);
            return new Case(Arrays.asList(a, b), () -> property.test(a, b));
        });
    }

    public <A, B, C> void forAll(Generator<A> as, Generator<B> bs, Generator<C> cs, Three<A, B, C> property) {
        check(draws -> {
            A a = as.from(draws);
            B b = bs.from(draws);
            C c = cs.from(draws);
            return new Case(Arrays.asList(a, b, c), () -> property.test(a, b, c));
        });
    }

    private interface Run {
        void run() throws Exception;
    }

    private record Case(List<Object> values, Run run) {}

    private void check(Generator<Case> cases) {
        for (int i = 0; i < tries; i++) {
            Optional<Failed> failed = run(cases, Draws.random(seed + i));
            if (failed.isPresent()) {
                Failed simplest = new Shrinker(draws -> run(cases, draws)).simplest(failed.get());
                throw new AssertionError(message(i, failed.get(), simplest), simplest.error());
            }
        }
    }

    private static Optional<Failed> run(Generator<Case> cases, Draws draws) {
        Case made = cases.from(draws);
        try {
            made.run().run();
            return Optional.empty();
        } catch (Exception | AssertionError | StackOverflowError e) {
            return Optional.of(new Failed(made.values(), draws, e));
        }
    }

    private String message(int index, Failed first, Failed simplest) {
        return """
                does not hold at try %d of %d; -Dipmasq.seed=%d begins with it
                  simplest values that fail: %s
                  first values that failed: %s
                  %s""".formatted(index + 1, tries, seed + index, shown(simplest), shown(first), simplest.error());
    }

    private static String shown(Failed failed) {
        StringBuilder text = new StringBuilder();
        for (Object value : failed.values()) {
            text.append(text.isEmpty() ? "" : ", ")
                    .append(value instanceof byte[] bytes ? Arrays.toString(bytes) : "'" + value + "'");
        }
        StringBuilder visible = new StringBuilder();
        for (char c : text.toString().toCharArray()) {
            visible.append(c < ' ' || c > '~' && !Character.isLetterOrDigit(c) ? "\\u%04x".formatted((int) c) : "" + c);
        }
        return visible.length() > LONGEST ? visible.substring(0, LONGEST) + " ..." : visible.toString();
    }
}
