package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.dataplane.nftables.NftNode;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which of somebody else's rules each backend reports; docs/packet-flow.md has the table. */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
class ReportedRulesTest {
    private static final String LATE =
            "add table ip late; add chain ip late c { type nat hook postrouting priority 110; };"
                    + "add rule ip late c masquerade";
    private static final String EARLY =
            "add table ip early; add chain ip early c { type nat hook postrouting priority 90; };"
                    + "add rule ip early c ip saddr 172.17.0.0/16 snat to 192.0.2.1";
    private static final String BOTH =
            "add table inet both; add chain inet both c { type nat hook postrouting priority 120; };"
                    + "add rule inet both c masquerade";

    @TempDir
    private Path state;

    private List<String> reported(Dataplane dataplane, IpFamily family) {
        AgentStatus status = new AgentRig(dataplane, state).pass();
        assertThat(status.inSync()).isTrue();
        List<String> reported = new ArrayList<>();
        for (Shadow shadow : AgentRig.family(status, family).shadows()) {
            reported.add(shadow.kind() + " " + (shadow.before() ? "before" : "after") + " " + shadow.text());
        }
        return reported;
    }

    private static void nft(NetNs ns, String command) {
        ns.run("nft", command);
    }

    @Test
    void nftablesReportsBaseChainsByPriority() {
        try (NftNode node = new NftNode()) {
            nft(node.ns(), EARLY);
            nft(node.ns(), LATE);
            nft(node.ns(), BOTH);
            assertThat(reported(node.dataplane(), IPV4))
                    .containsExactlyInAnyOrder(
                            "may-shadow before ip early c: ip saddr 172.17.0.0/16 snat to 192.0.2.1",
                            "shadowed-by after ip late c: masquerade",
                            "shadowed-by after inet both c: masquerade");
            assertThat(reported(node.dataplane(), IPV6)).containsExactly("shadowed-by after inet both c: masquerade");
        }
    }

    /** Behind our jump or not, iptables-nft comes before us; and its ACCEPT and RETURN cannot keep a packet from us. */
    @Test
    void nftablesReportsWhatIptablesNftRewrites() {
        try (NftNode node = new NftNode()) {
            node.ns().sh("""
                    iptables-nft -t nat -A POSTROUTING -j ACCEPT
                    iptables-nft -t nat -A POSTROUTING -j RETURN
                    iptables-nft -t nat -A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE
                    iptables-nft -t nat -A POSTROUTING -m mark --mark 0x4000/0x4000 -j MASQUERADE
                    iptables-nft -t nat -A POSTROUTING -j SNAT --to-source 192.0.2.1
                    """);
            assertThat(reported(node.dataplane(), IPV4))
                    .hasSize(2)
                    .anyMatch(text ->
                            text.startsWith("may-shadow before ip nat POSTROUTING: ") && text.contains("172.17.0.0/16"))
                    .anyMatch(text ->
                            text.startsWith("shadowed-by before ip nat POSTROUTING: ") && text.contains("192.0.2.1"));
        }
    }

    /** What ends the base chain before our jump, in the text of the tool itself. */
    @ParameterizedTest
    @EnumSource
    void iptablesReportsWhatEndsTheBaseChainBeforeOurJump(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            node.load(
                    IPV4,
                    ":X - [0:0]",
                    ":Y - [0:0]",
                    "-A POSTROUTING -j Y",
                    "-A POSTROUTING -s 172.17.0.0/16 -g X",
                    "-A POSTROUTING -s 172.18.0.0/16 -j RETURN",
                    "-A POSTROUTING -j RETURN",
                    "-A Y -j RETURN");
            assertThat(reported(node.dataplane(), IPV4))
                    .containsExactly(
                            "may-shadow before -A POSTROUTING -s 172.17.0.0/16 -g X",
                            "may-shadow before -A POSTROUTING -s 172.18.0.0/16 -j RETURN",
                            "shadowed-by before -A POSTROUTING -j RETURN");
        }
    }

    /** What nft does not list is not seen: a limit, not a wish. */
    @Test
    void nftablesDoesNotSeeIptablesLegacy() {
        try (NftNode node = new NftNode()) {
            node.ns().sh("iptables-legacy -t nat -A POSTROUTING -j MASQUERADE");
            assertThat(reported(node.dataplane(), IPV4)).isEmpty();
        }
    }

    /** As above: iptables lists its own table only, though the packets meet the others. */
    @ParameterizedTest
    @EnumSource
    void iptablesDoesNotSeeBaseChainsOfNft(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            nft(node.ns(), EARLY);
            nft(node.ns(), LATE);
            assertThat(reported(node.dataplane(), IPV4)).isEmpty();
        }
    }

    /** Names and maps that a quick look would misread. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "oifname \"masquerade\" accept | none",
                "oifname \"mark\" masquerade | may-shadow",
                "ip saddr 172.17.0.0/16 meta mark 0x4000 masquerade | none",
                "ct mark & 0x1 == 0x1 masquerade | none",
                "jump rewrite | shadowed-by",
                "meta l4proto vmap { tcp : accept, udp : jump rewrite } | may-shadow",
                "ip saddr vmap { 172.17.0.0/16 : accept, 172.18.0.0/16 : goto rewrite } | may-shadow",
                "ip daddr { 192.0.2.0/24, 198.51.100.0/24 } counter masquerade comment \"all of mark\" | shadowed-by",
                "tcp dport { 25, 465 } masquerade to :1024-2048 | shadowed-by",
                "meta nfproto ipv6 masquerade | none",
                "ip6 saddr fd00::/8 masquerade | none",
                "meta nfproto ipv4 masquerade | shadowed-by",
                "iifname \"eth1\" snat ip to 192.0.2.7 | may-shadow",
                "ip saddr 10.0.0.1 return comment \"then masquerade\" | none",
            })
    void rulesOfNftAreReadAsTheKernelReadsThem(String rule, String kind) {
        try (NftNode node = new NftNode()) {
            node.nft("table inet odd {\nchain rewrite {\nmasquerade\n}\nchain c {\n"
                    + "type nat hook postrouting priority 100; policy accept;\n" + rule + "\n}\n}\n");
            List<String> reported = reported(node.dataplane(), IPV4);
            if (kind.equals("none")) {
                assertThat(reported).isEmpty();
            } else {
                assertThat(reported).singleElement().asString().startsWith(kind + " before inet odd c: ");
            }
        }
    }

    @Test
    void nftablesReportsNetmapAndRulesBehindUserChains() {
        try (NftNode node = new NftNode()) {
            node.ns().sh("""
                    iptables-nft -t nat -N OURS
                    iptables-nft -t nat -A OURS -j NETMAP --to 192.0.2.0/24
                    iptables-nft -t nat -A POSTROUTING -o eth7 -j OURS
                    iptables-nft -t nat -N KUBE-POSTROUTING
                    iptables-nft -t nat -A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN
                    iptables-nft -t nat -A KUBE-POSTROUTING -j MASQUERADE
                    iptables-nft -t nat -A POSTROUTING -j KUBE-POSTROUTING
                    """);
            assertThat(reported(node.dataplane(), IPV4))
                    .singleElement()
                    .asString()
                    .startsWith("may-shadow before ip nat POSTROUTING: ")
                    .contains("NETMAP");
        }
    }
}
