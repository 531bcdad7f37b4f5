package net.ipmasq.agent;

import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * Why a pass runs.
 *
 * @param since when the kernel reported the first change that led to it, by the agent's clock; empty unless it did
 * @param authors who made such changes, in order of the first of each; empty where the kernel does not report it
 */
public record Cause(Trigger trigger, Optional<Instant> since, List<Author> authors) {
    public static final Cause START = new Cause(Trigger.START, Optional.empty(), List.of());
    public static final Cause SCHEDULE = new Cause(Trigger.SCHEDULE, Optional.empty(), List.of());
    public static final Cause CONFIG = new Cause(Trigger.CONFIG, Optional.empty(), List.of());

    public Cause {
        authors = List.copyOf(authors);
    }

    /** What brought the pass about. */
    public enum Trigger {
        /** The first pass of the process. */
        START,
        /** The interval, or a retry. */
        SCHEDULE,
        /** A report from the kernel. */
        EVENT,
        /** Something new in the configuration. */
        CONFIG;

        /** The name in JSON and metrics. */
        public String key() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * A process that changed the ruleset.
     *
     * @param process its name, at most 15 characters
     * @param pid in the first pid namespace, not in a container's own
     */
    public record Author(String process, int pid) {
        @Override
        public String toString() {
            return process + "[" + pid + "]";
        }
    }
}
