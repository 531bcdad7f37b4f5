package net.ipmasq.policy;

import java.util.Collection;
import java.util.Comparator;
import java.util.Iterator;
import java.util.Optional;
import java.util.TreeSet;
import net.ipmasq.net.Cidr;
import org.jspecify.annotations.Nullable;

/** Finds which of many prefixes overlap one, without comparing it with each of them. */
final class Overlaps {
    private final TreeSet<Cidr> cidrs =
            new TreeSet<>(Comparator.comparing(Cidr::network).thenComparingInt(Cidr::prefixLength));

    Overlaps(Collection<Cidr> cidrs) {
        this.cidrs.addAll(cidrs);
    }

    /** Those that contain {@code cidr}, widest first, then those inside it; found one after the other. */
    Iterable<Cidr> with(Cidr cidr) {
        return () -> new Found(cidr);
    }

    /** In this order those inside a prefix follow it without a gap, and those around it have one length each. */
    private final class Found implements Iterator<Cidr> {
        private final Cidr cidr;
        private final Iterator<Cidr> inside;
        private int length;
        private Optional<Cidr> next;

        Found(Cidr cidr) {
            this.cidr = cidr;
            this.inside = cidrs.tailSet(cidr, true).iterator();
            this.next = find();
        }

        private Optional<Cidr> find() {
            while (length < cidr.prefixLength()) {
                Cidr around = new Cidr(cidr.network().masked(length), length);
                length++;
                if (cidrs.contains(around)) {
                    return Optional.of(around);
                }
            }
            @Nullable Cidr candidate = inside.hasNext() ? inside.next() : null;
            return candidate != null && cidr.contains(candidate) ? Optional.of(candidate) : Optional.empty();
        }

        @Override
        public boolean hasNext() {
            return next.isPresent();
        }

        @Override
        public Cidr next() {
            Cidr found = next.orElseThrow();
            next = find();
            return found;
        }
    }
}
