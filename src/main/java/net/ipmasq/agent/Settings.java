package net.ipmasq.agent;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import net.ipmasq.dataplane.backend.BackendSetting;
import net.ipmasq.net.PortRange;
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
 * @param host address of health, metrics and status
 * @param port their port
 * @param jsonLogs one JSON object per log line
 * @param patience how long a pass waits for the configuration file
 * @param source where the configuration comes from
 * @param nodeName this node's name in the cluster; empty if not set
 * @param fullRead age at which the kernel is read again although its generation has not changed
 */
public record Settings(
        Path config,
        boolean configGiven,
        String profile,
        Path stateDir,
        BackendSetting backend,
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
    /** Values of {@code backend}, the default first. */
    public static final List<String> BACKENDS =
            BackendSetting.all().stream().map(BackendSetting::key).toList();

    public static final String DEFAULT_HOST = "127.0.0.1";
    public static final int DEFAULT_PORT = 19180;

    private static final int MOST_CIDRS = 999_999_999;

    /**
     * Reads the settings.
     *
     * @param lookup the text of {@code ip-masq.NAME} by NAME, empty if nobody set it
     * @throws UsageException naming the setting that is wrong
     */
    public static Settings of(Function<String, Optional<String>> lookup) {
        SettingReader settings = new SettingReader(lookup);
        Optional<Path> config = settings.read("config", Path::of);
        return new Settings(
                config.orElse(Path.of(DEFAULT_CONFIG)),
                config.isPresent(),
                settings.read("profile", text -> text).orElse(DEFAULT_PROFILE),
                settings.read("state-dir", Path::of).orElse(Path.of(DEFAULT_STATE_DIR)),
                settings.read("backend", SettingReader.oneOf(BACKENDS).andThen(BackendSetting::of))
                        .orElse(BackendSetting.IPTABLES),
                overrides(settings),
                settings.read("host", SettingReader::host).orElse(DEFAULT_HOST),
                settings.read("port", SettingReader.number(1, 65_535)).orElse(DEFAULT_PORT),
                settings.read("log-format", SettingReader.oneOf(List.of("text", "json")))
                        .filter("json"::equals)
                        .isPresent(),
                // a pass waits that long, and everything else waits for the pass
                settings.read("patience", SettingReader.duration(Duration.ofMillis(1), Duration.ofMinutes(1)))
                        .orElse(Duration.ofMillis(250)),
                settings.read("source", SettingReader.oneOf(List.of("auto", "kubernetes", "file")))
                        .map(name -> Source.valueOf(name.toUpperCase(Locale.ROOT)))
                        .orElse(Source.AUTO),
                settings.read("node-name", SettingReader::nodeName).orElse(""),
                settings.read("full-read-interval", SettingReader.duration(Duration.ZERO, Duration.ofHours(24)))
                        .orElse(Duration.ofMinutes(10)));
    }

    private static ProfileOverrides overrides(SettingReader settings) {
        return new ProfileOverrides(
                settings.read("masq-chain", SettingReader::chain),
                settings.read("to-ports", PortRange::listOf),
                settings.read("nomasq-all-reserved-ranges", SettingReader::bool),
                settings.read("enable-ipv6", SettingReader::bool),
                settings.read("random-fully", SettingReader::bool),
                settings.read("resync-interval", SettingReader::interval),
                settings.read("cidr-limit", SettingReader.number(1, MOST_CIDRS)),
                settings.read(
                        "ipv6",
                        text -> Ipv6Mode.of(text)
                                .orElseThrow(() -> new IllegalArgumentException("it is on, off or auto"))));
    }

    /** The environment variable of a setting, for example {@code IP_MASQ_STATE_DIR}. */
    public static String environmentName(String name) {
        return "IP_MASQ_" + name.toUpperCase(Locale.ROOT).replace('-', '_');
    }
}
