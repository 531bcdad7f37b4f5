package net.ipmasq.net;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * A set of addresses of one family as prefixes that do not overlap, in order. A prefix that another one contains is left
 * out; neighbours stay apart, so that each prefix can be found again.
 */
public record CidrSet(List<Cidr> prefixes) {
    private static final Comparator<Cidr> ORDER =
            Comparator.comparing(Cidr::network).thenComparingInt(Cidr::prefixLength);

    /** {@code prefixes} must be in order and disjoint already; else use {@link #of}. */
    public CidrSet {
        prefixes = List.copyOf(prefixes);
        for (int i = 1; i < prefixes.size(); i++) {
            Cidr before = prefixes.get(i - 1);
            if (ORDER.compare(before, prefixes.get(i)) >= 0 || before.overlaps(prefixes.get(i))) {
                throw new IllegalArgumentException("overlap or wrong order: " + before + " " + prefixes.get(i));
            }
        }
    }

    /** The union of any prefixes of one family. */
    public static CidrSet of(Collection<Cidr> cidrs) {
        List<Cidr> sorted = new ArrayList<>(cidrs);
        sorted.sort(ORDER);
        List<Cidr> widest = new ArrayList<>(sorted.size());
        for (Cidr cidr : sorted) {
            // in this order a prefix that contains others comes directly before them
            if (widest.isEmpty() || !widest.getLast().contains(cidr)) {
                widest.add(cidr);
            }
        }
        return new CidrSet(widest);
    }

    public boolean isEmpty() {
        return prefixes.isEmpty();
    }

    public boolean contains(IpAddress address) {
        return prefixes.stream().anyMatch(prefix -> prefix.contains(address));
    }

    /** Whether one of the prefixes holds all of {@code cidr}. */
    public boolean contains(Cidr cidr) {
        return prefixes.stream().anyMatch(prefix -> prefix.contains(cidr));
    }

    /** The addresses of this set that are not in {@code cidr}; a prefix is only split where it has to be. */
    public CidrSet minus(Cidr cidr) {
        List<Cidr> left = new ArrayList<>();
        for (Cidr prefix : prefixes) {
            if (prefix.contains(cidr) && !prefix.equals(cidr)) {
                split(prefix, cidr, left);
            } else if (!cidr.contains(prefix)) {
                left.add(prefix);
            }
        }
        return of(left);
    }

    /** The addresses of this set that are not in {@code other}. */
    public CidrSet minus(CidrSet other) {
        CidrSet left = this;
        for (Cidr cidr : other.prefixes) {
            left = left.minus(cidr);
        }
        return left;
    }

    /** Prefixes of this set that the other one does not hold as they are; not the difference of the addresses. */
    public List<Cidr> notIn(CidrSet other) {
        Set<Cidr> theirs = new TreeSet<>(ORDER);
        theirs.addAll(other.prefixes);
        return prefixes.stream().filter(prefix -> !theirs.contains(prefix)).toList();
    }

    /** On the way down to {@code hole}, the half that does not hold it is left at each step. */
    private static void split(Cidr whole, Cidr hole, List<Cidr> left) {
        Cidr part = whole;
        while (part.prefixLength() < hole.prefixLength()) {
            Cidr near = new Cidr(hole.network().masked(part.prefixLength() + 1), part.prefixLength() + 1);
            Cidr first = new Cidr(part.network(), part.prefixLength() + 1);
            left.add(near.equals(first) ? secondHalf(part) : first);
            part = near;
        }
    }

    private static Cidr secondHalf(Cidr whole) {
        int bit = whole.prefixLength();
        IpAddress network = whole.network();
        long hi = bit < 64 ? network.hi() | 1L << (63 - bit) : network.hi();
        long lo = bit >= 64 ? network.lo() | 1L << (127 - bit) : network.lo();
        return new Cidr(new IpAddress(network.family(), hi, lo), bit + 1);
    }
}
