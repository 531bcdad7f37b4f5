package net.ipmasq.agent;

import java.net.NetworkInterface;
import java.net.SocketException;
import java.util.HashSet;
import java.util.Set;
import net.ipmasq.net.IpAddress;
import net.ipmasq.policy.NodeFacts;

/** What can be learned of this node without any program or right. */
public final class LocalNode {
    private LocalNode() {}

    /** The addresses of this node; only loopback where the system lists none. */
    public static NodeFacts facts() {
        Set<IpAddress> local = new HashSet<>();
        try {
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .forEach(address -> local.add(IpAddress.ofBytes(address.getAddress())));
        } catch (SocketException e) {
            // a system without interfaces: then no address is local
            return NodeFacts.UNKNOWN;
        }
        return new NodeFacts(local);
    }
}
