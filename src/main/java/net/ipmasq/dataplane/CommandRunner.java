package net.ipmasq.dataplane;

import java.time.Duration;
import java.util.List;

/** Runs programs. The only way for a dataplane to start a process, so that tests can count, move and break them. */
public interface CommandRunner {

    /**
     * Runs a program to its end.
     *
     * @param argv program (a name for PATH, or a path) and arguments
     * @param stdin given to the program as UTF-8; may be empty
     * @param limit after this the program is ended
     */
    Outcome run(List<String> argv, String stdin, Duration limit);

    /** Whether a program of that name can be found on PATH. */
    boolean has(String program);

    /** How running went. */
    sealed interface Outcome {}

    /** The program ended by itself. */
    record Exited(int code, String stdout, String stderr) implements Outcome {}

    /** The program was ended after {@code limit}. */
    record TimedOut(Duration limit) implements Outcome {}

    /** The program could not be started; {@code reason} is the operating system's. */
    record NotStarted(String reason) implements Outcome {}
}
