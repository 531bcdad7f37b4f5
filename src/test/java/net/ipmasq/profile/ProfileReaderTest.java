package net.ipmasq.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.Problem;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.PortRange;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ProfileReaderTest {

    @Test
    void everyKeyIsRead() {
        ProviderProfile profile = good("""
                name: acme
                configMap: {namespace: net, name: acme-masq}
                chain: ACME
                ipv6: "off"
                randomFully: yes
                cidrLimit: 7
                toPorts: 1024-29999,32768-65535
                enforced: [169.254.169.254/32]
                defaults:
                  NonMasqueradeCIDRs: [10.0.0.0/8]
                  masqueradeCIDRs: [10.1.0.0/16]
                  masqOutBound: false
                  masqOutBoundIPv6: false
                  masqLinkLocal: true
                  masqLinkLocalIPv6: true
                  resyncInterval: 5m
                """);
        Origin acme = Origin.profile("acme");
        assertThat(profile)
                .isEqualTo(new ProviderProfile(
                        "acme",
                        new ConfigMapRef("net", "acme-masq"),
                        new Value<>("ACME", acme),
                        new Value<>(Ipv6Mode.OFF, acme),
                        new Value<>(true, acme),
                        new Value<>(List.of(new PortRange(1024, 29999), new PortRange(32768, 65535)), acme),
                        ProviderProfile.BUILT_IN
                                .defaults()
                                .with(ConfigKey.NON_MASQUERADE_CIDRS, new Value<>(List.of(Cidr.of("10.0.0.0/8")), acme))
                                .with(ConfigKey.MASQUERADE_CIDRS, new Value<>(List.of(Cidr.of("10.1.0.0/16")), acme))
                                .with(ConfigKey.MASQ_OUT_BOUND, new Value<>(false, acme))
                                .with(ConfigKey.MASQ_OUT_BOUND_IPV6, new Value<>(false, acme))
                                .with(ConfigKey.MASQ_LINK_LOCAL, new Value<>(true, acme))
                                .with(ConfigKey.MASQ_LINK_LOCAL_IPV6, new Value<>(true, acme))
                                .with(ConfigKey.RESYNC_INTERVAL, new Value<>(Duration.ofMinutes(5), acme))
                                .with(ConfigKey.CIDR_LIMIT, new Value<>(7, acme)),
                        List.of(Cidr.of("169.254.169.254/32"))));
    }

    @Test
    void silenceKeepsTheBuiltInValueAndItsOrigin() {
        ProviderProfile profile = good("cidrLimit: 7");
        assertThat(profile.name()).isEqualTo("file-name");
        assertThat(profile.cidrLimit()).isEqualTo(new Value<>(7, Origin.profile("file-name")));
        assertThat(profile.chain()).isEqualTo(new Value<>("IP-MASQ-AGENT", Origin.BUILT_IN));
        assertThat(profile.defaults())
                .isEqualTo(ProviderProfile.BUILT_IN.defaults().with(ConfigKey.CIDR_LIMIT, profile.cidrLimit()));
    }

    @ParameterizedTest
    @CsvSource({"on, ON", "off, OFF", "auto, AUTO", "'\"on\"', ON", "Off, OFF"})
    void ipv6ModesMayBeBoolsToYaml(String text, Ipv6Mode mode) {
        assertThat(good("ipv6: " + text).ipv6().value()).isEqualTo(mode);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "''                           | profile-empty            | 0 |",
                "# only a comment             | profile-empty            | 0 |",
                "null                         | profile-empty            | 1 |",
                "- a                          | profile-mapping-expected | 1 |",
                "chian: X                     | profile-unknown-key      | 1 | chian",
                "defaults: {masqOutbond: yes} | profile-unknown-key      | 1 | defaults.masqOutbond",
                "defaults: {cidrLimit: 5}     | profile-unknown-key      | 1 | defaults.cidrLimit",
                "configMap: {nam: x}          | profile-unknown-key      | 1 | configMap.nam",
                "configMap: kube-system       | profile-mapping-expected | 1 | configMap",
                "configMap: {name: A_B}       | profile-name-invalid     | 1 | configMap.name",
                "name: 12                     | profile-text-expected    | 1 | name",
                "name: a b                    | profile-name-invalid     | 1 | name",
                "chain: [A]                   | profile-text-expected    | 1 | chain",
                "chain: -A                    | profile-chain-invalid    | 1 | chain",
                "ipv6: maybe                  | profile-ipv6-invalid     | 1 | ipv6",
                "ipv6: true                   | profile-ipv6-invalid     | 1 | ipv6",
                "toPorts: 42-41               | profile-ports-invalid    | 1 | toPorts",
                "toPorts: '42 - 44'           | profile-ports-invalid    | 1 | toPorts",
                "randomFully: 'true'          | bool-quoted              | 1 | randomFully",
                "cidrLimit: 0                 | cidr-limit-invalid       | 1 | cidrLimit",
                "enforced: [10.1.2.3/8]       | cidr-host-bits           | 1 | enforced[0]",
                "defaults: {resyncInterval: 5}| duration-no-unit         | 1 | defaults.resyncInterval",
                "defaults: {masqueradeCIDRs: [x, ~]} | cidr-dns-name      | 1 | defaults.masqueradeCIDRs[0]",
                "chain: A, chain: B           | yaml-syntax              | 1 |",
                "{chain: A, Chain: B}         | duplicate-key            | 1 | chain",
            })
    void mistakesAreErrors(String text, String code, int line, String path) {
        Problem first = bad(text).getFirst();
        assertThat(first.code()).isEqualTo(code);
        assertThat(first.line()).isEqualTo(line);
        assertThat(first.path()).isEqualTo(path == null ? "" : path);
        assertThat(first.fix()).isNotBlank();
    }

    @Test
    void allMistakesAreReportedAtOnceInTextOrder() {
        assertThat(bad("chian: X\ncidrLimit: 0\ndefaults:\n  masqOutBound: 1\n---\nname: b\n"))
                .extracting(Problem::code)
                .containsExactly("profile-unknown-key", "cidr-limit-invalid", "bool-invalid", "multiple-documents");
    }

    @Test
    void aMisspeltKeyIsAnsweredWithTheNearestOne() {
        assertThat(bad("chian: X").getFirst().fix()).isEqualTo("write chain");
    }

    @Test
    void aKeyWithoutValueIsAbsentWithAWarning() {
        ProfileReader.Result result = read("chain:\ndefaults:\n  nonMasqueradeCIDRs:\n");
        assertThat(result).isInstanceOfSatisfying(ProfileReader.Good.class, good -> {
            assertThat(good.warnings())
                    .extracting(Problem::path)
                    .containsExactly("chain", "defaults.nonMasqueradeCIDRs");
            assertThat(good.profile().chain()).isEqualTo(ProviderProfile.BUILT_IN.chain());
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"IP-MASQ-AGENT", "IP-MASQ", "a", "A.b_c-1", "ABCDEFGHIJKLMNOPQRSTUVWXYZ12"})
    void chainNames(String name) {
        assertThat(ChainName.fault(name)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "ABCDEFGHIJKLMNOPQRSTUVWXYZ123",
                "-A",
                "A B",
                "A\n",
                "ä",
                "!A",
                "RETURN",
                "ACCEPT",
                "MASQUERADE",
                "POSTROUTING",
                "postrouting",
                "KUBE-POSTROUTING"
            })
    void notChainNames(String name) {
        assertThat(ChainName.fault(name)).isPresent();
    }

    private static ProfileReader.Result read(String text) {
        return ProfileReader.read(text.getBytes(StandardCharsets.UTF_8), "file-name");
    }

    private static ProviderProfile good(String text) {
        ProfileReader.Result result = read(text);
        assertThat(result).as("%s", result).isInstanceOf(ProfileReader.Good.class);
        assertThat(((ProfileReader.Good) result).warnings()).isEmpty();
        return ((ProfileReader.Good) result).profile();
    }

    private static List<Problem> bad(String text) {
        ProfileReader.Result result = read(text);
        assertThat(result).as("%s", result).isInstanceOf(ProfileReader.Bad.class);
        return ((ProfileReader.Bad) result).problems();
    }
}
