package net.ipmasq.lab;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;

/** Prefixes that contain, touch and repeat each other, and the addresses at which their decisions change. */
public final class RandomCidrs {
    private final Random random;
    private final IpFamily family;
    private final List<Cidr> made = new ArrayList<>();

    public RandomCidrs(Random random, IpFamily family) {
        this.random = random;
        this.family = family;
    }

    /** {@code count} of them; they relate to all that this object made before. */
    public List<Cidr> some(int count) {
        List<Cidr> cidrs = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            cidrs.add(next());
        }
        return cidrs;
    }

    private Cidr next() {
        Cidr cidr =
                made.isEmpty() || random.nextInt(3) == 0 ? unrelated() : related(made.get(random.nextInt(made.size())));
        made.add(cidr);
        return cidr;
    }

    private Cidr unrelated() {
        int shortest = family == IpFamily.IPV4 ? 4 : 3;
        int length = random.nextInt(12) == 0 ? 0 : shortest + random.nextInt(family.bits() - shortest + 1);
        return new Cidr(address().masked(length), length);
    }

    private Cidr related(Cidr to) {
        int length = to.prefixLength();
        switch (random.nextInt(4)) {
            case 0 -> {
                return to;
            }
            case 1 -> {
                // around it
                int wider = random.nextInt(length + 1);
                return new Cidr(to.network().masked(wider), wider);
            }
            case 2 -> {
                // in it, as often as not at one of its ends
                int longer = length + random.nextInt(family.bits() - length + 1);
                IpAddress base = random.nextBoolean() ? inside(to) : random.nextBoolean() ? to.network() : last(to);
                return new Cidr(base.masked(longer), longer);
            }
            default -> {
                // its neighbour
                return step(last(to), 1).map(next -> new Cidr(next, length)).orElse(to);
            }
        }
    }

    private IpAddress inside(Cidr cidr) {
        int free = family.bits() - cidr.prefixLength();
        return address(family, number(cidr.network()).add(new BigInteger(free, random)));
    }

    /** Any address; half of them near ranges that people use, where rules crowd. */
    public IpAddress address() {
        if (random.nextBoolean()) {
            return address(family, new BigInteger(family.bits(), random));
        }
        List<String> usual = family == IpFamily.IPV4
                ? List.of("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16")
                : List.of("fc00::/7", "2001:db8::/32", "fe80::/10", "64:ff9b::/96", "2000::/3");
        return inside(Cidr.of(usual.get(random.nextInt(usual.size()))));
    }

    /** For each prefix its first and last address and the ones just outside. */
    public static Set<IpAddress> edges(Collection<Cidr> cidrs) {
        Set<IpAddress> edges = new LinkedHashSet<>();
        for (Cidr cidr : cidrs) {
            edges.add(cidr.network());
            edges.add(last(cidr));
            step(cidr.network(), -1).ifPresent(edges::add);
            step(last(cidr), 1).ifPresent(edges::add);
        }
        return edges;
    }

    private static IpAddress last(Cidr cidr) {
        int free = cidr.family().bits() - cidr.prefixLength();
        return address(
                cidr.family(),
                number(cidr.network()).add(BigInteger.ONE.shiftLeft(free)).subtract(BigInteger.ONE));
    }

    private static Optional<IpAddress> step(IpAddress from, int by) {
        BigInteger to = number(from).add(BigInteger.valueOf(by));
        boolean exists = to.signum() >= 0 && to.bitLength() <= from.family().bits();
        return exists ? Optional.of(address(from.family(), to)) : Optional.empty();
    }

    private static BigInteger number(IpAddress address) {
        return new BigInteger(1, address.toBytes());
    }

    private static IpAddress address(IpFamily family, BigInteger number) {
        byte[] bytes = new byte[family.bits() / 8];
        byte[] value = number.toByteArray();
        for (int i = 1; i <= Math.min(bytes.length, value.length); i++) {
            bytes[bytes.length - i] = value[value.length - i];
        }
        return IpAddress.ofBytes(bytes);
    }
}
