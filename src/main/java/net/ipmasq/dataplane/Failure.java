package net.ipmasq.dataplane;

/**
 * A failure for people and machines.
 *
 * @param message what happened, with the tool's own words
 * @param fix what to do about it
 */
public record Failure(FailureCode code, String message, String fix) {
    /** Our chain could be emptied only, since {@code rule} of somebody else leads to it. */
    public static Failure chainStays(String chain, String rule) {
        return new Failure(
                FailureCode.REJECTED,
                "the chain " + chain + " is emptied but stays, since somebody else's rule leads to it: " + rule,
                "delete that rule, then run cleanup again");
    }

    public String oneLine() {
        return message + "; " + fix + " [" + code.key() + "]";
    }
}
