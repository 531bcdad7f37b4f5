package net.ipmasq.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import net.ipmasq.dataplane.CachingDataplane;
import net.ipmasq.net.IpFamily;
import net.ipmasq.netlink.RulesetEvent;
import org.jspecify.annotations.Nullable;

/**
 * Decides from the kernel's events whether and when a pass is due. Holds no timer and no thread; for one thread at a
 * time.
 *
 * <p>Our own writes cause events too. They are recognised by their generation, not by a pid: a pass reads back what it
 * wrote, so that no event up to the generation of that reading is new.
 */
final class EventTrigger {
    /** More changes at once are not examined one by one. */
    private static final int LIMIT = 64;

    /** A log line names no more processes. */
    private static final int AUTHORS = 5;

    private final AgentLoop loop;
    private final CachingDataplane dataplane;
    private final Clock clock;
    private final Debounce debounce = new Debounce();
    private final List<Pending> pending = new ArrayList<>();
    private boolean missed;
    private @Nullable Instant missedAt;

    /** A change that can have damaged our rules. */
    private record Pending(RulesetEvent.Change change, Set<IpFamily> families, Instant at) {}

    EventTrigger(AgentLoop loop, CachingDataplane dataplane, Clock clock) {
        this.loop = loop;
        this.dataplane = dataplane;
        this.clock = clock;
    }

    /** Listening has just begun: whatever came before was not heard. */
    void begin() {
        missed = true;
    }

    /** Takes events of the kernel. */
    void heard(List<RulesetEvent> events) {
        Instant now = clock.instant();
        for (RulesetEvent event : events) {
            switch (event) {
                case RulesetEvent.Missed lost -> miss(now);
                case RulesetEvent.Change change -> {
                    Set<IpFamily> families = loop.status()
                            .flatMap(RuleLocation::of)
                            .map(location -> location.touchedBy(change))
                            .orElse(Set.of());
                    if (!families.isEmpty() && pending.size() < LIMIT) {
                        pending.add(new Pending(change, families, now));
                    } else if (!families.isEmpty()) {
                        miss(now);
                    }
                }
            }
        }
    }

    private void miss(Instant now) {
        missed = true;
        missedAt = missedAt == null ? now : missedAt;
    }

    /** Time until {@link #passIfDue} has something to do; zero for now, empty for nothing. */
    Optional<Duration> due() {
        return missed || !pending.isEmpty() ? Optional.of(debounce.left(clock.instant())) : Optional.empty();
    }

    /** Runs a pass if the time has come and no other pass has dealt with it since. */
    void passIfDue() {
        if (!due().filter(Duration::isZero).isPresent()) {
            return;
        }
        boolean ran = loop.passIf(this::cause);
        pending.clear();
        missed = false;
        missedAt = null;
        if (ran) {
            debounce.passed(clock.instant());
        }
    }

    private Optional<Cause> cause() {
        String chain =
                loop.status().map(status -> status.node().ruleset().chain()).orElse("");
        List<Pending> news =
                pending.stream().filter(change -> isNews(change, chain)).toList();
        if (!missed && news.isEmpty()) {
            return Optional.empty();
        }
        Optional<Instant> first = news.stream().map(Pending::at).findFirst();
        Set<Cause.Author> authors = new LinkedHashSet<>();
        for (Pending one : news) {
            if (!one.change().process().isEmpty() && authors.size() < AUTHORS) {
                authors.add(
                        new Cause.Author(one.change().process(), one.change().pid()));
            }
        }
        return Optional.of(
                new Cause(Cause.Trigger.EVENT, first.or(() -> Optional.ofNullable(missedAt)), List.copyOf(authors)));
    }

    private boolean isNews(Pending pending, String chain) {
        return pending.families().stream().anyMatch(family -> {
            OptionalLong verified = dataplane.verified(chain, family);
            return verified.isEmpty() || isNewer(pending.change().generation(), verified.getAsLong());
        });
    }

    /** The kernel counts generations in 32 bits and starts again at 1. */
    static boolean isNewer(long generation, long than) {
        return (int) (generation - than) > 0;
    }
}
