package net.ipmasq.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.ConfigKey.CidrList;
import net.ipmasq.config.ConfigKey.Single;
import net.ipmasq.config.Problems;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.PortRange;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

class ProfileWriterTest {

    @Property
    void readsBackWhatIsWritten(@ForAll("profiles") ProviderProfile profile) {
        byte[] text = ProfileWriter.write(profile).getBytes(StandardCharsets.UTF_8);
        assertThat(ProfileReader.read(text, "otherwise"))
                .isEqualTo(new ProfileReader.Good(owned(profile), Problems.NONE));
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
                case Single<?> single -> owned(owned, single, origin);
            };
        }
        return owned;
    }

    private static <T> ProviderProfile.Defaults owned(ProviderProfile.Defaults defaults, Single<T> key, Origin origin) {
        return defaults.with(key, new Value<>(defaults.get(key).value(), origin));
    }

    @Provide
    Arbitrary<ProviderProfile> profiles() {
        Arbitrary<String> names = Arbitraries.of("cce", "on", "123", "null", "1.5", "a.b-c_d");
        Arbitrary<String> chains = Arbitraries.of("IP-MASQ", "on", "12", "0x10", "A.b_c");
        return Combinators.combine(
                        names,
                        Arbitraries.of("kube-system", "no", "1"),
                        chains,
                        Arbitraries.of(Ipv6Mode.class),
                        Arbitraries.integers().between(1, 999_999_999),
                        ports(),
                        cidrs(),
                        defaults())
                .as((name, object, chain, ipv6, limit, ports, enforced, defaults) -> new ProviderProfile(
                        name,
                        new ConfigMapRef(object, object),
                        flagged(chain),
                        flagged(ipv6),
                        flagged(limit % 2 == 0),
                        flagged(ports),
                        defaults.with(ConfigKey.CIDR_LIMIT, flagged(limit)),
                        enforced));
    }

    private static Arbitrary<ProviderProfile.Defaults> defaults() {
        Arbitrary<Value<Boolean>> bools = Arbitraries.of(true, false).map(ProfileWriterTest::flagged);
        Arbitrary<Value<Duration>> intervals = Arbitraries.longs()
                .between(1_000_000_000L, 3_600_000_000_000L)
                .map(nanos -> flagged(Duration.ofNanos(nanos)));
        Arbitrary<Value<List<Cidr>>> lists = cidrs().map(ProfileWriterTest::flagged);
        return Combinators.combine(lists, lists, bools, bools, bools, bools, intervals)
                .as((keep, masquerade, outBound, outBound6, linkLocal, linkLocal6, interval) -> ProviderProfile.BUILT_IN
                        .defaults()
                        .with(ConfigKey.NON_MASQUERADE_CIDRS, keep)
                        .with(ConfigKey.MASQUERADE_CIDRS, masquerade)
                        .with(ConfigKey.MASQ_OUT_BOUND, outBound)
                        .with(ConfigKey.MASQ_OUT_BOUND_IPV6, outBound6)
                        .with(ConfigKey.MASQ_LINK_LOCAL, linkLocal)
                        .with(ConfigKey.MASQ_LINK_LOCAL_IPV6, linkLocal6)
                        .with(ConfigKey.RESYNC_INTERVAL, interval));
    }

    private static Arbitrary<List<PortRange>> ports() {
        return Arbitraries.of("42", "1-65535", "1024-29999")
                .map(PortRange::of)
                .list()
                .ofMaxSize(3);
    }

    private static Arbitrary<List<Cidr>> cidrs() {
        return Arbitraries.of("10.0.0.0/8", "::/0", "0.0.0.0/0", "fc00::/7", "::1/128")
                .map(Cidr::of)
                .list()
                .uniqueElements()
                .ofMaxSize(4);
    }

    private static <T> Value<T> flagged(T value) {
        return new Value<>(value, Origin.flag("--x"));
    }
}
