package net.ipmasq.config;

import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Optional;

/** Guesses which key a misspelt one was meant to be. */
final class NearestKey {
    /** Longer texts are no typing errors, and comparing costs their length. */
    private static final int LONGEST = 64;

    private NearestKey() {}

    private record Candidate(String key, int distance) {}

    /** The known key within a third of its length in edits; case, {@code _} and {@code -} do not count. */
    static Optional<String> of(String written, Collection<String> known) {
        if (written.length() > LONGEST) {
            return Optional.empty();
        }
        String plain = plain(written);
        return known.stream()
                .map(key -> new Candidate(key, distance(plain, plain(key))))
                .filter(candidate -> candidate.distance * 3 <= candidate.key.length())
                .min(Comparator.comparingInt(Candidate::distance))
                .map(Candidate::key);
    }

    private static String plain(String key) {
        return key.toLowerCase(Locale.ROOT).replaceAll("[-_ ]", "");
    }

    /** Edit distance in which swapping two neighbours is one edit. */
    private static int distance(String a, String b) {
        int[][] edits = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                edits[i][j] = i == 0 || j == 0 ? i + j : cheapest(edits, a, b, i, j);
            }
        }
        return edits[a.length()][b.length()];
    }

    private static int cheapest(int[][] edits, String a, String b, int i, int j) {
        boolean same = a.charAt(i - 1) == b.charAt(j - 1);
        int best = Math.min(edits[i - 1][j - 1] + (same ? 0 : 1), 1 + Math.min(edits[i - 1][j], edits[i][j - 1]));
        boolean swapped = i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1);
        return swapped ? Math.min(best, edits[i - 2][j - 2] + 1) : best;
    }
}
