package net.ipmasq.dataplane;

import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import org.junit.jupiter.api.AfterEach;

@NeedsKernel(tools = {"ip", "nft", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
class IptablesLegacyDataplaneTest extends DataplaneContract {
    private final NodeKernel node = NodeKernel.create(Variant.LEGACY);
    private final Dataplane dataplane = node.dataplane();
    private final Hand hand = new KernelHand(node);

    @Override
    Dataplane dataplane() {
        return dataplane;
    }

    @Override
    Hand hand() {
        return hand;
    }

    @AfterEach
    void close() {
        node.close();
    }
}
