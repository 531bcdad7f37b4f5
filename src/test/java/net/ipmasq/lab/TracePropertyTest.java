package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.ipmasq.dataplane.iptables.IptablesRenderer;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.Decision;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.policy.NodeFacts;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Ruleset;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

/** What the policy explains is what the rules do: by a walk over what each tool lists, and by real packets. */
class TracePropertyTest {
    private static final long SEED = Seeds.next();
    private static final String CHAIN = "IP-MASQ-AGENT";

    private static NatTrace.Verdict explained(MasqPolicy policy, IpAddress address) {
        Decision decision = policy.explain(address, NodeFacts.UNKNOWN);
        return decision.verdict() == Decision.Verdict.MASQUERADE ? NatTrace.Verdict.MASQUERADE : NatTrace.Verdict.KEEP;
    }

    private static String rendered(MasqPolicy policy, IpFamily family) {
        return IptablesRenderer.render(Ruleset.of(policy, CHAIN).families().get(family));
    }

    @Test
    void explainEqualsTheTraceOverTheRenderedText() {
        for (long seed = SEED; seed < SEED + 3000; seed++) {
            RandomConfig config = RandomConfig.of(seed);
            MasqPolicy policy = config.policy();
            for (IpFamily family : IpFamily.values()) {
                SaveTrace trace = SaveTrace.of(rendered(policy, family), family);
                for (IpAddress address : config.addresses(family)) {
                    boolean local = NodeFacts.UNKNOWN.isLocal(address);
                    for (Protocol protocol : Protocol.values()) {
                        assertThat(trace.verdict(new NatTrace.Packet(address, protocol, local)))
                                .as("%s for %s", address, config)
                                .isEqualTo(explained(policy, address));
                    }
                }
            }
        }
    }

    @Nested
    @NeedsKernel(
            tools = {"ip", "nft", "conntrack", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
    class OnAKernel {
        private static final int POLICIES = 200;
        private static final int PACKETS = 10;

        @Shared
        private static PacketLab lab;

        @Test
        void explainEqualsTheTracesOverTheKernelsTextAndRealPackets() {
            for (long seed = SEED; seed < SEED + POLICIES; seed++) {
                RandomConfig config = RandomConfig.of(seed);
                for (IpFamily family : IpFamily.values()) {
                    iptables(config, family, seed % 2 == 0 ? "-nft" : "-legacy");
                    nft(config, family);
                }
            }
        }

        private void iptables(RandomConfig config, IpFamily family, String variant) {
            String tool = (family == IpFamily.IPV4 ? "iptables" : "ip6tables") + variant;
            lab.node().runWith(rendered(config.policy(), family), tool + "-restore");
            String save = lab.node().run(tool + "-save", "-t", "nat");
            explainEqualsTheTrace(config, family, SaveTrace.of(save, family), save);
            explainEqualsThePackets(config, family);
            lab.node().sh(tool + " -t nat -F");
        }

        private void nft(RandomConfig config, IpFamily family) {
            String table = (family == IpFamily.IPV4 ? "ip" : "ip6") + " ip-masq-agent";
            FamilyRules rules = Ruleset.of(config.policy(), CHAIN).families().get(family);
            lab.node().runWith(net.ipmasq.dataplane.nftables.NftRenderer.render(rules, family), "nft", "-f", "-");
            String listing = lab.node().sh("nft -j list table " + table);
            explainEqualsTheTrace(config, family, NftTrace.of(listing, family), listing);
            explainEqualsThePackets(config, family);
            lab.node().sh("nft delete table " + table);
        }

        private void explainEqualsTheTrace(RandomConfig config, IpFamily family, NatTrace trace, String listing) {
            for (Protocol protocol : Protocol.values()) {
                assertThat(config.addresses(family))
                        .as("%s as%n%s", config, listing)
                        .filteredOn(address -> !NodeFacts.UNKNOWN.isLocal(address))
                        .allMatch(address -> trace.verdict(NatTrace.Packet.to(address, protocol))
                                == explained(config.policy(), address))
                        .allMatch(address ->
                                trace.verdict(new NatTrace.Packet(address, protocol, true)) == NatTrace.Verdict.KEEP);
            }
        }

        private void explainEqualsThePackets(RandomConfig config, IpFamily family) {
            lab.forgetFlows();
            List<IpAddress> reachable = new ArrayList<>(
                    config.addresses(family).stream().filter(lab::reaches).toList());
            Collections.shuffle(reachable, new Random(config.seed()));
            List<IpAddress> to = reachable.subList(0, Math.min(PACKETS, reachable.size()));
            MasqPolicy policy = config.policy();
            for (List<Seen> seen : List.of(lab.udp(to), lab.tcp(to))) {
                assertThat(seen)
                        .as(config::toString)
                        .allMatch(one -> explained(policy, one.destination()) == NatTrace.Verdict.MASQUERADE
                                ? one.sourceIsNode()
                                : one.sourceIsPod());
            }
        }
    }
}
