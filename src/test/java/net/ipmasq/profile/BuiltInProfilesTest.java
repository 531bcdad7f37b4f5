package net.ipmasq.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.net.Cidr;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BuiltInProfilesTest {

    @Test
    void theTableOfTheSpecification() {
        assertThat(BuiltInProfiles.names()).containsExactly("built-in", "cce", "gke", "upstream");
        assertThat(row("built-in")).isEqualTo("ip-masq-agent IP-MASQ-AGENT AUTO false 64 []");
        assertThat(row("cce"))
                .isEqualTo("cce-ip-masq-agent IP-MASQ-AGENT AUTO false 64"
                        + " [10.0.0.0/8, 172.16.0.0/12, 100.64.230.0/24, 192.168.0.0/16, fc00::/7]");
        assertThat(row("upstream"))
                .isEqualTo("ip-masq-agent IP-MASQ-AGENT OFF true 64 [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16]");
        assertThat(row("gke"))
                .isEqualTo("ip-masq-agent IP-MASQ OFF true 64 [10.0.0.0/8, 172.16.0.0/12, 192.168.0.0/16,"
                        + " 100.64.0.0/10, 192.0.0.0/24, 192.0.2.0/24, 192.88.99.0/24, 198.18.0.0/15,"
                        + " 198.51.100.0/24, 203.0.113.0/24, 240.0.0.0/4]");
    }

    private static String row(String name) {
        ProviderProfile p = BuiltInProfiles.profile(name).orElseThrow();
        assertThat(p.name()).isEqualTo(name);
        assertThat(p.configMap().namespace()).isEqualTo("kube-system");
        return p.configMap().name() + " " + p.chain().value() + " " + p.ipv6().value() + " "
                + p.randomFully().value() + " " + p.cidrLimit().value() + " "
                + p.defaults().get(ConfigKey.NON_MASQUERADE_CIDRS).value();
    }

    static List<String> names() {
        return BuiltInProfiles.names();
    }

    @ParameterizedTest
    @MethodSource("names")
    void whatNoneOfThemChanges(String name) {
        ProviderProfile profile = BuiltInProfiles.profile(name).orElseThrow();
        ProviderProfile.Defaults defaults = profile.defaults();
        assertThat(defaults.get(ConfigKey.MASQUERADE_CIDRS).value()).isEmpty();
        assertThat(defaults.get(ConfigKey.MASQ_OUT_BOUND).value()).isTrue();
        assertThat(defaults.get(ConfigKey.MASQ_OUT_BOUND_IPV6).value()).isTrue();
        assertThat(defaults.get(ConfigKey.MASQ_LINK_LOCAL).value()).isFalse();
        assertThat(defaults.get(ConfigKey.MASQ_LINK_LOCAL_IPV6).value()).isFalse();
        assertThat(defaults.get(ConfigKey.RESYNC_INTERVAL).value()).isEqualTo(Duration.ofSeconds(60));
        assertThat(profile.enforced()).isEmpty();
        assertThat(profile.toPorts().value()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("names")
    void theirTextsReadWithoutAWarning(String name) {
        byte[] text = BuiltInProfiles.text(name).orElseThrow();
        assertThat(ProfileReader.read(text, "otherwise")).isInstanceOfSatisfying(ProfileReader.Good.class, good -> {
            assertThat(good.warnings()).isEmpty();
            assertThat(good.profile().name()).isEqualTo(name);
        });
    }

    @Test
    void unknownNamesAreAbsent() {
        assertThat(BuiltInProfiles.text("../application")).isEmpty();
        assertThat(BuiltInProfiles.profile("CCE")).isEmpty();
    }

    @Test
    void cidrsOfTheShippedProfilesAreDistinct() {
        for (String name : names()) {
            List<Cidr> cidrs = BuiltInProfiles.profile(name)
                    .orElseThrow()
                    .defaults()
                    .get(ConfigKey.NON_MASQUERADE_CIDRS)
                    .value();
            assertThat(cidrs).doesNotHaveDuplicates();
        }
    }
}
