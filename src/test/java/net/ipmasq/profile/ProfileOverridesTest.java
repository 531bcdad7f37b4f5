package net.ipmasq.profile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.PortRange;
import org.junit.jupiter.api.Test;

class ProfileOverridesTest {
    private static final ProviderProfile CCE = BuiltInProfiles.profile("cce").orElseThrow();

    @Test
    void nothingSetChangesNothing() {
        assertThat(new ProfileOverrides(
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty())
                        .applyTo(CCE))
                .isEqualTo(CCE);
    }

    @Test
    void everythingSetNamesItsFlag() {
        ProviderProfile changed = new ProfileOverrides(
                        Optional.of("X"),
                        Optional.of(List.of(PortRange.of("42"))),
                        Optional.of(false),
                        Optional.of(true),
                        Optional.of(true),
                        Optional.of(Duration.ofSeconds(5)),
                        Optional.of(9),
                        Optional.of(Ipv6Mode.AUTO))
                .applyTo(CCE);
        assertThat(changed.chain()).isEqualTo(new Value<>("X", Origin.flag("--masq-chain")));
        assertThat(changed.toPorts()).isEqualTo(new Value<>(List.of(new PortRange(42, 42)), Origin.flag("--to-ports")));
        assertThat(changed.ipv6()).isEqualTo(new Value<>(Ipv6Mode.AUTO, Origin.flag("IP_MASQ_IPV6")));
        assertThat(changed.randomFully()).isEqualTo(new Value<>(true, Origin.flag("--random-fully")));
        assertThat(changed.cidrLimit()).isEqualTo(new Value<>(9, Origin.flag("IP_MASQ_CIDR_LIMIT")));
        assertThat(changed.defaults().get(ConfigKey.RESYNC_INTERVAL))
                .isEqualTo(new Value<>(Duration.ofSeconds(5), Origin.flag("--resync-interval")));
        assertThat(changed.defaults().get(ConfigKey.NON_MASQUERADE_CIDRS))
                .isEqualTo(CCE.defaults().get(ConfigKey.NON_MASQUERADE_CIDRS));
    }

    @Test
    void reservedRangesAreAddedWhereTheProfileDoesNotContainThem() {
        Value<List<Cidr>> all = reserved(CCE).defaults().get(ConfigKey.NON_MASQUERADE_CIDRS);
        assertThat(all.origin()).isEqualTo(Origin.flag("--nomasq-all-reserved-ranges"));
        assertThat(all.value().stream().map(Cidr::toString))
                .containsExactly(
                        "10.0.0.0/8",
                        "172.16.0.0/12",
                        "100.64.230.0/24",
                        "192.168.0.0/16",
                        "fc00::/7",
                        "100.64.0.0/10",
                        "192.0.0.0/24",
                        "192.0.2.0/24",
                        "192.88.99.0/24",
                        "198.18.0.0/15",
                        "198.51.100.0/24",
                        "203.0.113.0/24",
                        "240.0.0.0/4");
    }

    @Test
    void theReservedRangesAreThoseOfTheGkeProfile() {
        assertThat(reserved(ProviderProfile.BUILT_IN)
                        .defaults()
                        .get(ConfigKey.NON_MASQUERADE_CIDRS)
                        .value())
                .isEqualTo(BuiltInProfiles.profile("gke")
                        .orElseThrow()
                        .defaults()
                        .get(ConfigKey.NON_MASQUERADE_CIDRS)
                        .value());
    }

    private static ProviderProfile reserved(ProviderProfile profile) {
        return with(Optional.empty(), Optional.of(true), Optional.empty(), Optional.empty(), Optional.empty())
                .applyTo(profile);
    }

    @Test
    void enableIpv6IsOnOrOff() {
        for (boolean on : new boolean[] {true, false}) {
            ProviderProfile changed = with(
                            Optional.empty(), Optional.empty(), Optional.of(on), Optional.empty(), Optional.empty())
                    .applyTo(CCE);
            assertThat(changed.ipv6())
                    .isEqualTo(new Value<>(on ? Ipv6Mode.ON : Ipv6Mode.OFF, Origin.flag("--enable-ipv6")));
        }
    }

    @Test
    void anIntervalOutOfBoundsIsBroughtIn() {
        ProviderProfile changed = with(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.of(Duration.ZERO),
                        Optional.empty())
                .applyTo(CCE);
        assertThat(changed.defaults().get(ConfigKey.RESYNC_INTERVAL).value()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void unusableValuesAreRefused() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> with(
                        Optional.of("RETURN"), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty()));
        assertThatIllegalArgumentException()
                .isThrownBy(() ->
                        with(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.of(0)));
    }

    private static ProfileOverrides with(
            Optional<String> chain,
            Optional<Boolean> reserved,
            Optional<Boolean> ipv6,
            Optional<Duration> interval,
            Optional<Integer> limit) {
        return new ProfileOverrides(
                chain, Optional.empty(), reserved, ipv6, Optional.empty(), interval, limit, Optional.empty());
    }
}
