package net.ipmasq.rules;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.generator.Draws;
import net.ipmasq.generator.Property;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.profile.ProfileOverrides;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.rules.Rule.MasqueradeRest;
import net.ipmasq.rules.Rule.PortShare;
import net.ipmasq.rules.Rule.Transport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code --to-ports}: ports spread in proportion to the sizes of their ranges, per protocol. */
class ToPortsTest {

    /** The last rules, compiled for a list of ranges. */
    private static List<MasqueradeRest> rest(List<PortRange> ports) {
        ProfileOverrides flags = new ProfileOverrides(
                Optional.empty(),
                Optional.of(ports),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        EffectiveConfig config = EffectiveConfig.of(AgentConfig.EMPTY, flags.applyTo(ProviderProfile.BUILT_IN));
        Ruleset rules = Ruleset.of(MasqPolicy.of(config, Set.of(IpFamily.IPV4)), "C");
        return rules.families().get(IpFamily.IPV4).ordered().stream()
                .filter(MasqueradeRest.class::isInstance)
                .map(MasqueradeRest.class::cast)
                .toList();
    }

    private static List<PortShare> shares(List<MasqueradeRest> rules, Transport transport) {
        return rules.stream()
                .flatMap(rule -> rule.ports().stream())
                .filter(share -> share.transport() == transport)
                .toList();
    }

    /** The lists of the upstream unit tests, with what the kernel shows of their first probability. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "42-44|42-44|",
                "42|42|",
                "42-42|42|",
                "42-44,80|42-44 80|0.75000000000",
                "43,42|43 42|0.50000000000",
                "80-88,42-44|80-88 42-44|0.75000000000",
                "42-44,42-43|42-44 42-43|0.60000000009",
                "1024-29999,32768-65535|1024-29999 32768-65535|0.46929256292",
                "1024,65535|1024 65535|0.50000000000",
                "1-65535|1-65535|"
            })
    void upstreamsLists(String text, String ranges, String probability) {
        List<MasqueradeRest> rules = rest(PortRange.listOf(text));
        for (Transport transport : Transport.values()) {
            List<PortShare> shares = shares(rules, transport);
            assertThat(String.join(
                            " ",
                            shares.stream()
                                    .map(share -> share.range().toString())
                                    .toList()))
                    .isEqualTo(ranges);
            assertThat(shares.getLast().probability()).isEmpty();
            if (probability != null) {
                assertThat(String.format(
                                "%.11f", shares.getFirst().probability().getAsInt() / (double) (1L << 31)))
                        .isEqualTo(probability);
            }
        }
        assertThat(rules.getLast().ports()).as("for every other protocol").isEmpty();
        assertThat(rules).hasSize(3 * ranges.split(" ").length + 1);
    }

    @Test
    void everyPortIsAsLikelyAsAnyOther() {
        Property.tries(500).forAll(draws -> draws.list(1, 12, ToPortsTest::range), ranges -> {
            double all = ranges.stream().mapToInt(PortRange::size).sum();
            for (Transport transport : Transport.values()) {
                double reaches = 1;
                List<PortShare> shares = shares(rest(ranges), transport);
                assertThat(shares.stream().map(PortShare::range).toList()).isEqualTo(ranges);
                for (PortShare share : shares) {
                    double taken = share.probability().isPresent()
                            ? share.probability().getAsInt() / (double) (1L << 31)
                            : 1;
                    assertThat(reaches * taken).isCloseTo(share.range().size() / all, within(1e-8));
                    reaches *= 1 - taken;
                }
            }
        });
    }

    private static PortRange range(Draws draws) {
        int first = draws.between(1, 65535);
        return new PortRange(first, draws.between(first, 65535));
    }
}
