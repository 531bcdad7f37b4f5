package net.ipmasq.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.util.function.LongSupplier;

/**
 * The agent's clock: it starts at the time of day and then only counts, so that an age or an interval taken from it is
 * right however the node's clock is set meanwhile. Times for people go through {@link #shown}.
 */
public final class SteadyClock extends Clock {
    /** Reading two clocks one after the other differs by less; a node's clock that was set differs by more. */
    private static final Duration SET = Duration.ofMillis(100);

    private final Clock timeOfDay;
    private final LongSupplier nanos;
    private final Instant start;
    private final long startNanos;
    private Duration ahead = Duration.ZERO;

    /**
     * @param timeOfDay may be set forward or back at any moment
     * @param nanos never goes back, as {@link System#nanoTime}
     */
    public SteadyClock(Clock timeOfDay, LongSupplier nanos) {
        this.timeOfDay = timeOfDay;
        this.nanos = nanos;
        this.start = timeOfDay.instant();
        this.startNanos = nanos.getAsLong();
    }

    /** Over the clocks of this machine. */
    public static SteadyClock system() {
        return new SteadyClock(Clock.systemUTC(), System::nanoTime);
    }

    @Override
    public Instant instant() {
        return start.plusNanos(nanos.getAsLong() - startNanos);
    }

    /** A time of this clock as the node's clock has it now; the same for as long as nobody sets that. */
    public synchronized Instant shown(Instant time) {
        Duration now = Duration.between(instant(), timeOfDay.instant());
        if (now.minus(ahead).abs().compareTo(SET) > 0) {
            ahead = now;
        }
        return time.plus(ahead);
    }

    @Override
    public ZoneId getZone() {
        return timeOfDay.getZone();
    }

    /** Nothing that uses this clock depends on its zone. */
    @Override
    public Clock withZone(ZoneId zone) {
        return this;
    }
}
