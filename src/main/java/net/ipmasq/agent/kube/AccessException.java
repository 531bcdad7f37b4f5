package net.ipmasq.agent.kube;

/** There is no way to the API server with what this process was given; the message says what is wrong with it. */
public final class AccessException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    AccessException(String message) {
        super(message);
    }

    AccessException(String message, Throwable cause) {
        super(message, cause);
    }
}
