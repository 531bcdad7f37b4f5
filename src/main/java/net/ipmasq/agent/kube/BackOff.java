package net.ipmasq.agent.kube;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait before the next try: doubled with each failure up to a limit, and spread over the upper half, since a
 * whole fleet loses the API server at the same moment. For one thread.
 */
final class BackOff {
    private final Duration first;
    private final Duration most;
    private Duration next;

    BackOff(Duration first, Duration most) {
        this.first = first;
        this.most = most;
        this.next = first;
    }

    /** Waits; a wait in tests ends when the test ends it. */
    @FunctionalInterface
    interface Pause {
        void pause(Duration wait) throws InterruptedException;
    }

    /** Between half and all of a time that doubles with every call. */
    Duration next() {
        Duration now = next;
        Duration doubled = now.multipliedBy(2);
        next = doubled.compareTo(most) < 0 ? doubled : most;
        long half = now.toMillis() / 2;
        return Duration.ofMillis(half + ThreadLocalRandom.current().nextLong(half + 1));
    }

    /** To be called after a success. */
    void reset() {
        next = first;
    }
}
