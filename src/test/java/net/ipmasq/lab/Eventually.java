package net.ipmasq.lab;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for something that another process brings about; looks often, and gives up at a deadline. */
public final class Eventually {
    private Eventually() {}

    private static final Duration LIMIT = Duration.ofSeconds(30);

    /** Waits until {@code condition} holds; fails naming {@code what} when it never does. */
    public static void holds(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > deadline) {
                throw new AssertionError("never came true: " + what);
            }
            LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
        }
    }
}
