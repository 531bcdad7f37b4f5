package net.ipmasq.profile;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
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
        ProviderProfile.Defaults d = p.defaults();
        return new ProviderProfile(
                p.name(),
                p.configMap(),
                new Value<>(p.chain().value(), origin),
                new Value<>(p.ipv6().value(), origin),
                new Value<>(p.randomFully().value(), origin),
                new Value<>(p.cidrLimit().value(), origin),
                new Value<>(p.toPorts().value(), origin),
                new ProviderProfile.Defaults(
                        new Value<>(d.nonMasqueradeCidrs().value(), origin),
                        new Value<>(d.masqueradeCidrs().value(), origin),
                        new Value<>(d.masqOutBound().value(), origin),
                        new Value<>(d.masqOutBoundIpv6().value(), origin),
                        new Value<>(d.masqLinkLocal().value(), origin),
                        new Value<>(d.masqLinkLocalIpv6().value(), origin),
                        new Value<>(d.resyncInterval().value(), origin)),
                p.enforced());
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
                        flagged(limit),
                        flagged(ports),
                        defaults,
                        enforced));
    }

    private static Arbitrary<ProviderProfile.Defaults> defaults() {
        Arbitrary<Value<Boolean>> bools = Arbitraries.of(true, false).map(ProfileWriterTest::flagged);
        Arbitrary<Value<Duration>> intervals = Arbitraries.longs()
                .between(1_000_000_000L, 3_600_000_000_000L)
                .map(nanos -> flagged(Duration.ofNanos(nanos)));
        Arbitrary<Value<List<Cidr>>> lists = cidrs().map(ProfileWriterTest::flagged);
        return Combinators.combine(lists, lists, bools, bools, bools, bools, intervals)
                .as(ProviderProfile.Defaults::new);
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
