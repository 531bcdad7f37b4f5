package net.ipmasq.dataplane;

import net.ipmasq.text.Visible;

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

    /** Our chain could be emptied only, since {@code rule} of somebody else leads to it. */
    public static Failure chainStays(String chain, String rule) {
        return new Failure(
                FailureCode.REJECTED,
                "the chain " + chain + " is emptied but stays, since somebody else's rule leads to it: " + rule,
                "delete that rule, then run cleanup again");
    }

    /** A program that is there but could not be started, which is not the same as one that is not there. */
    public static Failure notStarted(String program, String reason) {
        return new Failure(
                FailureCode.TOOL_NOT_STARTED,
                program + " cannot be started: " + reason,
                "it is tried again; look at the limits of processes, open files and memory, and at the file itself");
    }

    /** A program that printed more than can be taken. */
    public static Failure unread(String program, String why) {
        return new Failure(
                FailureCode.OUTPUT_TOO_BIG,
                "what " + program + " printed could not be read: " + why,
                "look for what fills the table; it is tried again");
    }

    public String oneLine() {
        return message + "; " + fix + " [" + code.key() + "]";
    }
}
