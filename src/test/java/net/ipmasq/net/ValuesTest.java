package net.ipmasq.net;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ValuesTest {

    @ParameterizedTest
    @CsvSource({
        "60s, PT1M",
        "1m30s, PT1M30S",
        "500ms, PT0.5S",
        "1.5h, PT1H30M",
        "0, PT0S",
        "0s, PT0S",
        "-5s, PT-5S",
        "+5s, PT5S",
        ".5s, PT0.5S",
        "1.s, PT1S",
        "1h1m1s1ms1us1ns, PT1H1M1.001001001S",
        "3µs, PT0.000003S",
        "3μs, PT0.000003S",
        "0.3ns, PT0S"
    })
    void durationsOfGo(String text, Duration expected) {
        assertThat(GoDuration.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"", "-", "60", "1d", "60 s", " 60s", "s", ".s", "1h1", "1e3s", "--5s", "9999999999999h", "٣s"})
    void notDurationsOfGo(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> GoDuration.parse(text));
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0s", "PT1M30S, 1m30s", "PT0.5S, 500ms", "PT1H, 1h", "PT-5S, -5s", "PT0.0000015S, 1500ns"})
    void durationsAreWrittenShort(Duration duration, String expected) {
        assertThat(GoDuration.format(duration)).isEqualTo(expected);
        assertThat(GoDuration.parse(expected)).isEqualTo(duration);
    }

    @ParameterizedTest
    @ValueSource(strings = {"42-44", "42", "42-42", "42-44,80", "43,42", "80-88,42-44", "42-44,42-43", "1-65535"})
    void portsThatTheGoAgentAccepts(String text) {
        assertThat(PortRange.listOf(text)).isNotEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "42 - 44",
                "42, 43, 44",
                "42-43-44",
                "4x",
                "4x-44",
                "42-4x",
                "-44",
                "42-",
                "42-41",
                "",
                ",",
                "0",
                "65536",
                "042000",
                "٤٢"
            })
    void portsThatTheGoAgentRefuses(String text) {
        assertThatIllegalArgumentException().isThrownBy(() -> PortRange.listOf(text));
    }

    @Test
    void portsHaveTheKernelsForm() {
        assertThat(PortRange.listOf("42-42,80-88")).hasToString("[42, 80-88]");
        assertThat(PortRange.listOf("1024-29999,32768-65535").stream()
                        .mapToInt(PortRange::size)
                        .sum())
                .isEqualTo(61_744);
    }

    @ParameterizedTest
    @CsvSource({
        "FC00::/7, fc00::/7",
        "::/0, ::/0",
        "0.0.0.0/0, 0.0.0.0/0",
        "2001:DB8:0:0:0:0:0:0/32, 2001:db8::/32",
        "2001:db8:0:1:0:0:0:0/64, 2001:db8:0:1::/64",
        "' 10.0.0.0/8\t', 10.0.0.0/8",
        "64:ff9b::/96, 64:ff9b::/96",
        "1:0:2:0:3:0:4:0/112, 1:0:2:0:3:0:4:0/112",
        "::10.0.0.0/104, ::a00:0/104"
    })
    void prefixesAreCanonical(String text, String expected) {
        assertThat(Cidr.of(text)).hasToString(expected);
    }

    @ParameterizedTest
    @CsvSource({
        "10.1.2.3/8, cidr-host-bits, 'write 10.0.0.0/8, or 10.1.2.3/32 for the one address'",
        "10.0.0.1, cidr-no-prefix, write 10.0.0.1/32",
        "fd00::1, cidr-no-prefix, write fd00::1/128",
        "010.0.0.0/8, cidr-leading-zero, write 10.0.0.0/8",
        "10.0.0.0/08, cidr-leading-zero, write 10.0.0.0/8",
        "10.0.0.0/099, cidr-leading-zero, use a prefix length from 0 to 32",
        "010.0.0.1, cidr-leading-zero, write 10.0.0.1/32",
        "172.16.0.0/255.240.0.0, cidr-netmask, write 172.16.0.0/12",
        "10.0.0.0/255.0.255.0, cidr-netmask, 'write the prefix length, for example 10.0.0.0/8'",
        "fe80::1%eth0/64, cidr-zone, 'write fe80::/64, or fe80::1/128 for the one address'",
        "fe80::%eth0, cidr-zone, write fe80::/128",
        "::ffff:10.0.0.0/104, cidr-ipv4-mapped, write 10.0.0.0/8",
        "::ffff:10.0.0.1, cidr-ipv4-mapped, write 10.0.0.1/32",
        "::ffff:10.0.0.1/129, cidr-ipv4-mapped, 'write the IPv4 CIDR itself, for example 10.0.0.1/32'",
        "::FFFF:a00:0/104, cidr-ipv4-mapped, 'write the IPv4 CIDR itself, for example 10.0.0.0/8'"
    })
    void aFixNeverLeadsToTheNextError(String text, String code, String fix) {
        assertThat(CidrSyntax.parse(text)).isInstanceOfSatisfying(CidrSyntax.Bad.class, bad -> {
            assertThat(bad.code()).isEqualTo(code);
            assertThat(bad.fix()).isEqualTo(fix);
        });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                ":",
                ":::",
                "1::2::3",
                "1:2:3:4:5:6:7",
                "1:2:3:4:5:6:7:8:9",
                "12345::",
                "1:2:3:4:5:6:7::8",
                "g::",
                "1.2.3",
                "1.2.3.256",
                "1.2.3.4.5",
                "::1.2.3",
                "1.2.3.4::",
                "-1.2.3.4",
                "",
                "٣.1.1.1"
            })
    void notAddresses(String text) {
        assertThat(IpAddress.parse(text)).isEmpty();
    }

    @Test
    void foreignTextIsShownHarmlessAndShort() {
        assertThat(Quoted.of("a\u001b[31m\nb\u202e")).isEqualTo("'a\\u001b[31m\\u000ab\\u202e'");
        assertThat(Quoted.of("10.0.0.0/8\u00a0")).isEqualTo("'10.0.0.0/8\\u00a0'");
        assertThat(Quoted.of("x".repeat(81))).isEqualTo("'" + "x".repeat(77) + "...'");
        assertThat(Quoted.of("x".repeat(80))).isEqualTo("'" + "x".repeat(80) + "'");
    }

    @Test
    void familiesKnowTheirRanges() {
        assertThat(List.of(IpFamily.values()))
                .extracting(f -> f.linkLocal().toString())
                .containsExactly("169.254.0.0/16", "fe80::/10");
        assertThat(List.of(IpFamily.values()))
                .extracting(f -> f.everything().toString())
                .containsExactly("0.0.0.0/0", "::/0");
    }
}
