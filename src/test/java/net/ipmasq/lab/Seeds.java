package net.ipmasq.lab;

/** Where random tests get their seed: {@code -Dipmasq.seed=N} repeats a run, else every run has its own. */
public final class Seeds {
    private Seeds() {}

    /** For a test that names the seed when it fails. */
    public static long any() {
        Long given = Long.getLong("ipmasq.seed");
        return given != null ? given : System.nanoTime();
    }

    /** For a test that does not: it is printed. */
    public static long next() {
        long seed = any();
        System.out.println("random test: repeat with -Dipmasq.seed=" + seed);
        return seed;
    }
}
