package net.ipmasq.lab;

import java.util.Optional;
import net.ipmasq.net.IpAddress;

/**
 * What became of one new flow.
 *
 * @param source the source address that the far end saw; empty when nothing arrived in time
 * @param sourcePort the port it saw, 0 when nothing arrived
 * @param replied whether the far end's answer came back to the sender; asked for TCP and {@code udpEcho} only
 * @param note the sender's error or why nothing was seen; empty when all went well
 */
public record Seen(
        Protocol protocol,
        IpAddress destination,
        Optional<IpAddress> source,
        int sourcePort,
        boolean replied,
        String note) {

    static Seen nothing(Protocol protocol, IpAddress destination, String note) {
        return new Seen(protocol, destination, Optional.empty(), 0, false, note);
    }

    public boolean arrived() {
        return source.isPresent();
    }

    /** Whether the pod's own address arrived: the packet was not masqueraded. */
    public boolean sourceIsPod() {
        return source.equals(Optional.of(LabNetwork.pod(destination.family())));
    }

    /** Whether the address that masquerading gives on the node's outer interface arrived. */
    public boolean sourceIsNode() {
        return source.equals(Optional.of(LabNetwork.node(destination.family())));
    }

    @Override
    public String toString() {
        return protocol.key() + " to " + destination + " came from "
                + source.map(IpAddress::toString).orElse("nobody") + (note.isEmpty() ? "" : " (" + note + ")");
    }
}
