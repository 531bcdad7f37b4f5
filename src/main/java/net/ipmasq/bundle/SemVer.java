package net.ipmasq.bundle;

import java.math.BigInteger;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A version by <a href="https://semver.org">SemVer 2.0</a>, in its order of precedence; build metadata counts for nothing. */
record SemVer(List<BigInteger> core, List<String> preRelease) implements Comparable<SemVer> {
    private static final String NUMBER = "(0|[1-9][0-9]*)";
    private static final Pattern SHAPE = Pattern.compile(NUMBER + "\\." + NUMBER + "\\." + NUMBER
            + "(?:-([0-9A-Za-z-]+(?:\\.[0-9A-Za-z-]+)*))?(?:\\+[0-9A-Za-z.-]+)?");
    private static final Pattern DIGITS = Pattern.compile("[0-9]+");

    static Optional<SemVer> of(String text) {
        Matcher shape = SHAPE.matcher(text);
        if (!shape.matches()) {
            return Optional.empty();
        }
        List<BigInteger> core = Stream.of(shape.group(1), shape.group(2), shape.group(3))
                .map(BigInteger::new)
                .toList();
        String pre = shape.group(4);
        return Optional.of(new SemVer(core, pre == null ? List.of() : List.of(pre.split("\\."))));
    }

    @Override
    public int compareTo(SemVer other) {
        int byCore = lists(core, other.core, Comparator.naturalOrder());
        if (byCore != 0) {
            return byCore;
        }
        if (preRelease.isEmpty() || other.preRelease.isEmpty()) {
            // a release follows its own pre-releases
            return Boolean.compare(preRelease.isEmpty(), other.preRelease.isEmpty());
        }
        return lists(preRelease, other.preRelease, SemVer::identifiers);
    }

    private static <T> int lists(List<T> one, List<T> other, Comparator<T> order) {
        for (int i = 0; i < Math.min(one.size(), other.size()); i++) {
            int found = order.compare(one.get(i), other.get(i));
            if (found != 0) {
                return found;
            }
        }
        return Integer.compare(one.size(), other.size());
    }

    private static int identifiers(String one, String other) {
        boolean number = DIGITS.matcher(one).matches();
        boolean otherNumber = DIGITS.matcher(other).matches();
        if (number && otherNumber) {
            return new BigInteger(one).compareTo(new BigInteger(other));
        }
        return number == otherNumber ? one.compareTo(other) : Boolean.compare(otherNumber, number);
    }
}
