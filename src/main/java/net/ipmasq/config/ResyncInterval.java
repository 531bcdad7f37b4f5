package net.ipmasq.config;

import java.time.Duration;

/** The bounds of {@code resyncInterval}: shorter spins a core, longer leaves drift unhealed. */
public final class ResyncInterval {
    public static final Duration SHORTEST = Duration.ofSeconds(1);
    public static final Duration LONGEST = Duration.ofHours(1);

    private ResyncInterval() {}

    /** The nearest allowed interval. */
    public static Duration clamp(Duration wanted) {
        Duration atLeast = wanted.compareTo(SHORTEST) < 0 ? SHORTEST : wanted;
        return atLeast.compareTo(LONGEST) > 0 ? LONGEST : atLeast;
    }
}
