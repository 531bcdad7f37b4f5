package net.ipmasq.net;

import java.util.ArrayList;
import java.util.List;

/**
 * A range of ports, both ends included.
 *
 * @param first 1 to 65535
 * @param last not below {@code first}
 */
public record PortRange(int first, int last) {

    /** Each range takes three rules of each family. */
    private static final int MOST = 1000;

    public PortRange {
        if (first < 1 || last > 65535 || first > last) {
            throw new IllegalArgumentException(
                    "port range " + first + "-" + last + " is not within 1-65535 or runs backwards");
        }
    }

    public int size() {
        return last - first + 1;
    }

    /** One range, {@code 42} or {@code 42-44}, as {@code --to-ports} takes it. */
    public static PortRange of(String text) {
        int dash = text.indexOf('-');
        String from = dash < 0 ? text : text.substring(0, dash);
        String to = dash < 0 ? text : text.substring(dash + 1);
        return new PortRange(port(from, text), port(to, text));
    }

    /**
     * Comma-separated ranges without white space, for example {@code 1024-29999,32768-65535}. Order and overlaps are
     * kept: they change only how often a port is chosen. At most 1,000.
     *
     * @throws IllegalArgumentException naming the part that is wrong
     */
    public static List<PortRange> listOf(String text) {
        List<PortRange> ranges = new ArrayList<>();
        String[] parts = text.split(",", MOST + 1);
        if (parts.length > MOST) {
            throw new IllegalArgumentException("there are more than " + MOST + " ranges of ports");
        }
        for (String part : parts) {
            ranges.add(of(part));
        }
        return List.copyOf(ranges);
    }

    private static int port(String digits, String text) {
        if (digits.isEmpty() || digits.length() > 5 || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            throw new IllegalArgumentException(
                    Quoted.of(text) + " is not a port or a range of ports such as 1024-29999");
        }
        return Integer.parseInt(digits);
    }

    /** The kernel's form: {@code 42} for a single port, else {@code 42-44}. */
    @Override
    public String toString() {
        return first == last ? String.valueOf(first) : first + "-" + last;
    }
}
