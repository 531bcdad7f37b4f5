package net.ipmasq.policy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;

/**
 * What is known of the network of a node's pods.
 *
 * @param podCidrs the node's own ranges, as the API reports them; empty if there are none or they are not known yet
 * @param forwards families whose packets this node forwards
 */
public record PodNetwork(List<Cidr> podCidrs, Set<IpFamily> forwards) {
    public static final PodNetwork UNKNOWN = new PodNetwork(List.of(), Set.of());

    public PodNetwork {
        podCidrs = List.copyOf(podCidrs);
        forwards = Set.copyOf(forwards);
    }

    /** The node's range that an address is in, so that it can only be a pod's here. */
    public Optional<Cidr> rangeOf(IpAddress address) {
        return podCidrs.stream().filter(range -> range.contains(address)).findFirst();
    }
}
