package net.ipmasq.agent;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import net.ipmasq.net.GoDuration;
import net.ipmasq.net.IpAddress;
import net.ipmasq.profile.ChainName;

/**
 * Reads all settings. A blank value is as good as none; a value out of bounds is refused with the setting's names, the value
 * and the bounds.
 */
final class SettingReader {
    /** Settings that no flag of {@code run} sets. */
    private static final Set<String> WITHOUT_FLAG = Set.of(
            "host",
            "port",
            "log-format",
            "patience",
            "cidr-limit",
            "ipv6",
            "source",
            "node-name",
            "full-read-interval");

    private final Function<String, Optional<String>> lookup;

    /**
     * @param lookup the text of {@code ip-masq.NAME} by NAME, empty if nobody set it
     */
    SettingReader(Function<String, Optional<String>> lookup) {
        this.lookup = lookup;
    }

    /**
     * A setting's value; empty if nobody gave one.
     *
     * @param reader throws {@link IllegalArgumentException} with the bounds for a value beyond them
     */
    <T> Optional<T> read(String name, Function<String, T> reader) {
        Optional<String> text = lookup.apply(name).map(String::strip).filter(given -> !given.isEmpty());
        try {
            return text.map(reader);
        } catch (IllegalArgumentException e) {
            String flag = WITHOUT_FLAG.contains(name) ? "" : "--" + name + ", ";
            throw new UsageException("setting " + name + " (" + flag + Settings.environmentName(name) + "): '"
                    + text.orElse("") + "' is not valid: " + e.getMessage());
        }
    }

    static Function<String, Integer> number(int least, int most) {
        return text -> {
            // more digits than any bound has
            long number = text.matches("[0-9]{1,10}") ? Long.parseLong(text) : -1;
            if (number < least || number > most) {
                throw new IllegalArgumentException("it must be a whole number from " + least + " to " + most);
            }
            return (int) number;
        };
    }

    static Function<String, Duration> duration(Duration least, Duration most) {
        return text -> {
            Duration wanted = GoDuration.parse(text);
            if (wanted.compareTo(least) < 0 || wanted.compareTo(most) > 0) {
                throw new IllegalArgumentException("it must be a duration from " + GoDuration.format(least) + " to "
                        + GoDuration.format(most) + ", such as 250ms or 1m30s");
            }
            return wanted;
        };
    }

    /** Seconds, as the Go agents' flag has them, or a duration; bounds beyond these are applied later. */
    static Duration interval(String text) {
        Duration wanted = text.matches("[0-9]{1,9}")
                ? Duration.ofSeconds(Long.parseLong(text))
                : text.matches("-[0-9]+") ? Duration.ofSeconds(-1) : GoDuration.parse(text);
        if (wanted.isNegative()) {
            throw new IllegalArgumentException(
                    "it must be a number of seconds or a duration, 0 or more; the agent uses 1s to 1h");
        }
        return wanted;
    }

    static Function<String, String> oneOf(List<String> names) {
        return text -> {
            String name = text.toLowerCase(Locale.ROOT);
            if (!names.contains(name)) {
                throw new IllegalArgumentException("it must be one of " + String.join(", ", names));
            }
            return name;
        };
    }

    static boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            // what Go's flag package accepts
            case "true", "t", "1" -> true;
            case "false", "f", "0" -> false;
            default -> throw new IllegalArgumentException("it must be true or false");
        };
    }

    static String chain(String text) {
        ChainName.fault(text).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        return text;
    }

    static String host(String text) {
        int zone = text.indexOf('%');
        boolean address =
                IpAddress.parse(zone < 0 ? text : text.substring(0, zone)).isPresent();
        if (!address && !isName(text)) {
            throw new IllegalArgumentException(
                    "it must be an address such as 127.0.0.1 or ::1, without brackets and without"
                            + " a port, or a host name of at most 253 letters, digits, dots and dashes");
        }
        return text;
    }

    static String nodeName(String text) {
        if (!isName(text)) {
            throw new IllegalArgumentException(
                    "a node's name has at most 253 letters, digits, dots and dashes, as in 'kubectl get nodes'");
        }
        return text;
    }

    private static boolean isName(String text) {
        return text.matches("[A-Za-z0-9._-]{1,253}");
    }
}
