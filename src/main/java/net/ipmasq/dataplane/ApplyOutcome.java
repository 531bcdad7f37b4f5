package net.ipmasq.dataplane;

public sealed interface ApplyOutcome {

    /**
     * Written in one transaction.
     *
     * @param bytes size of what was given to the tool
     */
    record Applied(int bytes) implements ApplyOutcome {}

    /** Nothing had to be written. */
    record Unchanged() implements ApplyOutcome {}

    /** Nothing was changed. */
    record Failed(Failure failure) implements ApplyOutcome {}
}
