package net.ipmasq.rules;

import java.util.Arrays;
import java.util.Optional;
import java.util.OptionalInt;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;

/** One rule of our chain. First match wins; there are these shapes only. */
public sealed interface Rule {

    /** The exemption of a family's link-local range, which masqLinkLocal takes away: they keep the pod's address. */
    record LinkLocal(IpFamily family) implements Rule {
        public Cidr cidr() {
            return family.linkLocal();
        }

        /** Without the origin: revisions are made of this, and they change with what rules do only. */
        @Override
        public String toString() {
            return withoutOrigin().toString();
        }
    }

    /** Destinations in {@code cidr}, an entry of nonMasqueradeCIDRs, keep the pod's address. */
    record Exempt(Cidr cidr) implements Rule {}

    /** Destinations in {@code cidr} get the node's address. */
    record MasqueradeTo(Cidr cidr, boolean randomFully) implements Rule {}

    /**
     * Every other destination gets the node's address.
     *
     * @param ports limits the rule to a protocol and a share of new connections, with source ports of a range
     */
    record MasqueradeRest(Optional<PortShare> ports, boolean randomFully) implements Rule {}

    /**
     * The part of the connections of one protocol that takes its source ports from one range.
     *
     * @param probability in units of 1/2³¹, the kernel's own form; empty: all that reach the rule
     */
    record PortShare(Transport transport, OptionalInt probability, PortRange range) {}

    /** Protocols with ports, in the order in which they are rendered. */
    enum Transport {
        TCP("tcp"),
        UDP("udp"),
        SCTP("sctp");

        private final String key;

        Transport(String key) {
            this.key = key;
        }

        /** The name that iptables takes for {@code -p}. */
        public String key() {
            return key;
        }

        public static Optional<Transport> of(String key) {
            return Arrays.stream(values())
                    .filter(transport -> transport.key.equals(key))
                    .findFirst();
        }
    }

    /** The rule as a kernel holds it that has no place for where it comes from. */
    default Rule withoutOrigin() {
        return this instanceof LinkLocal linkLocal ? new Exempt(linkLocal.cidr()) : this;
    }

    /** What a rule does with a packet, as metrics name it. */
    default String action() {
        return switch (this) {
            case LinkLocal linkLocal -> "keep";
            case Exempt exempt -> "keep";
            case MasqueradeTo to -> "masquerade";
            case MasqueradeRest rest -> "masquerade";
        };
    }

    /** The list that a rule comes from, as metrics name it. */
    default String list() {
        return switch (this) {
            case LinkLocal linkLocal -> "linkLocal";
            case Exempt exempt -> "nonMasqueradeCIDRs";
            case MasqueradeTo to -> "masqueradeCIDRs";
            case MasqueradeRest rest -> "masqOutBound";
        };
    }
}
