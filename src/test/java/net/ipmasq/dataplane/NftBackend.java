package net.ipmasq.dataplane;

import java.util.function.Function;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.dataplane.nftables.NftNode;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.NetNsRunner;

/** The backends that keep their rules in nf_tables, for tests of everything that follows its generation and events. */
public enum NftBackend {
    IPTABLES_NFT(ns -> iptables(NodeKernel.in(ns, Variant.NFT))),
    NFTABLES(ns -> nftables(NftNode.in(ns)));

    private final Function<NetNs, Parts> parts;

    NftBackend(Function<NetNs, Parts> parts) {
        this.parts = parts;
    }

    /**
     * What a backend is made of.
     *
     * @param runner what the dataplane runs its tools with
     * @param hand somebody else at work
     */
    public record Parts(NetNsRunner runner, Dataplane dataplane, Hand hand) {}

    /** A namespace of its own with the backend in it. */
    public record Node(NetNs ns, Parts parts) implements AutoCloseable {
        @Override
        public void close() {
            ns.close();
        }
    }

    public Node create() {
        NetNs ns = NetNs.create();
        return new Node(ns, parts.apply(ns));
    }

    private static Parts iptables(NodeKernel node) {
        return new Parts(node.runner(), node.dataplane(), new KernelHand(node));
    }

    private static Parts nftables(NftNode node) {
        return new Parts(node.runner(), node.dataplane(), new NftHand(node));
    }
}
