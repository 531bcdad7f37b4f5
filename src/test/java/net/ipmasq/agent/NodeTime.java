package net.ipmasq.agent;

import java.time.Duration;

/** The two clocks of a node in a test's hand: time that passes, and a time of day that somebody sets. */
public final class NodeTime {
    private final SteppingClock timeOfDay = new SteppingClock();
    private Duration passed = Duration.ZERO;
    private final SteadyClock clock = new SteadyClock(timeOfDay, () -> passed.toNanos());

    public SteadyClock clock() {
        return clock;
    }

    /** Time passes, on both. */
    public void pass(Duration time) {
        passed = passed.plus(time);
        timeOfDay.advance(time);
    }

    /** Somebody sets the time of day; no time passes. */
    public void set(Duration by) {
        timeOfDay.advance(by);
    }

    public SteppingClock timeOfDay() {
        return timeOfDay;
    }
}
