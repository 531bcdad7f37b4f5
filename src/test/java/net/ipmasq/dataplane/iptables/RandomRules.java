package net.ipmasq.dataplane.iptables;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Random;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;

/** Any rules that the records can hold, sensible or not. The same seed gives the same. */
public final class RandomRules {
    private final Random random;
    private final IpFamily family;

    private RandomRules(long seed, IpFamily family) {
        this.random = new Random(seed * 0x9E37_79B9_7F4A_7C15L);
        this.family = family;
    }

    public static FamilyRules of(long seed, IpFamily family) {
        RandomRules rules = new RandomRules(seed, family);
        List<Rule> list = new ArrayList<>();
        for (int count = rules.random.nextInt(14); count > 0; count--) {
            list.add(rules.rule());
        }
        return new FamilyRules.Listed(NodeKernel.CHAIN, list);
    }

    /** The same rules with a few taken out, put in, doubled or exchanged. */
    public static FamilyRules edited(FamilyRules before, long seed, IpFamily family) {
        RandomRules rules = new RandomRules(seed, family);
        Random random = rules.random;
        List<Rule> list = new ArrayList<>(before.ordered());
        for (int edits = 1 + random.nextInt(3); edits > 0; edits--) {
            int at = random.nextInt(list.size() + 1);
            switch (list.isEmpty() ? 0 : random.nextInt(4)) {
                case 0 -> list.add(at, rules.rule());
                case 1 -> list.remove(Math.min(at, list.size() - 1));
                case 2 -> list.add(at, list.get(random.nextInt(list.size())));
                default -> list.add(list.remove(random.nextInt(list.size())));
            }
        }
        return new FamilyRules.Listed(before.chain(), list);
    }

    private Rule rule() {
        return switch (random.nextInt(5)) {
            case 0, 1 -> new Rule.Exempt(cidr());
            case 2 -> new Rule.MasqueradeTo(cidr(), random.nextBoolean());
            case 3 -> new Rule.MasqueradeRest(Optional.empty(), random.nextBoolean());
            default -> new Rule.MasqueradeRest(Optional.of(share()), random.nextBoolean());
        };
    }

    private Rule.PortShare share() {
        Rule.Transport[] transports = Rule.Transport.values();
        int first = 1 + random.nextInt(65535);
        int last = random.nextInt(4) == 0 ? first : first + random.nextInt(65536 - first);
        OptionalInt probability =
                random.nextBoolean() ? OptionalInt.empty() : OptionalInt.of(random.nextInt(Integer.MAX_VALUE));
        return new Rule.PortShare(
                transports[random.nextInt(transports.length)], probability, new PortRange(first, last));
    }

    private Cidr cidr() {
        // the ends of the scale are where forms differ: no destination at all, and a single address
        int length = switch (random.nextInt(6)) {
            case 0 -> 0;
            case 1 -> family.bits();
            default -> random.nextInt(family.bits() + 1);
        };
        IpAddress address = family == IpFamily.IPV4
                ? new IpAddress(family, (long) random.nextInt() << 32, 0)
                : new IpAddress(family, word(), word());
        return new Cidr(address.masked(length), length);
    }

    /** With runs of zeros, which IPv6 text shortens. */
    private long word() {
        return random.nextInt(3) == 0 ? 0 : random.nextLong() & (random.nextBoolean() ? -1L : 0xffff_0000_ffffL);
    }
}
