package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.lab.PacketStream;
import net.ipmasq.lab.Shared;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** From one backend to another while UDP and TCP flows are opened all the time: no packet has the wrong source. */
@NeedsKernel(tools = {"ip", "nft", "conntrack", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
class BackendMoveTest {
    private static final String CONFIG =
            "masqueradeCIDRs: [10.20.0.0/16]\nnonMasqueradeCIDRs: [10.0.0.0/8, 'fc00::/7']\n";
    private static final Map<IpAddress, PacketStream.Source> EXPECTED = Map.of(
            IpAddress.of("10.10.10.10"), PacketStream.Source.POD,
            IpAddress.of("10.20.0.1"), PacketStream.Source.NODE,
            IpAddress.of("203.0.113.7"), PacketStream.Source.NODE,
            IpAddress.of("fd00::10"), PacketStream.Source.POD,
            IpAddress.of("2001:db8::7"), PacketStream.Source.NODE);

    @Shared
    private static PacketLab lab;

    @TempDir
    private Path state;

    static Stream<Arguments> moves() {
        return Stream.of(TestBackend.IPTABLES_NFT, TestBackend.IPTABLES_LEGACY)
                .flatMap(other -> Stream.of(
                        Arguments.of(other, TestBackend.NFTABLES), Arguments.of(TestBackend.NFTABLES, other)));
    }

    /** Everything in the kernel that could be ours, by place. */
    private static List<String> ours() {
        List<String> found = new ArrayList<>();
        for (String save :
                List.of("iptables-nft-save", "ip6tables-nft-save", "iptables-legacy-save", "ip6tables-legacy-save")) {
            if (lab.node().run(save, "-t", "nat").contains("IP-MASQ-AGENT")) {
                found.add(save);
            }
        }
        for (String family : List.of("ip", "ip6")) {
            if (lab.node().run("nft", "list", "tables").contains("table " + family + " ip-masq-agent")) {
                found.add("nftables " + family);
            }
        }
        return found;
    }

    @ParameterizedTest
    @MethodSource("moves")
    void noPacketHasTheWrongSource(TestBackend from, TestBackend to) {
        new AgentRig(from.in(lab.node()), state).config(CONFIG).pass();
        assertThat(ours()).hasSize(2);
        lab.forgetFlows();
        try (PacketStream stream = PacketStream.start(lab, EXPECTED, 500)) {
            stream.awaitFlows(100, Duration.ofSeconds(20));
            AgentStatus status =
                    new AgentRig(to.in(lab.node()), state).config(CONFIG).pass();
            stream.awaitFlows(100, Duration.ofSeconds(20));
            PacketStream.Report report = stream.stop();
            System.out.println(from + " to " + to + ": " + report.flows() + " flows, "
                    + report.wrong().size() + " wrong, " + report.lost().size() + " lost");
            assertThat(report.wrong()).isEmpty();
            assertThat(report.lost()).isEmpty();
            assertThat(report.flows()).isGreaterThanOrEqualTo(200);
            assertThat(status.inSync()).isTrue();
            assertThat(status.node().backend().key()).isEqualTo(to.key());
            assertThat(status.issue()).isEmpty();
            assertThat(status.families().values())
                    .as("what we leave is not somebody else's")
                    .allMatch(family -> family.shadows().isEmpty());
            assertThat(status.families().values())
                    .allMatch(family -> family.driftTotals().isEmpty());
        }
        assertThat(ours()).hasSize(2).allMatch(place -> place.contains(to.key().replace("iptables-", "tables-")));
        Dataplane last = to.in(lab.node());
        last.remove(AgentRig.CHAIN, java.util.EnumSet.allOf(IpFamily.class));
        last.removeElsewhere(AgentRig.CHAIN);
        assertThat(ours()).isEmpty();
    }

    /** What the new backend cannot hold does not cost the old one its rules. */
    @Test
    void theOldRulesStayUntilTheNewOnesAreThere() {
        new AgentRig(TestBackend.IPTABLES_NFT.in(lab.node()), state)
                .config(CONFIG)
                .pass();
        NetNsRunner refusing = new NetNsRunner(lab.node()).hide("nft");
        Dataplane broken = TestBackend.NFTABLES.in(lab.node(), refusing);
        AgentRig agent = new AgentRig(broken, state).config(CONFIG);
        assertThat(agent.pass().inSync()).isFalse();
        assertThat(ours()).containsExactlyInAnyOrder("iptables-nft-save", "ip6tables-nft-save");
        refusing.show("nft");
        assertThat(agent.pass().inSync()).isTrue();
        assertThat(ours()).containsExactlyInAnyOrder("nftables ip", "nftables ip6");
        new AgentRig(TestBackend.IPTABLES_NFT.in(lab.node()), state)
                .config(CONFIG)
                .pass();
        assertThat(ours()).containsExactlyInAnyOrder("iptables-nft-save", "ip6tables-nft-save");
        TestBackend.IPTABLES_NFT.in(lab.node()).remove(AgentRig.CHAIN, java.util.EnumSet.allOf(IpFamily.class));
    }

    /** 'run --once' with another backend beside a running agent: the agent wins, and nothing of the other stays. */
    @Test
    void aMoveBehindARunningAgentIsUndoneWhole() {
        AgentRig running = new AgentRig(TestBackend.NFTABLES.in(lab.node()), state).config(CONFIG);
        running.pass();
        new AgentRig(TestBackend.IPTABLES_NFT.in(lab.node()), state)
                .config(CONFIG)
                .pass();
        assertThat(ours()).containsExactlyInAnyOrder("iptables-nft-save", "ip6tables-nft-save");
        assertThat(running.pass().inSync()).isTrue();
        assertThat(ours()).containsExactlyInAnyOrder("nftables ip", "nftables ip6");
        running.dataplane().remove(AgentRig.CHAIN, java.util.EnumSet.allOf(IpFamily.class));
    }

    /** Nothing is taken away while the text is bad; the status says so, and what to do. */
    @Test
    void aMoveWithABadTextKeepsBothAndSaysSo() {
        new AgentRig(TestBackend.NFTABLES.in(lab.node()), state).config(CONFIG).pass();
        AgentRig moved = new AgentRig(TestBackend.IPTABLES_NFT.in(lab.node()), state).config("x: [");
        assertThat(moved.pass().issue().get("Leftovers"))
                .contains("backend nftables stay", "iptables-nft", "correct it");
        assertThat(ours()).hasSize(4);
        AgentStatus good = moved.config(CONFIG).pass();
        assertThat(good.issue()).isEmpty();
        assertThat(ours()).containsExactlyInAnyOrder("iptables-nft-save", "ip6tables-nft-save");
        moved.dataplane().remove(AgentRig.CHAIN, java.util.EnumSet.allOf(IpFamily.class));
    }

    /** Without a configuration that ever was good, rules in the other backend are what the node is kept at. */
    @ParameterizedTest
    @MethodSource("moves")
    void rulesInTheOtherBackendCountAsTheLastGood(TestBackend from, TestBackend to) {
        new AgentRig(from.in(lab.node()), state.resolve("before"))
                .config("nonMasqueradeCIDRs: [203.0.113.0/24, 'fd00::/8']\n")
                .pass();
        AgentRig fresh = new AgentRig(to.in(lab.node()), state.resolve("none")).config("x: [");
        AgentStatus status = fresh.pass();
        assertThat(status.inSync()).isTrue();
        assertThat(status.config().inForce().orElseThrow().origin()).isEqualTo("kernel");
        lab.forgetFlows();
        assertThat(lab.udp(IpAddress.of("203.0.113.7")).sourceIsPod()).isTrue();
        assertThat(lab.udp(IpAddress.of("10.1.1.1")).sourceIsNode()).isTrue();
        fresh.dataplane().remove(AgentRig.CHAIN, java.util.EnumSet.allOf(IpFamily.class));
        fresh.dataplane().removeElsewhere(AgentRig.CHAIN);
        assertThat(ours()).isEmpty();
    }
}
