package net.ipmasq.lab;

/** Where random tests get their seed: {@code -Dipmasq.seed=N} repeats a run, else every run has its own. */
public final class Seeds {
    private Seeds() {}

    public static long next() {
        Long given = Long.getLong("ipmasq.seed");
        long seed = given != null ? given : System.nanoTime();
        System.out.println("random test: repeat with -Dipmasq.seed=" + seed);
        return seed;
    }
}
