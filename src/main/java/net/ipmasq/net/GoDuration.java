package net.ipmasq.net;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Durations in Go's syntax ({@code time.ParseDuration}): {@code 60s}, {@code 1m30s}, {@code 500ms}, {@code 1.5h}. */
public final class GoDuration {
    private GoDuration() {}

    private static final Pattern PART = Pattern.compile("([0-9]+\\.?[0-9]*|\\.[0-9]+)(ns|us|µs|μs|ms|s|m|h)");
    private static final Map<String, Long> NANOS = Map.of(
            "ns", 1L,
            "us", 1_000L,
            "µs", 1_000L,
            "μs", 1_000L,
            "ms", 1_000_000L,
            "s", 1_000_000_000L,
            "m", 60_000_000_000L,
            "h", 3_600_000_000_000L);

    /**
     * Parses {@code text}; a sign is allowed, a bare {@code 0} too.
     *
     * @throws IllegalArgumentException if the text is no duration or does not fit in 64-bit nanoseconds
     */
    public static Duration parse(String text) {
        boolean signed = text.startsWith("-") || text.startsWith("+");
        String body = signed ? text.substring(1) : text;
        if (body.equals("0")) {
            return Duration.ZERO;
        }
        if (body.isEmpty() || body.length() > 64) {
            throw new IllegalArgumentException("not a duration: '" + text + "'");
        }
        BigDecimal nanos = sum(body, text);
        if (nanos.compareTo(BigDecimal.valueOf(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException("duration too long: '" + text + "'");
        }
        long value = nanos.setScale(0, RoundingMode.DOWN).longValueExact();
        return Duration.ofNanos(text.startsWith("-") ? -value : value);
    }

    private static BigDecimal sum(String body, String text) {
        Matcher part = PART.matcher(body);
        BigDecimal nanos = BigDecimal.ZERO;
        int at = 0;
        while (at < body.length()) {
            part.region(at, body.length());
            if (!part.lookingAt()) {
                throw new IllegalArgumentException("not a duration: '" + text + "'");
            }
            BigDecimal unit = BigDecimal.valueOf(NANOS.getOrDefault(part.group(2), 0L));
            nanos = nanos.add(new BigDecimal(part.group(1)).multiply(unit));
            at = part.end();
        }
        return nanos;
    }

    /** The shortest usual form: {@code 1m30s}, {@code 500ms}, {@code 1h}. */
    public static String format(Duration duration) {
        if (duration.isZero()) {
            return "0s";
        }
        StringBuilder text = new StringBuilder(duration.isNegative() ? "-" : "");
        Duration rest = duration.abs();
        append(text, rest.toHours(), "h");
        append(text, rest.toMinutesPart(), "m");
        append(text, rest.toSecondsPart(), "s");
        append(text, rest.toMillisPart(), "ms");
        append(text, rest.toNanosPart() % 1_000_000, "ns");
        return text.toString();
    }

    private static void append(StringBuilder text, long value, String unit) {
        if (value != 0) {
            text.append(value).append(unit);
        }
    }
}
