package net.ipmasq.dataplane;

import java.util.Optional;
import java.util.function.BiFunction;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.CommandRunner.NotStarted;
import net.ipmasq.dataplane.CommandRunner.TimedOut;
import net.ipmasq.dataplane.CommandRunner.Unread;
import net.ipmasq.text.Visible;
import org.jspecify.annotations.Nullable;

/**
 * A failure for people and machines.
 *
 * @param message what happened, with the tool's own words
 * @param fix what to do about it
 */
public record Failure(FailureCode code, String message, String fix) {
    public Failure {
        message = Visible.line(message);
    }

    /** Our chain could only be emptied, since {@code rule}, which is not ours, leads to it. */
    public static Failure chainStays(String chain, String rule) {
        return new Failure(
                FailureCode.REJECTED,
                "the chain " + chain + " is emptied but stays, since somebody else's rule leads to it: " + rule,
                "delete that rule, then run cleanup again");
    }

    /**
     * The failure behind an outcome; empty when the program ended with 0.
     *
     * @param install what to do where the program is missing
     * @param late what to do where it did not end in time
     * @param refused judges an exit code other than 0: takes stderr on one line, and the message made of it
     */
    public static Optional<Failure> of(
            CommandRunner.Outcome outcome,
            String program,
            String install,
            String late,
            BiFunction<String, String, Failure> refused) {
        @Nullable
        Failure failure = switch (outcome) {
            case TimedOut(var limit) ->
                new Failure(FailureCode.TIMEOUT, program + " did not end within " + limit.toSeconds() + " s", late);
            case Unread(String why) ->
                new Failure(
                        FailureCode.OUTPUT_TOO_BIG,
                        "what " + program + " printed could not be read: " + why,
                        "look for what fills the table; it is tried again");
            case NotStarted(String reason, boolean missing) ->
                // a program that is there but could not be started is not the same as one that is not there
                new Failure(
                        missing ? FailureCode.TOOL_MISSING : FailureCode.TOOL_NOT_STARTED,
                        program + " cannot be started: " + reason,
                        missing
                                ? install
                                : "it is tried again; look at the limits of processes, open files and memory, and at"
                                        + " the file itself");
            case Exited(int code, var out, String stderr) -> code == 0 ? null : refused(program, code, stderr, refused);
        };
        return Optional.ofNullable(failure);
    }

    private static Failure refused(
            String program, int code, String stderr, BiFunction<String, String, Failure> refused) {
        String words = stderr.strip().replaceAll("\\s+", " ");
        String shown = words.length() > 300 ? words.substring(0, 297) + "..." : words;
        return refused.apply(words, program + " failed with exit code " + code + ": " + shown);
    }

    public String oneLine() {
        return message + "; " + fix + " [" + code.key() + "]";
    }
}
