package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.UsageException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every setting from every place: empty is not given, and out of bounds is said with name, value and bounds. */
class SettingsTest {
    /** Asked for by the reader of settings itself, so that a new one cannot be forgotten. */
    static Stream<String> names() {
        TreeSet<String> asked = new TreeSet<>();
        Settings.of(name -> {
            asked.add(name);
            return Optional.empty();
        });
        return asked.stream();
    }

    private static Settings of(Map<String, String> flags, Map<String, String> environment) {
        return Settings.of(new SettingsLookup(flags, environment));
    }

    @ParameterizedTest
    @MethodSource("names")
    void whatIsEmptyIsNotGiven(String name) {
        Settings none = of(Map.of(), Map.of());
        for (String empty : new String[] {"", " ", "\t"}) {
            assertThat(of(Map.of(name, empty), Map.of())).as("flag").isEqualTo(none);
            assertThat(of(Map.of(), Map.of(Settings.environmentName(name), empty)))
                    .as("environment")
                    .isEqualTo(none);
            assertThat(Settings.of(asked -> asked.equals(name) ? Optional.of(empty) : Optional.empty()))
                    .as("any other place")
                    .isEqualTo(none);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "  "})
    void anEmptyFlagDoesNotHideTheEnvironment(String empty) {
        Settings settings = of(Map.of("state-dir", empty), Map.of("IP_MASQ_STATE_DIR", "/var/lib/other"));
        assertThat(settings.stateDir()).hasToString("/var/lib/other");
    }

    @ParameterizedTest
    @MethodSource("names")
    void noSettingTakesAnything(String name) {
        // a profile may be any file's name, so it is judged when it is opened
        if (name.equals("profile")) {
            return;
        }
        assertThatThrownBy(() -> of(Map.of(name, "no \u0000 value"), Map.of()))
                .isInstanceOf(UsageException.class)
                .hasMessageContaining("setting " + name)
                .hasMessageContaining(Settings.environmentName(name));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            port               | 0        | from 1 to 65535
            port               | 65536    | from 1 to 65535
            port               | 70000    | from 1 to 65535
            port               | -1       | from 1 to 65535
            port               | 80.5     | from 1 to 65535
            port               | 99999999999999999999 | from 1 to 65535
            patience           | 0s       | from 1ms to 1m
            patience           | -5s      | from 1ms to 1m
            patience           | 999us    | from 1ms to 1m
            patience           | 61s      | from 1ms to 1m
            full-read-interval | -1s      | from 0s to 24h
            full-read-interval | 25h      | from 0s to 24h
            resync-interval    | -5       | 0 or more
            resync-interval    | -5s      | 0 or more
            cidr-limit         | 0        | from 1 to 999999999
            cidr-limit         | 1000000000 | from 1 to 999999999
            host               | [::1]    | without brackets
            host               | 127.0.0.1:9090 | without a port
            host               | a b      | at most 253
            node-name          | a b      | at most 253
            backend            | ebpf     | one of iptables, iptables-nft
            log-format         | xml      | one of text, json
            source             | etcd     | one of auto, kubernetes, file
            ipv6               | maybe    | on, off or auto
            enable-ipv6        | yes      | true or false
            """)
    void outOfBoundsIsSaidWithNameValueAndBounds(String name, String value, String bounds) {
        for (boolean flag : new boolean[] {true, false}) {
            Map<String, String> flags = flag ? Map.of(name, value) : Map.of();
            Map<String, String> environment = flag ? Map.of() : Map.of(Settings.environmentName(name), value);
            assertThatThrownBy(() -> of(flags, environment))
                    .isInstanceOf(UsageException.class)
                    .hasMessageContaining("setting " + name)
                    .hasMessageContaining("'" + value + "'")
                    .hasMessageContaining(bounds);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "port, 1",
        "port, 65535",
        "patience, 1ms",
        "patience, 1m",
        "full-read-interval, 0",
        "full-read-interval, 24h",
        "resync-interval, 0",
        "resync-interval, 86400",
        "state-dir, state",
        "host, ::",
        "host, fe80::1%eth0",
        "host, localhost",
        "node-name, ip-10-0-0-1.example.internal",
        "backend, NFTABLES",
        "log-format, JSON",
        "state-dir, /"
    })
    void theBoundsThemselvesAreFine(String name, String value) {
        assertThat(of(Map.of(name, " " + value + " "), Map.of())).isNotEqualTo(of(Map.of(), Map.of()));
    }

    @ParameterizedTest
    @ValueSource(strings = {"250ms"})
    void theDefaultIsWithinItsBounds(String patience) {
        assertThat(of(Map.of("patience", patience), Map.of()).patience()).isEqualTo(Duration.ofMillis(250));
        assertThat(names().collect(Collectors.toSet())).hasSizeGreaterThan(15);
    }
}
