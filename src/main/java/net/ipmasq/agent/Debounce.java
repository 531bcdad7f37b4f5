package net.ipmasq.agent;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Keeps passes apart that follow from events: the first comes at once, the next ones 50 ms, 100 ms and so on up to a
 * second after the one before, until it has been quiet for a while. So two agents that undo each other's work, or a node
 * on which everything moves, cost one pass a second.
 */
final class Debounce {
    static final Duration FIRST = Duration.ofMillis(50);
    static final Duration LONGEST = Duration.ofSeconds(1);
    static final Duration QUIET = Duration.ofSeconds(5);

    private Duration gap = Duration.ZERO;
    private @Nullable Instant last;

    /** A pass has ended. */
    void passed(Instant now) {
        Duration twice = gap.multipliedBy(2);
        gap = gap.isZero() ? FIRST : twice.compareTo(LONGEST) < 0 ? twice : LONGEST;
        last = now;
    }

    /** Time until the next may begin; zero for at once. */
    Duration left(Instant now) {
        // a clock that was set back does not show how much time has passed
        if (last == null || now.isBefore(last) || !now.isBefore(last.plus(QUIET))) {
            gap = Duration.ZERO;
            return Duration.ZERO;
        }
        Duration left = Duration.between(now, last.plus(gap));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
