package net.ipmasq.bundle.preflight;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A range such as {@code >=1.20.0-0 <2}: all comparisons must hold. Only the numbers count: what distributions append
 * ({@code v1.28.3-gke.1}, {@code 5.10.0-182.el8}) makes no version older.
 */
record VersionRange(String text, List<Bound> bounds) {
    private static final Pattern NUMBERS = Pattern.compile("^v?(\\d+)(?:\\.(\\d+))?(?:\\.(\\d+))?");
    private static final Pattern BOUND = Pattern.compile("(>=|<=|>|<|=)?\\s*([^\\s<>=]+)");

    /** One comparison. */
    record Bound(String sign, List<Integer> numbers) {
        boolean holds(List<Integer> version) {
            int order = compare(version, numbers);
            return switch (sign) {
                case ">=" -> order >= 0;
                case "<=" -> order <= 0;
                case ">" -> order > 0;
                case "<" -> order < 0;
                default -> order == 0;
            };
        }
    }

    /**
     * Reads it.
     *
     * @throws IllegalArgumentException if it is none
     */
    static VersionRange of(String text) {
        List<Bound> bounds = new ArrayList<>();
        Matcher found = BOUND.matcher(text.strip());
        while (found.find()) {
            String sign = found.group(1) == null ? "=" : found.group(1);
            String version = found.group(2);
            bounds.add(new Bound(
                    sign,
                    numbers(version).orElseThrow(() -> new IllegalArgumentException("no range of versions: " + text))));
        }
        return new VersionRange(text, List.copyOf(bounds));
    }

    /** Empty when the text starts with no version. */
    Optional<Boolean> holds(String version) {
        return numbers(version).map(numbers -> bounds.stream().allMatch(bound -> bound.holds(numbers)));
    }

    private static Optional<List<Integer>> numbers(String version) {
        Matcher found = NUMBERS.matcher(version);
        if (!found.find()) {
            return Optional.empty();
        }
        List<Integer> numbers = new ArrayList<>();
        for (int i = 1; i <= 3; i++) {
            String number = found.group(i);
            numbers.add(number == null ? 0 : Integer.parseInt(number));
        }
        return Optional.of(numbers);
    }

    private static int compare(List<Integer> a, List<Integer> b) {
        for (int i = 0; i < 3; i++) {
            int order = Integer.compare(a.get(i), b.get(i));
            if (order != 0) {
                return order;
            }
        }
        return 0;
    }
}
