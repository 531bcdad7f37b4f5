package net.ipmasq.agent.masquerade;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.IntPredicate;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.netlink.AddressLabel;
import net.ipmasq.netlink.DeviceAddress;

/**
 * The address that the kernel's ipv6_dev_get_saddr (net/ipv6/addrconf.c) chooses: RFC 6724 with Linux's additions. MASQUERADE
 * asks it with the destination and the outgoing device.
 *
 * @param labels the policy table
 * @param temporary devices, by number, on which temporary addresses are preferred (use_tempaddr 2)
 */
record Ipv6SourceSelection(List<AddressLabel> labels, IntPredicate temporary) {
    private static final Cidr ORCHID = Cidr.of("2001:10::/28");
    private static final Cidr LINK_LOCAL = Cidr.of("fe80::/10");
    private static final Cidr SITE_LOCAL = Cidr.of("fec0::/10");
    private static final Cidr MULTICAST = Cidr.of("ff00::/8");
    private static final Cidr WITHIN_64_ZEROS = Cidr.of("::/64");
    private static final IpAddress ANY = IpAddress.of("::");
    private static final IpAddress LOOPBACK = IpAddress.of("::1");
    private static final int SCOPE_LINK = 2;
    private static final int SCOPE_SITE = 5;
    private static final int SCOPE_GLOBAL = 14;

    /** Added to a scope that is too small for the destination, so that it ranks below all others. */
    private static final int TOO_SMALL = -128;

    /** The score of an address: one component for each rule, in order of precedence; more is better. */
    private record Score(
            boolean same,
            int scope,
            boolean preferred,
            boolean home,
            boolean outgoing,
            boolean label,
            boolean privacy,
            boolean orchid,
            int prefix,
            boolean certain) {
        private static final Comparator<Score> ORDER = Comparator.comparing(Score::same)
                .thenComparingInt(Score::scope)
                .thenComparing(Score::preferred)
                .thenComparing(Score::home)
                .thenComparing(Score::outgoing)
                .thenComparing(Score::label)
                .thenComparing(Score::privacy)
                .thenComparing(Score::orchid)
                .thenComparingInt(Score::prefix)
                .thenComparing(Score::certain);
    }

    /** As {@link Ipv4SourceSelection#choose}, but by the destination, not by the next hop. */
    Optional<IpAddress> choose(int device, IpAddress destination, List<DeviceAddress> candidates) {
        Optional<IpAddress> best = Optional.empty();
        Optional<Score> highest = Optional.empty();
        for (DeviceAddress one : candidates) {
            IpAddress address = IpAddress.ofBytes(one.own().getAddress());
            if (one.isTentative() || address.equals(ANY) || MULTICAST.contains(address)) {
                continue;
            }
            Score score = score(one, address, destination, device);
            // the first of equals stays
            if (highest.isEmpty() || Score.ORDER.compare(score, highest.get()) > 0) {
                highest = Optional.of(score);
                best = Optional.of(address);
            }
        }
        return best;
    }

    /** Whether only addresses of the outgoing device are candidates. */
    static boolean isOnLinkOnly(IpAddress destination) {
        return MULTICAST.contains(destination) || scope(destination) <= SCOPE_LINK;
    }

    private Score score(DeviceAddress one, IpAddress address, IpAddress destination, int device) {
        int scope = scope(address);
        return new Score(
                address.equals(destination),
                scope >= scope(destination) ? -scope : scope + TOO_SMALL,
                isAlwaysPreferred(address) || !one.isDeprecated() && !one.isOptimistic(),
                one.isHome(),
                one.device() == device,
                label(address, one.device()) == label(destination, device),
                one.isTemporary() == temporary.test(one.device()),
                ORCHID.contains(address) == ORCHID.contains(destination),
                Math.min(commonBits(address, destination), one.prefix()),
                !one.isOptimistic());
    }

    private static int scope(IpAddress address) {
        if (MULTICAST.contains(address)) {
            return (int) (address.hi() >>> 48 & 0xf);
        }
        if (LINK_LOCAL.contains(address) || address.equals(LOOPBACK)) {
            return SCOPE_LINK;
        }
        return SITE_LOCAL.contains(address) ? SCOPE_SITE : SCOPE_GLOBAL;
    }

    /** The loopback, IPv4-mapped and IPv4-compatible. */
    private static boolean isAlwaysPreferred(IpAddress address) {
        return WITHIN_64_ZEROS.contains(address) && (address.lo() >>> 32 == 0 || address.lo() >>> 32 == 0xffffL);
    }

    private long label(IpAddress address, int device) {
        AddressLabel best = null;
        for (AddressLabel line : labels) {
            IpAddress prefix = IpAddress.ofBytes(line.prefix().getAddress());
            boolean holds = (line.device() == 0 || line.device() == device)
                    && prefix.family() == address.family()
                    && address.masked(line.length()).equals(prefix.masked(line.length()));
            if (holds && (best == null || line.length() > best.length())) {
                best = line;
            }
        }
        return best == null ? 0xffff_ffffL : best.label();
    }

    private static int commonBits(IpAddress one, IpAddress other) {
        long hi = one.hi() ^ other.hi();
        return hi != 0 ? Long.numberOfLeadingZeros(hi) : 64 + Long.numberOfLeadingZeros(one.lo() ^ other.lo());
    }
}
