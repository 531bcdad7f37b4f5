package net.ipmasq.config;

import static net.ipmasq.config.ForeignKeys.plain;

import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Guesses which key a misspelt one was meant to be; never one that may mean the opposite of what is written. */
final class NearestKey {
    /** Longer texts are no typing errors, and comparing costs their length. */
    private static final int LONGEST = 64;

    /** Words that reverse the meaning of a key, at its start or after its {@code masq}. */
    private static final List<String> NOT = List.of("""
            non no not dont exclude excluded except skip ignore bypass
            disable without never avoid deny omit prevent""".split("\\s"));

    /** Words before {@code masq} that leave its meaning as it is. */
    private static final List<String> YES = List.of("", "ip", "enable", "do", "force", "always");

    private static final String KEEP_LIST = ConfigKey.NON_MASQUERADE_CIDRS.spelling();
    private static final String MASQUERADE_LIST = ConfigKey.MASQUERADE_CIDRS.spelling();

    private NearestKey() {}

    private record Candidate(String key, int distance) {}

    private enum Sense {
        YES,
        NO,
        /** A word whose meaning is not known, such as {@code keep} in {@code keepMasqueradeCIDRs}, or two that say no. */
        UNCLEAR
    }

    /** What to write for a misspelt key; empty if no known key is within a third of its length in edits. */
    static Optional<String> hint(String written, Collection<String> known) {
        boolean eitherList = known.contains(KEEP_LIST)
                && written.length() <= LONGEST
                && Stream.of(KEEP_LIST, MASQUERADE_LIST).anyMatch(list -> near(plain(written), list));
        return of(written, known)
                .map(key -> "write " + key)
                .or(() -> eitherList
                        ? Optional.of("write " + KEEP_LIST + " for destinations that keep the pod's address, or "
                                + MASQUERADE_LIST + " for those that get the node's")
                        : Optional.empty());
    }

    /** The known key within a third of its length in edits; case, {@code _} and {@code -} do not matter. */
    static Optional<String> of(String written, Collection<String> known) {
        if (written.length() > LONGEST) {
            return Optional.empty();
        }
        String plain = withoutYes(plain(written));
        Sense sense = sense(plain);
        return known.stream()
                .filter(key -> sense == sense(plain(key)) && sameFamily(plain, plain(key)) && near(plain, key))
                .map(key -> new Candidate(key, distance(plain, plain(key))))
                .min(Comparator.comparingInt(Candidate::distance))
                .filter(candidate -> !mayBeTheOtherList(plain, candidate))
                .map(Candidate::key);
    }

    private static boolean near(String plain, String key) {
        return distance(plain, plain(key)) * 3 <= key.length();
    }

    /** Whether a key without a word that says no is nearly as near to the list whose name has one. */
    private static boolean mayBeTheOtherList(String plain, Candidate candidate) {
        return candidate.key.equals(MASQUERADE_LIST)
                && (candidate.distance > 2 || distance(plain, plain(KEEP_LIST)) < candidate.distance + 2);
    }

    private static String withoutYes(String plain) {
        int masq = plain.indexOf("masq");
        return masq > 0 && YES.contains(plain.substring(0, masq)) ? plain.substring(masq) : plain;
    }

    /** What the words around {@code masq} make of it. */
    private static Sense sense(String plain) {
        int masq = plain.indexOf("masq");
        boolean off = plain.endsWith("off") || plain.endsWith("disabled");
        if (masq < 0) {
            return off || NOT.stream().anyMatch(plain::startsWith) ? Sense.NO : Sense.YES;
        }
        Sense before = senseBefore(plain.substring(0, masq));
        String behind = plain.substring(masq).replaceFirst("^masq(uerade)?", "");
        if (!off && NOT.stream().noneMatch(behind::startsWith)) {
            return before;
        }
        return before == Sense.YES ? Sense.NO : Sense.UNCLEAR;
    }

    private static Sense senseBefore(String word) {
        boolean typingError = word.length() == 1 && !"no".contains(word);
        if (YES.contains(word) || typingError) {
            return Sense.YES;
        }
        return NOT.stream().anyMatch(word::endsWith) || distance(word, "non") <= 1 ? Sense.NO : Sense.UNCLEAR;
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
