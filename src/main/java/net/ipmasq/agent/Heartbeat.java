package net.ipmasq.agent;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import net.ipmasq.dataplane.CommandRunner;
import org.jspecify.annotations.Nullable;

/**
 * When a pass last made progress: it began, ended, or a tool that it had called ended. How long a whole pass
 * takes depends on the node and on how many calls it makes; how long one call may take does not.
 */
public final class Heartbeat {
    private final Clock clock;
    private volatile Instant last;
    private volatile @Nullable Thread passing;

    public Heartbeat(Clock clock) {
        this.clock = clock;
        this.last = clock.instant();
    }

    void begin() {
        passing = Thread.currentThread();
        last = clock.instant();
    }

    void end() {
        last = clock.instant();
        passing = null;
    }

    /** Time since the last sign. */
    public Duration silence() {
        return Duration.between(last, clock.instant());
    }

    /** The same programs; every one that ends is a sign, if a pass has called it and not a scrape. */
    public CommandRunner heard(CommandRunner commands) {
        return new CommandRunner() {
            @Override
            public Outcome run(List<String> argv, String stdin, Duration limit) {
                return ended(commands.run(argv, stdin, limit));
            }

            @Override
            public <T> Streamed<T> stream(List<String> argv, Duration limit, Reading<T> reading) {
                return ended(commands.stream(argv, limit, reading));
            }

            private <T> T ended(T outcome) {
                if (Thread.currentThread().equals(passing)) {
                    last = clock.instant();
                }
                return outcome;
            }

            @Override
            public boolean has(String program) {
                return commands.has(program);
            }
        };
    }
}
