package net.ipmasq.text;

/** A number of things, in words for people. */
public final class Counted {
    private Counted() {}

    /** For example {@code 1 node} and {@code 2 nodes}; for words that only take an s. */
    public static String of(long number, String what) {
        return number + " " + noun(number, what);
    }

    /** The word alone, where the number stands apart from it. */
    public static String noun(long number, String what) {
        return number == 1 ? what : what + "s";
    }
}
