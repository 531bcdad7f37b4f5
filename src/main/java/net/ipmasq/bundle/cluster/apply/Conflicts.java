package net.ipmasq.bundle.cluster.apply;

import java.util.Locale;

/** What to do where somebody else has written a field of a provider's object; the three choices of EKS. */
public enum Conflicts {
    /** Nothing is applied at all, and every conflict is reported. */
    NONE,
    /** The field gets the provider's value. */
    OVERWRITE,
    /** The field keeps the other's value, and stays the other's. */
    PRESERVE;

    /** As on the command line. */
    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
