package net.ipmasq.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import net.ipmasq.net.GoDuration;
import net.ipmasq.net.PortRange;
import net.ipmasq.profile.ChainName;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.ProfileOverrides;

/**
 * Settings of the process. Each has one name, {@code ip-masq.NAME}, and can come from a flag, a system property, the
 * environment ({@code IP_MASQ_NAME}) or {@code config/application.properties}, in falling precedence.
 *
 * @param config the mounted configuration file
 * @param configGiven whether somebody set it, instead of the default
 * @param profile name of a built-in profile, or a file
 * @param stateDir where the last good state is kept
 * @param backend one of {@link #BACKENDS}
 * @param host address of health, metrics and status
 * @param port their port
 * @param jsonLogs one JSON object per log line
 * @param patience how long a pass waits for the configuration file
 * @param source where the configuration comes from
 * @param nodeName this node's name in the cluster; empty if nobody told
 * @param fullRead age at which the kernel is read again although its generation says that nothing has changed
 */
public record Settings(
        Path config,
        boolean configGiven,
        String profile,
        Path stateDir,
        String backend,
        ProfileOverrides overrides,
        String host,
        int port,
        boolean jsonLogs,
        Duration patience,
        Source source,
        String nodeName,
        Duration fullRead) {

    /** Where the configuration comes from. */
    public enum Source {
        /** The API in a cluster or where KUBECONFIG is set, the mounted file until it answers; else the file. */
        AUTO,
        KUBERNETES,
        FILE
    }

    public static final String DEFAULT_CONFIG = "/etc/config/ip-masq-agent";
    public static final String DEFAULT_PROFILE = "cce";
    public static final String DEFAULT_STATE_DIR = "/var/lib/ip-masq-agent";
    public static final List<String> BACKENDS =
            List.of("iptables", "iptables-nft", "iptables-legacy", "nftables", "auto");
    public static final String DEFAULT_HOST = "127.0.0.1";
    public static final int DEFAULT_PORT = 19180;

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

    /**
     * Reads the settings.
     *
     * @param lookup the text of {@code ip-masq.NAME} by NAME, empty if nobody set it
     * @throws UsageException naming the setting that is wrong
     */
    public static Settings of(Function<String, Optional<String>> lookup) {
        return new Settings(
                Path.of(lookup.apply("config").orElse(DEFAULT_CONFIG)),
                lookup.apply("config").isPresent(),
                lookup.apply("profile").orElse(DEFAULT_PROFILE),
                Path.of(lookup.apply("state-dir").orElse(DEFAULT_STATE_DIR)),
                backend(lookup.apply("backend").orElse(BACKENDS.getFirst())),
                overrides(lookup),
                lookup.apply("host").orElse(DEFAULT_HOST),
                read(lookup, "port", Settings::port).orElse(DEFAULT_PORT),
                read(lookup, "log-format", Settings::isJson).orElse(false),
                read(lookup, "patience", GoDuration::parse).orElse(Duration.ofMillis(250)),
                read(lookup, "source", Settings::source).orElse(Source.AUTO),
                lookup.apply("node-name").orElse(""),
                read(lookup, "full-read-interval", GoDuration::parse).orElse(Duration.ofMinutes(10)));
    }

    private static ProfileOverrides overrides(Function<String, Optional<String>> lookup) {
        return new ProfileOverrides(
                read(lookup, "masq-chain", Settings::chain),
                read(lookup, "to-ports", PortRange::listOf),
                read(lookup, "nomasq-all-reserved-ranges", Settings::bool),
                read(lookup, "enable-ipv6", Settings::bool),
                read(lookup, "random-fully", Settings::bool),
                read(lookup, "resync-interval", Settings::interval),
                read(lookup, "cidr-limit", Settings::positive),
                read(
                        lookup,
                        "ipv6",
                        text -> Ipv6Mode.of(text)
                                .orElseThrow(() -> new IllegalArgumentException("it is on, off or auto"))));
    }

    private static <T> Optional<T> read(
            Function<String, Optional<String>> lookup, String name, Function<String, T> reader) {
        Optional<String> text = lookup.apply(name).map(String::strip).filter(given -> !given.isEmpty());
        try {
            return text.map(reader);
        } catch (IllegalArgumentException e) {
            String flag = WITHOUT_FLAG.contains(name) ? "" : "--" + name + ", ";
            throw new UsageException("setting " + name + " (" + flag + environmentName(name) + "): '" + text.orElse("")
                    + "' is not valid: " + e.getMessage());
        }
    }

    /** The environment variable of a setting, for example {@code IP_MASQ_STATE_DIR}. */
    public static String environmentName(String name) {
        return "IP_MASQ_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }

    private static String backend(String text) {
        if (!BACKENDS.contains(text)) {
            throw new UsageException("backend '" + text + "' is not known; use one of " + String.join(", ", BACKENDS));
        }
        return text;
    }

    private static String chain(String text) {
        ChainName.fault(text).ifPresent(fault -> {
            throw new IllegalArgumentException(fault);
        });
        return text;
    }

    private static boolean bool(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            // what Go's flag package takes
            case "true", "t", "1" -> true;
            case "false", "f", "0" -> false;
            default -> throw new IllegalArgumentException("it is true or false");
        };
    }

    private static boolean isJson(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "json" -> true;
            case "text" -> false;
            default -> throw new IllegalArgumentException("it is text or json");
        };
    }

    private static Source source(String text) {
        return switch (text.toLowerCase(Locale.ROOT)) {
            case "auto" -> Source.AUTO;
            case "kubernetes" -> Source.KUBERNETES;
            case "file" -> Source.FILE;
            default -> throw new IllegalArgumentException("it is auto, kubernetes or file");
        };
    }

    private static int port(String text) {
        int port = positive(text);
        if (port > 65535) {
            throw new IllegalArgumentException("a port is 1 to 65535");
        }
        return port;
    }

    private static int positive(String text) {
        try {
            int number = Integer.parseInt(text);
            if (number >= 1) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("a whole number of 1 or more is needed", e);
        }
        throw new IllegalArgumentException("a whole number of 1 or more is needed");
    }

    /** Seconds, as the Go agents' flag has them, or a duration. */
    private static Duration interval(String text) {
        return text.matches("[0-9]{1,9}") ? Duration.ofSeconds(Long.parseLong(text)) : GoDuration.parse(text);
    }
}
