package net.ipmasq.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Runs a pass when the node gets IPv6 or loses it. Addresses come and go with every pod; only when the answer to "is there
 * IPv6" has changed a pass follows, and that is asked once a second at most. Holds no timer and no thread; for one thread
 * at a time.
 */
final class Ipv6Trigger {
    private final AgentLoop loop;
    private final BooleanSupplier possible;
    private final Clock clock;
    private final Debounce debounce = new Debounce();
    private boolean before;
    private boolean open;
    private @Nullable Instant since;

    /**
     * To be made before the first pass, so that nothing that comes after it is missed.
     *
     * @param possible whether the node has IPv6, asked now and after news
     */
    Ipv6Trigger(AgentLoop loop, BooleanSupplier possible, Clock clock) {
        this.loop = loop;
        this.possible = possible;
        this.clock = clock;
        this.before = possible.getAsBoolean();
    }

    /** Listening has just begun: whatever came before was not heard. */
    void begin() {
        open = true;
    }

    /** An address has come or gone. */
    void heard() {
        open = true;
        since = since == null ? clock.instant() : since;
    }

    /** Time until {@link #passIfDue} has something to do; zero for now, empty for nothing. */
    Optional<Duration> due() {
        return open ? Optional.of(debounce.left(clock.instant())) : Optional.empty();
    }

    /** Asks if the time has come, and runs a pass if the answer is another one than before. */
    void passIfDue() {
        if (due().filter(Duration::isZero).isEmpty()) {
            return;
        }
        boolean now = possible.getAsBoolean();
        boolean changed = now != before;
        Cause cause = new Cause(Cause.Trigger.EVENT, Optional.ofNullable(since), List.of());
        before = now;
        open = false;
        since = null;
        debounce.passed(clock.instant());
        if (changed) {
            loop.passIf(() -> Optional.of(cause));
        }
    }
}
