package net.ipmasq.cli;

import java.util.Collection;
import net.ipmasq.agent.Assessment;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;

/** Exit codes of all commands (docs/behaviour.md, "Exit codes"). */
public final class ExitCode {
    private ExitCode() {}

    public static final int OK = 0;
    public static final int DIFFERENCE = 1;
    public static final int USAGE = 2;
    public static final int INVALID_CONFIG = 3;
    public static final int FAILURE = 4;
    public static final int NOT_PERMITTED = 5;

    /** The code for what a look at the node found. */
    static int of(Assessment assessment) {
        return of(assessment.failures(), assessment.outcome(), assessment.inSync() ? OK : DIFFERENCE);
    }

    /** The code for failures and a configuration, {@code otherwise} when both are fine. */
    static int of(Collection<Failure> failures, ConfigOutcome outcome, int otherwise) {
        if (failures.stream().anyMatch(failure -> failure.code() == FailureCode.NOT_PERMITTED)) {
            return NOT_PERMITTED;
        }
        if (!failures.isEmpty()) {
            return FAILURE;
        }
        return outcome instanceof ConfigOutcome.Invalid ? INVALID_CONFIG : otherwise;
    }
}
