package net.ipmasq.dataplane.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.iptables.RuleCase;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNsFiles;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.lab.RandomCidrs;
import net.ipmasq.lab.Seen;
import net.ipmasq.lab.Shared;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.Decision;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.policy.NodeFacts;
import net.ipmasq.rules.Ruleset;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** From the text of a configuration to nft's own listing and to packets, for every folder of {@code cases/rules}. */
@NeedsKernel(tools = {"ip", "nft", "conntrack"})
class NftCasesTest {
    private static final EnumSet<IpFamily> BOTH = EnumSet.allOf(IpFamily.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    @Shared
    private static PacketLab lab;

    @TestFactory
    Stream<DynamicTest> theKernelShows() throws Exception {
        return RuleCase.all().stream().map(one -> DynamicTest.dynamicTest(one.name(), () -> theKernelShows(one)));
    }

    private static void theKernelShows(RuleCase one) throws IOException {
        Ruleset desired = one.rulesets().getFirst();
        try (NftNode node = new NftNode()) {
            assertThat(node.dataplane().apply(desired, node.dataplane().observe(desired.chain(), BOTH)))
                    .containsOnlyKeys(desired.families().keySet())
                    .allSatisfy((family, outcome) -> assertThat(outcome).isInstanceOf(ApplyOutcome.Applied.class));
            for (IpFamily family : BOTH) {
                List<String> shown = desired.families().containsKey(family) ? objects(node.json(family)) : List.of();
                assertThat(shown).isEqualTo(one.expectedNft(family));
            }
            assertThat(node.dataplane().apply(desired, node.dataplane().observe(desired.chain(), BOTH)))
                    .allSatisfy((family, outcome) -> assertThat(outcome).isEqualTo(new ApplyOutcome.Unchanged()));
        }
    }

    private static List<String> objects(String listing) throws IOException {
        List<String> lines = new ArrayList<>();
        for (JsonNode object : JSON.readTree(listing).get("nftables")) {
            if (!object.has("metainfo")) {
                ((ObjectNode) object.elements().next()).remove("handle");
                // nft 1.0.6 prints 2³¹ with a sign
                lines.add(object.toString().replace("\"mod\":-", "\"mod\":"));
            }
        }
        return lines;
    }

    @TestFactory
    Stream<DynamicTest> packetsGo() throws Exception {
        return RuleCase.all().stream().map(one -> DynamicTest.dynamicTest(one.name(), () -> packetsGo(one)));
    }

    private static void packetsGo(RuleCase one) throws IOException {
        MasqPolicy policy = one.policies().getFirst();
        Ruleset desired = one.rulesets().getFirst();
        NftablesDataplane dataplane = new NftablesDataplane(new NetNsRunner(lab.node()), new NetNsFiles(lab.node()));
        dataplane.apply(desired, dataplane.observe(desired.chain(), BOTH));
        assertThat(dataplane
                        .observe(desired.chain(), desired.families().keySet())
                        .families()
                        .values())
                .allMatch(FamilyState.Present.class::isInstance);
        lab.forgetFlows();
        try {
            List<IpAddress> to = addresses(policy);
            assertThat(to).hasSizeGreaterThan(2);
            for (List<Seen> seen : List.of(lab.udp(to), lab.tcp(to))) {
                assertThat(seen)
                        .allMatch(packet -> masquerades(policy, packet.destination())
                                ? packet.sourceIsNode()
                                : packet.sourceIsPod());
            }
        } finally {
            dataplane.remove(desired.chain(), BOTH);
        }
    }

    private static boolean masquerades(MasqPolicy policy, IpAddress address) {
        return policy.explain(address, NodeFacts.UNKNOWN).verdict() == Decision.Verdict.MASQUERADE;
    }

    /** First and last address of every entry and their neighbours, as far as a packet can go there. */
    private static List<IpAddress> addresses(MasqPolicy policy) {
        Set<Cidr> cidrs = new LinkedHashSet<>(List.of(Cidr.of("203.0.113.0/24"), Cidr.of("2001:db8::/64")));
        policy.families().values().stream()
                .flatMap(family -> Stream.of(family.masquerade(), family.keep()).flatMap(Collection::stream))
                .map(EffectiveConfig.Entry::cidr)
                .limit(20)
                .forEach(cidrs::add);
        return RandomCidrs.edges(cidrs).stream()
                .filter(lab::reaches)
                .filter(address -> policy.families().containsKey(address.family()))
                .toList();
    }
}
