package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.lab.PacketStream;
import net.ipmasq.lab.Shared;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What classic agents and old guides left is replaced under traffic, in one transaction and without a gap. */
@NeedsKernel(tools = {"ip", "conntrack", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
class AdoptionTest {
    private static final String WORDS = "ip-masq-agent: ensure nat POSTROUTING directs all non-LOCAL destination"
            + " traffic to our custom IP-MASQ-AGENT chain";
    private static final String CANONICAL =
            "-m comment --comment \"" + WORDS + "\" -m addrtype ! --dst-type LOCAL -j IP-MASQ-AGENT";
    private static final Map<IpAddress, PacketStream.Source> EXPECTED = Map.of(
            IpAddress.of("10.10.10.10"), PacketStream.Source.POD,
            IpAddress.of("203.0.113.7"), PacketStream.Source.NODE,
            IpAddress.of("fd00::10"), PacketStream.Source.POD,
            IpAddress.of("2001:db8::7"), PacketStream.Source.NODE);

    @Shared
    private static PacketLab lab;

    @TempDir
    private Path state;

    static Stream<Arguments> variants() {
        List<String> jumps = List.of(
                "-m comment --comment \"\\\"" + WORDS + "\\\"\" -m addrtype ! --dst-type LOCAL -j IP-MASQ-AGENT",
                "-m addrtype ! --dst-type LOCAL -j IP-MASQ-AGENT",
                "-m comment --comment \"ip-masq-agent: something else\" -m addrtype ! --dst-type LOCAL -j IP-MASQ-AGENT",
                "-j IP-MASQ-AGENT");
        return Stream.of(Variant.values()).flatMap(variant -> jumps.stream().map(jump -> Arguments.of(variant, jump)));
    }

    /** The old guide: no matches on the jump, ADDRTYPE on each rule, and words of its own. */
    private static void classic(NodeKernel node, IpFamily family, String jump) {
        String words =
                "-m comment --comment \"ip-masq-agent: cluster-local traffic should not be subject to MASQUERADE\""
                        + " -m addrtype ! --dst-type LOCAL -j RETURN";
        node.load(
                family,
                ":IP-MASQ-AGENT - [0:0]",
                "-A POSTROUTING " + jump,
                "-A IP-MASQ-AGENT -d " + family.linkLocal() + " " + words,
                "-A IP-MASQ-AGENT -d " + (family == IPV4 ? "10.0.0.0/8" : "fc00::/7") + " " + words,
                "-A IP-MASQ-AGENT -m comment --comment \"ip-masq-agent: outbound traffic should be subject to MASQUERADE"
                        + " (this match must come after cluster-local CIDR matches)\" -m addrtype ! --dst-type LOCAL -j"
                        + " MASQUERADE");
    }

    private static void wipe() {
        for (Variant variant : Variant.values()) {
            for (IpFamily family : IpFamily.values()) {
                NodeKernel.in(lab.node(), variant).hand(family, "-F");
                NodeKernel.in(lab.node(), variant).hand(family, "-X");
            }
        }
    }

    @ParameterizedTest
    @MethodSource("variants")
    void aVariantBecomesTheOneCanonicalJumpWithoutAGap(Variant variant, String jump) {
        NodeKernel node = NodeKernel.in(lab.node(), variant);
        wipe();
        for (IpFamily family : IpFamily.values()) {
            classic(node, family, jump);
        }
        AgentRig agent = new AgentRig(node.dataplane(), state.resolve("none"))
                .config("nonMasqueradeCIDRs: [10.0.0.0/8, fc00::/7]");
        try (PacketStream stream = PacketStream.start(lab, EXPECTED, 500)) {
            stream.awaitFlows(60, Duration.ofSeconds(20));
            AgentStatus status = agent.pass();
            stream.awaitFlows(60, Duration.ofSeconds(20));
            PacketStream.Report report = stream.stop();
            assertThat(report.wrong()).isEmpty();
            assertThat(report.lost()).isEmpty();
            assertThat(report.flows()).isGreaterThanOrEqualTo(120);
            assertThat(status.inSync()).isTrue();
        }
        for (IpFamily family : IpFamily.values()) {
            assertThat(node.nat(family).stream().filter(line -> line.startsWith("-A POSTROUTING")))
                    .containsExactly("-A POSTROUTING " + CANONICAL);
            assertThat(node.ours(family)).hasSize(4).noneMatch(line -> line.contains("cluster-local"));
        }
        node.runner().restores().forEach(call -> oneTransaction(call, jump));
        assertThat(node.runner().restores().stream().map(NetNsRunner.Call::program))
                .containsExactlyInAnyOrder(node.tool(IPV4, "-restore"), node.tool(IPV6, "-restore"));
        assertThat(agent.pass().families().values()).allMatch(family -> family.written() == 0);
    }

    /** The new jump and rules and the end of the old jump are in one payload between table and COMMIT. */
    private static void oneTransaction(NetNsRunner.Call call, String jump) {
        List<String> lines = call.stdin().lines().toList();
        assertThat(call.argv()).contains("--noflush");
        assertThat(lines).startsWith("*nat").endsWith("COMMIT").containsOnlyOnce("COMMIT");
        assertThat(lines)
                .containsOnlyOnce("-A POSTROUTING " + CANONICAL)
                .containsOnlyOnce("-D POSTROUTING " + jump)
                .containsOnlyOnce(":IP-MASQ-AGENT - [0:0]");
        assertThat(lines.indexOf("-A POSTROUTING " + CANONICAL)).isLessThan(lines.indexOf("-D POSTROUTING " + jump));
    }
}
