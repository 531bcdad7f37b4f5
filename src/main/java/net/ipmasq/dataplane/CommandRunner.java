package net.ipmasq.dataplane;

import java.io.IOException;
import java.io.Reader;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Runs programs. The only way for a dataplane to start a process, so that tests can count, move and break them. */
public interface CommandRunner {

    /**
     * Runs a program to its end; for programs that print little.
     *
     * @param argv program (a name for PATH, or a path) and arguments
     * @param stdin given to the program as UTF-8; may be empty
     * @param limit after this the program is ended
     */
    Outcome run(List<String> argv, String stdin, Duration limit);

    /** Whether a program of that name can be found on PATH. */
    boolean has(String program);

    /**
     * Runs a program without input to its end and reads what it prints while it runs, so that no more of it is held than
     * the reading keeps.
     *
     * @param limit after this the program is ended, and the reading is no longer waited for
     */
    <T> Streamed<T> stream(List<String> argv, Duration limit, Reading<T> reading);

    /** Reads what a program prints; may run on a thread of its own. */
    @FunctionalInterface
    interface Reading<T> {
        T read(Reader stdout) throws IOException;
    }

    /**
     * A program's end and what was read of its output.
     *
     * @param outcome without the output itself
     * @param value there if and only if the program ended by itself, whatever its exit code
     */
    record Streamed<T>(Outcome outcome, Optional<T> value) {}

    sealed interface Outcome {}

    /** The program ended by itself. */
    record Exited(int code, String stdout, String stderr) implements Outcome {}

    /** The program was ended after {@code limit}. */
    record TimedOut(Duration limit) implements Outcome {}

    /** The program ran, but what it printed could not be read: too much, or no memory for it. */
    record Unread(String why) implements Outcome {}

    /**
     * The program could not be started.
     *
     * @param reason the operating system's
     * @param missing whether there is no such program; anything else can pass by itself
     */
    record NotStarted(String reason, boolean missing) implements Outcome {
        public NotStarted(String reason) {
            this(reason, reason.contains("No such file or directory"));
        }
    }
}
