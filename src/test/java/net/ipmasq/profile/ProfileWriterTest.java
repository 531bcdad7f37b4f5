package net.ipmasq.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.config.Problems;
import net.ipmasq.generator.Draws;
import net.ipmasq.generator.Property;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.PortRange;
import org.junit.jupiter.api.Test;

class ProfileWriterTest {

    @Test
    void readsBackWhatIsWritten() {
        Property.tries(1000).forAll(ProfileWriterTest::profile, profile -> {
            byte[] text = ProfileWriter.write(profile).getBytes(StandardCharsets.UTF_8);
            assertThat(ProfileReader.read(text, "otherwise"))
                    .isEqualTo(new ProfileReader.Good(owned(profile), Problems.NONE));
        });
    }

    /** The same values, each with the profile as its origin. */
    private static ProviderProfile owned(ProviderProfile p) {
        Origin origin = Origin.profile(p.name());
        return new ProviderProfile(
                p.name(),
                p.configMap(),
                new Value<>(p.chain().value(), origin),
                new Value<>(p.ipv6().value(), origin),
                new Value<>(p.randomFully().value(), origin),
                new Value<>(p.toPorts().value(), origin),
                owned(p.defaults(), origin),
                p.enforced());
    }

    private static ProviderProfile.Defaults owned(ProviderProfile.Defaults defaults, Origin origin) {
        ProviderProfile.Defaults owned = defaults;
        for (ConfigKey<?> key : ConfigKey.ALL) {
            owned = switch (key) {
                case CidrList list ->
                    owned.with(list, new Value<>(defaults.get(list).value(), origin));
                case ConfigKey.Single<?> single -> owned(owned, single, origin);
            };
        }
        return owned;
    }

    private static <T> ProviderProfile.Defaults owned(
            ProviderProfile.Defaults defaults, ConfigKey.Single<T> key, Origin origin) {
        return defaults.with(key, new Value<>(defaults.get(key).value(), origin));
    }

    private static ProviderProfile profile(Draws draws) {
        String object = draws.of("kube-system", "no", "1");
        int limit = draws.between(1, 999_999_999);
        return new ProviderProfile(
                draws.of("cce", "on", "123", "null", "1.5", "a.b-c_d"),
                new ConfigMapRef(object, object),
                flagged(draws.of("IP-MASQ", "on", "12", "0x10", "A.b_c")),
                flagged(draws.of(Ipv6Mode.values())),
                flagged(limit % 2 == 0),
                flagged(draws.list(3, some -> PortRange.of(some.of("42", "1-65535", "1024-29999")))),
                defaults(draws).with(ConfigKey.CIDR_LIMIT, flagged(limit)),
                cidrs(draws));
    }

    private static ProviderProfile.Defaults defaults(Draws draws) {
        Duration interval = Duration.ofNanos(draws.between(1_000_000_000L, 3_600_000_000_000L));
        return ProviderProfile.BUILT_IN
                .defaults()
                .with(ConfigKey.NON_MASQUERADE_CIDRS, flagged(cidrs(draws)))
                .with(ConfigKey.MASQUERADE_CIDRS, flagged(cidrs(draws)))
                .with(ConfigKey.MASQ_OUT_BOUND, flagged(draws.yes()))
                .with(ConfigKey.MASQ_OUT_BOUND_IPV6, flagged(draws.yes()))
                .with(ConfigKey.MASQ_LINK_LOCAL, flagged(draws.yes()))
                .with(ConfigKey.MASQ_LINK_LOCAL_IPV6, flagged(draws.yes()))
                .with(ConfigKey.RESYNC_INTERVAL, flagged(interval));
    }

    private static List<Cidr> cidrs(Draws draws) {
        return draws.distinct(4, some -> Cidr.of(some.of("10.0.0.0/8", "::/0", "0.0.0.0/0", "fc00::/7", "::1/128")));
    }

    private static <T> Value<T> flagged(T value) {
        return new Value<>(value, Origin.flag("--x"));
    }
}
