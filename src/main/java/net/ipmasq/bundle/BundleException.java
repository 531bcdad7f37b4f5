package net.ipmasq.bundle;

/** Something the person at the command line has to correct before a bundle can be looked at; the message says what. */
public final class BundleException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public BundleException(String message) {
        super(message);
    }
}
