package net.ipmasq.dataplane;

import java.util.List;
import java.util.Set;
import net.ipmasq.agent.SteppingClock;
import net.ipmasq.dataplane.backend.Backends;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.nftables.NftNode;
import net.ipmasq.lab.NeedsKernel;
import org.junit.jupiter.api.AfterEach;

/** The contract as the service has it: behind the gate, and with the other backend beside. */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft", "ip6tables-nft"})
class GatedNftablesDataplaneTest extends DataplaneContract {
    private final NftNode node = new NftNode();
    private final Hand hand = new NftHand(node);
    private final Dataplane dataplane = gated();

    private Dataplane gated() {
        Dataplane iptables = new IptablesDataplane(node.runner(), node.files(), java.util.Optional.empty());
        Backends backends = Backends.configured(node.dataplane(), List.of(iptables, node.dataplane()));
        CachingDataplane gate = Gates.of(node.ns(), backends, new SteppingClock());
        gate.probe();
        gate.observe(Hand.CHAIN, Set.copyOf(BOTH));
        return gate;
    }

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
