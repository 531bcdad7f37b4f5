package net.ipmasq.lab;

import net.ipmasq.net.IpAddress;

/** Says from a listing of the kernel's rules what happens to the source address of a pod's packet. */
public interface NatTrace {

    /**
     * The first packet of a connection that leaves the node.
     *
     * @param local whether the destination is one of the node's own addresses
     */
    record Packet(IpAddress destination, Protocol protocol, boolean local) {
        public static Packet to(IpAddress destination, Protocol protocol) {
            return new Packet(destination, protocol, false);
        }
    }

    /** What the packet's source address becomes. */
    enum Verdict {
        KEEP,
        MASQUERADE
    }

    /**
     * Walks the rules.
     *
     * @throws IllegalArgumentException if a rule on the way is not understood: an oracle does not guess
     * @throws IllegalStateException if chance decides between two verdicts
     */
    Verdict verdict(Packet packet);
}
