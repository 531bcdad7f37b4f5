package net.ipmasq.agent.kube;

/** The access to the API server that this process was given cannot be used; the message gives the reason. */
public final class AccessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AccessException(String message) {
        super(message);
    }

    AccessException(String message, Throwable cause) {
        super(message, cause);
    }
}
