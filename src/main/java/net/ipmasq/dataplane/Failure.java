package net.ipmasq.dataplane;

/**
 * A failure for people and machines.
 *
 * @param message what happened, with the tool's own words
 * @param fix what to do about it
 */
public record Failure(FailureCode code, String message, String fix) {
    public String oneLine() {
        return message + "; " + fix + " [" + code.key() + "]";
    }
}
