package net.ipmasq.app;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Which connections are open, and which have to go. Somebody who holds connections must not keep others out: a new one is
 * always taken, and when there are too many the one goes that has waited longest without a request. So a probe, which
 * asks at once, gets its answer however many others hold on.
 *
 * @param <C> a connection
 */
final class Connections<C> {
    /** A client that keeps its connection sends its first or next request within that time. */
    static final Duration WAITING = Duration.ofSeconds(30);

    /** An answer that waits for the kernel takes less: a call of a tool ends after 30 s. */
    static final Duration ANSWERING = Duration.ofSeconds(90);

    private final int most;
    private final LongSupplier nanos;
    private final Consumer<C> close;
    private final Map<C, Use> open = new LinkedHashMap<>();

    /** What a connection is used for since when. */
    private record Use(boolean answering, long since) {}

    /**
     * @param most so many are kept
     * @param nanos never goes back, as {@link System#nanoTime}
     * @param close ends a connection; called without a lock held
     */
    Connections(int most, LongSupplier nanos, Consumer<C> close) {
        this.most = most;
        this.nanos = nanos;
        this.close = close;
    }

    /** One has been taken. */
    void opened(C connection) {
        List<C> over = new ArrayList<>();
        synchronized (this) {
            open.put(connection, new Use(false, nanos.getAsLong()));
            while (open.size() > most) {
                C victim = longestWaiting(connection);
                open.remove(victim);
                over.add(victim);
            }
        }
        over.forEach(close);
    }

    /** A request has come. */
    synchronized void asked(C connection) {
        use(connection, true);
    }

    /** It is answered. */
    synchronized void answered(C connection) {
        use(connection, false);
    }

    private void use(C connection, boolean answering) {
        // what has gone meanwhile must not come back
        if (open.remove(connection) != null) {
            open.put(connection, new Use(answering, nanos.getAsLong()));
        }
    }

    synchronized void closed(C connection) {
        open.remove(connection);
    }

    /** Ends those that have taken too long; to be called every few seconds. */
    void sweep() {
        List<C> over = new ArrayList<>();
        synchronized (this) {
            long now = nanos.getAsLong();
            open.forEach((connection, use) -> {
                Duration most = use.answering() ? ANSWERING : WAITING;
                if (now - use.since() > most.toNanos()) {
                    over.add(connection);
                }
            });
            over.forEach(open::remove);
        }
        over.forEach(close);
    }

    synchronized int count() {
        return open.size();
    }

    /** In order of last use; one that is being answered only where all others are. */
    private C longestWaiting(C newest) {
        for (Map.Entry<C, Use> entry : open.entrySet()) {
            if (!entry.getValue().answering() && !entry.getKey().equals(newest)) {
                return entry.getKey();
            }
        }
        return open.keySet().iterator().next();
    }
}
