package net.ipmasq.bundle.cluster.preflight;

import com.github.zafarkhaja.semver.Version;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A range such as {@code >=1.20.0-0 <2}: all comparisons must hold. Only the numbers are compared, and a missing one is 0: what
 * distributions append ({@code v1.28.3-gke.1}, {@code 5.10.0-182.el8}) makes no version older.
 */
record VersionRange(String text, Predicate<Version> accepts) {
    private static final Pattern NUMBERS = Pattern.compile("^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?");
    private static final Pattern BOUND = Pattern.compile("(>=|<=|>|<|=)?\\s*([^\\s<>=]+)");

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it is not a range
     */
    static VersionRange of(String text) {
        Predicate<Version> all = version -> true;
        Matcher found = BOUND.matcher(text.strip());
        while (found.find()) {
            Version bound = numbers(found.group(2))
                    .orElseThrow(() -> new IllegalArgumentException("no range of versions: " + text));
            all = all.and(comparison(String.valueOf(found.group(1)), bound));
        }
        return new VersionRange(text, all);
    }

    private static Predicate<Version> comparison(String sign, Version bound) {
        return switch (sign) {
            case ">=" -> version -> version.isHigherThanOrEquivalentTo(bound);
            case "<=" -> version -> version.isLowerThanOrEquivalentTo(bound);
            case ">" -> version -> version.isHigherThan(bound);
            case "<" -> version -> version.isLowerThan(bound);
            default -> version -> version.isEquivalentTo(bound);
        };
    }

    /** Empty when the text starts with no version. */
    Optional<Boolean> holds(String version) {
        return numbers(version).map(accepts::test);
    }

    private static Optional<Version> numbers(String version) {
        Matcher found = NUMBERS.matcher(version);
        return found.find()
                ? Optional.of(Version.of(number(found.group(1)), number(found.group(2)), number(found.group(3))))
                : Optional.empty();
    }

    private static long number(@Nullable String digits) {
        return digits == null ? 0 : Long.parseLong(digits);
    }
}
