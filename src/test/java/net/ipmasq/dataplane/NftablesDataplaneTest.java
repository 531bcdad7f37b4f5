package net.ipmasq.dataplane;

import net.ipmasq.dataplane.nftables.NftNode;
import net.ipmasq.lab.NeedsKernel;
import org.junit.jupiter.api.AfterEach;

@NeedsKernel(tools = {"ip", "nft"})
class NftablesDataplaneTest extends DataplaneContract {
    private final NftNode node = new NftNode();
    private final Hand hand = new NftHand(node);

    @Override
    Dataplane dataplane() {
        return node.dataplane();
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
