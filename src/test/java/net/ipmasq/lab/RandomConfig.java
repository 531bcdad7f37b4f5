package net.ipmasq.lab;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.ipmasq.config.AgentConfig;
import net.ipmasq.config.AgentConfig.Item;
import net.ipmasq.config.AgentConfig.Located;
import net.ipmasq.config.ConfigKey;
import net.ipmasq.config.Position;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.profile.Origin;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.profile.Value;

/**
 * A configuration and a profile made from a seed: the same seed gives the same ones.
 *
 * @param addresses where its decisions change, and some anywhere
 */
public record RandomConfig(long seed, AgentConfig config, ProviderProfile profile, List<IpAddress> addresses) {

    /** The configuration of a seed. */
    public static RandomConfig of(long seed) {
        // neighbouring seeds start java.util.Random alike
        Random random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        List<Cidr> masquerade = new ArrayList<>();
        List<Cidr> keep = new ArrayList<>();
        List<IpAddress> anywhere = new ArrayList<>();
        for (IpFamily family : IpFamily.values()) {
            RandomCidrs cidrs = new RandomCidrs(random, family);
            masquerade.addAll(cidrs.some(random.nextInt(5)));
            keep.addAll(cidrs.some(random.nextInt(8)));
            for (int i = 0; i < 5; i++) {
                anywhere.add(cidrs.address());
            }
        }
        // a file lists both families in any order
        Collections.shuffle(masquerade, random);
        Collections.shuffle(keep, random);
        AgentConfig config = with(AgentConfig.EMPTY, ConfigKey.NON_MASQUERADE_CIDRS, list(keep, random));
        config = with(config, ConfigKey.MASQUERADE_CIDRS, list(masquerade, random));
        config = with(config, ConfigKey.MASQ_OUT_BOUND, bool(random));
        config = with(config, ConfigKey.MASQ_OUT_BOUND_IPV6, bool(random));
        config = with(config, ConfigKey.MASQ_LINK_LOCAL, bool(random));
        config = with(config, ConfigKey.MASQ_LINK_LOCAL_IPV6, bool(random));
        return new RandomConfig(seed, config, profile(random), addresses(masquerade, keep, anywhere));
    }

    /** The policy for a node that manages both families. */
    public MasqPolicy policy() {
        return MasqPolicy.of(EffectiveConfig.of(config, profile), Set.of(IpFamily.values()));
    }

    public List<IpAddress> addresses(IpFamily family) {
        return addresses.stream().filter(address -> address.family() == family).toList();
    }

    private static List<IpAddress> addresses(List<Cidr> masquerade, List<Cidr> keep, List<IpAddress> anywhere) {
        Set<Cidr> cidrs = new LinkedHashSet<>(masquerade);
        cidrs.addAll(keep);
        for (IpFamily family : IpFamily.values()) {
            cidrs.add(family.linkLocal());
        }
        Set<IpAddress> all = RandomCidrs.edges(cidrs);
        all.addAll(anywhere);
        return List.copyOf(all);
    }

    private static <T> AgentConfig with(AgentConfig config, ConfigKey<T> key, Optional<Located<T>> value) {
        return value.map(v -> config.with(key, v)).orElse(config);
    }

    private static Optional<Located<List<Item>>> list(List<Cidr> cidrs, Random random) {
        List<Item> items = new ArrayList<>();
        for (Cidr cidr : cidrs) {
            items.add(new Item(cidr, items.size(), new Position(items.size() + 2, 5)));
        }
        boolean absent = items.isEmpty() && random.nextBoolean();
        return absent ? Optional.empty() : Optional.of(new Located<>(List.copyOf(items), new Position(1, 1)));
    }

    private static Optional<Located<Boolean>> bool(Random random) {
        return random.nextInt(4) == 0
                ? Optional.empty()
                : Optional.of(new Located<>(random.nextBoolean(), new Position(99, 1)));
    }

    private static ProviderProfile profile(Random random) {
        ProviderProfile base = ProviderProfile.BUILT_IN;
        List<String> ports = List.of("", "", "", "42", "1024-29999,32768-65535", "1024,2048-4095,60000-65535");
        String chosen = ports.get(random.nextInt(ports.size()));
        List<Cidr> enforced = random.nextInt(4) == 0
                ? new RandomCidrs(random, IpFamily.values()[random.nextInt(2)]).some(1)
                : List.of();
        return new ProviderProfile(
                base.name(),
                base.configMap(),
                base.chain(),
                base.ipv6(),
                new Value<>(random.nextBoolean(), Origin.flag("--random-fully")),
                new Value<>(chosen.isEmpty() ? List.of() : PortRange.listOf(chosen), Origin.flag("--to-ports")),
                base.defaults(),
                enforced);
    }

    @Override
    public String toString() {
        return "RandomConfig.of(" + seed + "L): " + config + ", enforced " + profile.enforced();
    }
}
