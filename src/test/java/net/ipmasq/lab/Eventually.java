package net.ipmasq.lab;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** Waits for something that another thread or process brings about; looks often, and gives up at a deadline. */
public final class Eventually {
    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final int LONGEST = 4000;

    private Eventually() {}

    /** Waits until {@code value} is as wanted; fails with {@code what} and the last value when it never is. */
    public static <T> void holds(String what, Supplier<T> value, Predicate<? super T> wanted) {
        holds(what, LIMIT, value, wanted);
    }

    /** Waits until {@code assertions} pass; fails with {@code what} and their last failure when they never do. */
    public static void passes(String what, Runnable assertions) {
        passes(what, LIMIT, assertions);
    }

    static <T> void holds(String what, Duration limit, Supplier<T> value, Predicate<? super T> wanted) {
        passes(what, limit, () -> {
            T last = value.get();
            if (!wanted.test(last)) {
                throw new AssertionError("last value: " + shown(last));
            }
        });
    }

    static void passes(String what, Duration limit, Runnable assertions) {
        long deadline = System.nanoTime() + limit.toNanos();
        while (true) {
            try {
                assertions.run();
                return;
            } catch (AssertionError e) {
                if (System.nanoTime() > deadline) {
                    throw new AssertionError(
                            "never came true in " + limit.toSeconds() + " s: " + what + "; " + e.getMessage(), e);
                }
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }

    private static String shown(Object value) {
        String text = String.valueOf(value);
        return text.length() > LONGEST ? text.substring(0, LONGEST) + " ..." : text;
    }
}
