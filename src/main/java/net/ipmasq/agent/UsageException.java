package net.ipmasq.agent;

/** A setting, flag or file that the user has to correct; the message names it and the correction. */
public final class UsageException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public UsageException(String message) {
        super(message);
    }
}
