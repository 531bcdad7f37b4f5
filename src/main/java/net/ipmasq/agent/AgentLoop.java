package net.ipmasq.agent;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.FailureCode;
import org.jspecify.annotations.Nullable;

/**
 * Runs passes one at a time and knows when the next is due. It has no thread of its own: a scheduler, a file watch and
 * the first pass at start all call {@link #pass}. Sources are asked before a pass has its turn, never in it: while one
 * does not answer, or a text takes long to judge, passes of other threads go on with what is in force.
 */
public final class AgentLoop {
    /** Code of the problem that a listener has thrown an exception. */
    private static final String REASON = "StatusNotTaken";

    private static final Duration FIRST_RETRY = Duration.ofSeconds(1);

    private final Reconciler reconciler;
    private final Heartbeat life;
    private final AtomicReference<@Nullable AgentStatus> status = new AtomicReference<>();
    private final List<BiConsumer<Optional<AgentStatus>, AgentStatus>> listeners = new CopyOnWriteArrayList<>();
    private final Map<String, String> reported = new ConcurrentSkipListMap<>();
    private final Map<String, String> notFollowed = new ConcurrentSkipListMap<>();
    private volatile boolean stopped;

    public AgentLoop(Reconciler reconciler) {
        this(reconciler, new Heartbeat(SteadyClock.system()));
    }

    /**
     * @param life gets a sign when a pass begins and ends
     */
    public AgentLoop(Reconciler reconciler, Heartbeat life) {
        this.reconciler = reconciler;
        this.life = life;
    }

    /** Time since a pass last made progress; grows while one hangs. */
    public Duration silence() {
        return life.silence();
    }

    /** Called after every pass with the status before, if any, and the new one. */
    public void onPass(BiConsumer<Optional<AgentStatus>, AgentStatus> listener) {
        listeners.add(listener);
    }

    /** Runs one pass now, after a running one has ended; after {@link #stop} it only returns the last status. */
    public AgentStatus pass() {
        if (!stopped) {
            reconciler.lookUnlessBusy();
        }
        return pass(Cause.SCHEDULE);
    }

    private synchronized AgentStatus pass(Cause cause) {
        AgentStatus before = status.get();
        if (stopped && before != null) {
            return before;
        }
        life.begin();
        AgentStatus after;
        try {
            after = withReported(reconciler.heal(before == null ? Cause.START : cause));
        } finally {
            life.end();
        }
        // the status and all listeners have it by then; the watch that called this has to try again
        switch (publish(Optional.ofNullable(before), after).orElse(null)) {
            case RuntimeException thrown -> throw thrown;
            case Error thrown -> throw thrown;
            case null, default -> {}
        }
        return status().orElse(after);
    }

    /** Runs a pass if the configuration source has something new. */
    public void passIfNews() {
        if (!stopped) {
            reconciler.look();
        }
        passIf(() -> reconciler.hasNews() ? Optional.of(Cause.CONFIG) : Optional.empty());
    }

    /**
     * Runs a pass if there still is a cause when no other pass is running. The sources are not asked for it: whoever
     * follows them does that, and repairing damage must not wait for it.
     *
     * @param cause asked between passes; empty for none
     * @return whether a pass ran
     */
    public synchronized boolean passIf(Supplier<Optional<Cause>> cause) {
        Optional<Cause> found = stopped ? Optional.empty() : cause.get();
        found.ifPresent(this::pass);
        return found.isPresent();
    }

    /**
     * Takes what a watch has to say of itself: nothing is wrong with the node then, it is only looked at once per
     * interval.
     *
     * @param what is watched: {@code rules}, {@code addresses} or {@code configuration}
     * @param why it cannot be; empty when it can
     */
    public void notFollowed(String what, String why) {
        if (why.isEmpty()) {
            notFollowed.remove(what);
        } else {
            notFollowed.put(what, why);
        }
    }

    /** What is not followed between passes, and why. */
    public Map<String, String> notFollowed() {
        return Map.copyOf(notFollowed);
    }

    /** Whether the source has not answered yet. */
    public boolean isWaiting() {
        AgentStatus now = status.get();
        return now == null || now.config().outcome() instanceof ConfigOutcome.Unknown;
    }

    /** The status after the last pass; empty before the first. */
    public Optional<AgentStatus> status() {
        return Optional.ofNullable(status.get());
    }

    /**
     * Time until the next pass: the interval, or less while something failed that can heal by itself, such as a held
     * lock or a full disk: 1 s, 2 s, 4 s and so on, never more than the interval.
     */
    public Duration nextDelay() {
        AgentStatus now = status.get();
        if (now == null) {
            return FIRST_RETRY;
        }
        Duration interval = now.passes().interval();
        boolean retry = now.families().values().stream()
                .flatMap(family -> family.failure().stream())
                .anyMatch(failure -> !failure.code().isLasting() && failure.code() != FailureCode.UNREADABLE);
        Duration delay = reconciler
                .retryDelay()
                .filter(wait -> wait.compareTo(interval) < 0)
                .orElse(interval);
        if (!retry) {
            return delay;
        }
        int doublings = Math.min(12, Math.max(0, now.passes().failuresInARow() - 1));
        Duration backOff = FIRST_RETRY.multipliedBy(1L << doublings);
        return backOff.compareTo(delay) < 0 ? backOff : delay;
    }

    /** Reports a problem that no pass sees, such as a taken port; an empty message ends it. */
    public void report(String code, Optional<String> message) {
        note(code, message);
        synchronized (this) {
            status().ifPresent(before -> publish(Optional.of(before), before.withIssue(code, message)));
        }
    }

    private void note(String code, Optional<String> message) {
        message.ifPresentOrElse(text -> reported.put(code, text), () -> reported.remove(code));
    }

    /**
     * Calls every listener, also when one of them throws: the status shows that until all have accepted one again.
     *
     * @return what was thrown
     */
    private Optional<Throwable> publish(Optional<AgentStatus> before, AgentStatus after) {
        status.set(after);
        Optional<Throwable> thrown = notifyListeners(before, after);
        boolean known = after.issue().containsKey(REASON);
        if (thrown.isPresent() != known) {
            Optional<String> text = thrown.map(
                    problem -> "the rules are kept, but something that follows the agent's status failed: " + problem);
            note(REASON, text);
            AgentStatus judged = after.withIssue(REASON, text);
            status.set(judged);
            // a listener that throws again has been reported already
            notifyListeners(Optional.of(after), judged);
        }
        return thrown;
    }

    private Optional<Throwable> notifyListeners(Optional<AgentStatus> before, AgentStatus after) {
        Optional<Throwable> first = Optional.empty();
        for (BiConsumer<Optional<AgentStatus>, AgentStatus> listener : listeners) {
            try {
                listener.accept(before, after);
            } catch (RuntimeException | Error e) {
                first = first.or(() -> Optional.of(e));
            }
        }
        return first;
    }

    private AgentStatus withReported(AgentStatus fresh) {
        AgentStatus result = fresh;
        for (Map.Entry<String, String> entry : reported.entrySet()) {
            result = result.withIssue(entry.getKey(), Optional.of(entry.getValue()));
        }
        return result;
    }

    /** Lets a running pass end and starts no other. The rules stay. */
    public synchronized void stop() {
        stopped = true;
    }
}
