package net.ipmasq.observe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Observed;

/** Packet and byte counters, read from the kernel when somebody asks, and not too often. Passes never read them. */
public final class KernelCounters {
    private final Dataplane dataplane;
    private final Clock clock;
    private Observed last = new Observed(Map.of());
    private Instant readAt = Instant.MIN;

    public KernelCounters(Dataplane dataplane, Clock clock) {
        this.dataplane = dataplane;
        this.clock = clock;
    }

    /** The counters of the managed families, at most {@code age} old. */
    public synchronized Observed read(AgentStatus status, Duration age) {
        Instant now = clock.instant();
        if (readAt.equals(Instant.MIN) || readAt.plus(age).isBefore(now)) {
            last = dataplane.observeCounters(status.ruleset().chain(), status.managed());
            readAt = now;
        }
        return last;
    }
}
