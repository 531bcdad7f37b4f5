package net.ipmasq.observe;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.net.IpFamily;

/** Packet and byte counters, read from the kernel on request, and not too often. Passes never read them. */
public final class KernelCounters {
    private final Dataplane dataplane;
    private final Clock clock;
    private Observed last = new Observed(Map.of());
    private final Map<IpFamily, FamilyState> lastKnown = new EnumMap<>(IpFamily.class);
    private Instant readAt = Instant.MIN;

    public KernelCounters(Dataplane dataplane, Clock clock) {
        this.dataplane = dataplane;
        this.clock = clock;
    }

    /** The counters of the managed families, at most {@code age} old. */
    public synchronized Observed read(AgentStatus status, Duration age) {
        Instant now = clock.instant();
        if (readAt.equals(Instant.MIN) || readAt.plus(age).isBefore(now)) {
            last = dataplane.observeCounters(status.node().ruleset().chain(), status.managed());
            readAt = now;
            last.families().forEach((family, state) -> {
                if (!(state instanceof FamilyState.Unreadable)) {
                    lastKnown.put(family, state);
                }
            });
        }
        return last;
    }

    /**
     * What the kernel last showed of a family, at most {@code age} old unless it cannot be read: a counter that fell to 0
     * then, and rose again, would look like a reset one. Empty if nothing was ever read.
     */
    public synchronized Optional<FamilyState> lastKnown(AgentStatus status, IpFamily family, Duration age) {
        read(status, age);
        return Optional.ofNullable(lastKnown.get(family));
    }
}
