package net.ipmasq.config;

import static net.ipmasq.config.ForeignKeys.plain;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Guesses which key a misspelt one was meant to be; never one that says the opposite of what is written. */
final class NearestKey {
    /** Longer texts are no typing errors, and comparing costs their length. */
    private static final int LONGEST = 64;

    /** Words that turn the meaning of what follows, at the start of a key or behind its {@code masq}. */
    private static final List<String> NOT = List.of(
            "non",
            "no",
            "not",
            "un",
            "dont",
            "exclude",
            "excluded",
            "except",
            "skip",
            "ignore",
            "bypass",
            "disable",
            "without",
            "never",
            "avoid",
            "deny",
            "omit",
            "prevent");

    private NearestKey() {}

    private record Candidate(String key, int distance) {}

    /** The known key within a third of its length in edits; case, {@code _} and {@code -} do not count. */
    static Optional<String> of(String written, Collection<String> known) {
        if (written.length() > LONGEST) {
            return Optional.empty();
        }
        String plain = plain(written);
        return known.stream()
                .filter(key -> isNegative(plain) == isNegative(plain(key)) && sameFamily(plain, plain(key)))
                .map(key -> new Candidate(key, distance(plain, plain(key))))
                .filter(candidate -> candidate.distance * 3 <= candidate.key.length())
                .min(Comparator.comparingInt(Candidate::distance))
                .map(Candidate::key);
    }

    /** Whether a word that says no stands before {@code masq}, or a word that is one letter from it, or behind it. */
    private static boolean isNegative(String plain) {
        int masq = plain.indexOf("masq");
        if (plain.endsWith("off") || plain.endsWith("disabled")) {
            return true;
        }
        if (masq < 0) {
            return NOT.stream().anyMatch(plain::startsWith);
        }
        String before = plain.substring(0, masq);
        String behind = plain.substring(masq).replaceFirst("^masq(uerade)?", "");
        return NOT.stream().anyMatch(word -> before.endsWith(word) || behind.startsWith(word))
                || !before.isEmpty() && distance(before, "non") <= 1;
    }

    /** A key for IPv6 is meant exactly where the word has a 6; one that breaks off after {@code ip} may mean it. */
    private static boolean sameFamily(String plain, String key) {
        boolean unclear = plain.endsWith("ip") || plain.endsWith("ipv");
        return unclear || plain.indexOf('6') >= 0 == key.indexOf('6') >= 0;
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
