package net.ipmasq.agent.kube;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.ConfigSource.Version;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problems;
import net.ipmasq.profile.ConfigMapRef;
import org.jspecify.annotations.Nullable;

/**
 * Decides which Events the person who edits the ConfigMap gets: once per state of it, and at most ten times in ten minutes
 * however often it changes. Does no I/O; the receiver sends.
 */
final class EventPolicy implements BiConsumer<Optional<AgentStatus>, AgentStatus> {
    private static final int MOST = 10;
    private static final Duration WITHIN = Duration.ofMinutes(10);

    private final ConfigMapRef about;
    private final Clock clock;
    private final Consumer<List<ConfigEvent>> receiver;
    private final Deque<Instant> written = new ArrayDeque<>();
    private @Nullable Version last;
    private @Nullable ConfigOutcome lastOutcome;
    private boolean wasInvalid;

    /**
     * @param receiver gets the Events about the newest state, and drops what it still holds about an older one
     */
    EventPolicy(ConfigMapRef about, Clock clock, Consumer<List<ConfigEvent>> receiver) {
        this.about = about;
        this.clock = clock;
        this.receiver = receiver;
    }

    @Override
    public synchronized void accept(Optional<AgentStatus> before, AgentStatus after) {
        if (after.config().outcome() instanceof ConfigOutcome.Absent) {
            // a bad text that was deleted is gone: nothing more is reported about it, and the next text is no recovery
            // from it
            if (wasInvalid) {
                receiver.accept(List.of());
            }
            wasInvalid = false;
        }
        Version version = after.config().version().orElse(null);
        if (version == null || version.equals(last) && after.config().outcome().equals(lastOutcome)) {
            return;
        }
        last = version;
        lastOutcome = after.config().outcome();
        List<ConfigEvent> events = events(version, after.config().outcome());
        if (events.isEmpty() || mayWrite()) {
            receiver.accept(events);
        }
    }

    private List<ConfigEvent> events(Version version, ConfigOutcome outcome) {
        List<ConfigEvent> events = new ArrayList<>();
        switch (outcome) {
            case ConfigOutcome.Invalid invalid -> {
                wasInvalid = true;
                events.add(ConfigEvent.invalid(about, version, withoutNotes(invalid.findings())));
            }
            case ConfigOutcome.Loaded loaded -> {
                if (wasInvalid) {
                    events.add(ConfigEvent.recovered(about, version));
                }
                wasInvalid = false;
                Problems warnings = withoutNotes(loaded.findings());
                if (!warnings.shown().isEmpty()) {
                    events.add(ConfigEvent.warnings(about, version, warnings));
                }
            }
            // neither has a version
            case ConfigOutcome.Absent absent -> {}
            case ConfigOutcome.Unknown unknown -> {}
        }
        return events;
    }

    /** A note alone is no reason for an Event. */
    private static Problems withoutNotes(Problems problems) {
        return new Problems(
                problems.shown().stream().filter(problem -> !problem.isNote()).toList(), problems.omitted());
    }

    private boolean mayWrite() {
        Instant now = clock.instant();
        while (!written.isEmpty() && written.getFirst().plus(WITHIN).isBefore(now)) {
            written.removeFirst();
        }
        if (written.size() >= MOST) {
            return false;
        }
        written.addLast(now);
        return true;
    }
}
