package net.ipmasq.agent;

import static net.ipmasq.agent.SharedNode.Source.NODE;
import static net.ipmasq.agent.SharedNode.Source.THEIRS;
import static org.assertj.core.api.Assertions.assertThat;

import net.ipmasq.agent.SharedNode.SeenSources;
import net.ipmasq.agent.SharedNode.Setup;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Why our base chain of nft is not at srcnat itself: among base chains of one priority the one registered last comes
 * first, so that who decides would depend on who started when.
 */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
class EqualPriorityTest {
    private static final String THEIR_SNAT = "-A POSTROUTING -s POD -j SNAT --to-source THEIRS";
    private static final SeenSources WE_FIRST = new SeenSources(THEIRS, NODE);
    private static final SeenSources THEY_FIRST = new SeenSources(THEIRS, THEIRS);

    private static void oursAt(String priority, SharedNode node, IpFamily family) {
        String table = SharedNode.table(family);
        assertThat(table).contains("priority srcnat + 5;");
        node.nft(table.replace("srcnat + 5", priority));
    }

    /** A namespace each: iptables-legacy registers once, when first used, and stays when its rules are gone. */
    @ParameterizedTest
    @EnumSource(Variant.class)
    void atSrcnatTheLastToRegisterComesFirst(Variant theirs) {
        try (SharedNode node = new SharedNode()) {
            for (IpFamily family : IpFamily.values()) {
                oursAt("srcnat", node, family);
                assertThat(node.sources(family).masqueraded()).isEqualTo(NODE);
                node.theirs(theirs, family, THEIR_SNAT);
                assertThat(node.sources(family)).isEqualTo(THEY_FIRST);
                // made anew, as after a restart or a repair: who decides has changed, and no rule has
                oursAt("srcnat", node, family);
                assertThat(node.sources(family)).isEqualTo(WE_FIRST);
            }
        }
    }

    @ParameterizedTest
    @EnumSource(Variant.class)
    void atFiveBehindItTheyComeFirstAlways(Variant theirs) {
        try (SharedNode node = new SharedNode()) {
            for (IpFamily family : IpFamily.values()) {
                oursAt("srcnat + 5", node, family);
                node.theirs(theirs, family, THEIR_SNAT);
                assertThat(node.sources(family)).isEqualTo(THEY_FIRST);
                oursAt("srcnat + 5", node, family);
                assertThat(node.sources(family)).isEqualTo(THEY_FIRST);
            }
        }
    }

    /** iptables cannot choose its priority: beside the other variant, or a base chain of nft at 100, it goes by order. */
    @ParameterizedTest
    @CsvSource({"IPTABLES_NFT, LEGACY", "IPTABLES_LEGACY, NFT"})
    void theTwoVariantsOfIptables(Setup ours, Variant theirs) {
        for (IpFamily family : IpFamily.values()) {
            try (SharedNode node = new SharedNode()) {
                node.theirs(theirs, family, THEIR_SNAT);
                node.ours(ours, family);
                assertThat(node.sources(family)).isEqualTo(WE_FIRST);
            }
            try (SharedNode node = new SharedNode()) {
                node.ours(ours, family);
                node.theirs(theirs, family, THEIR_SNAT);
                assertThat(node.sources(family)).isEqualTo(THEY_FIRST);
            }
        }
    }
}
