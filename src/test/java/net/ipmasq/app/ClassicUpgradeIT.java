package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.PackagedAgent;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.lab.PacketStream;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** From a classic agent to the packaged one and back, new flows all the time: no packet has the wrong source. */
@NeedsKernel(tools = {"ip", "nft", "conntrack", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
@Timeout(180)
@PackagedAgent
class ClassicUpgradeIT {
    private static final Map<IpAddress, PacketStream.Source> EXPECTED = Map.of(
            IpAddress.of("10.10.10.10"), PacketStream.Source.POD,
            IpAddress.of("203.0.113.7"), PacketStream.Source.NODE,
            IpAddress.of("fd00::10"), PacketStream.Source.POD,
            IpAddress.of("2001:db8::7"), PacketStream.Source.NODE);
    private static final int ROUNDS_BESIDE = 30;

    @TempDir
    Path dir;

    private PacketLab lab;

    @BeforeEach
    void build() throws IOException {
        lab = PacketLab.create();
        Files.writeString(dir.resolve("config"), "nonMasqueradeCIDRs: [10.0.0.0/8, 'fc00::/7']\nresyncInterval: 1s\n");
    }

    @AfterEach
    void tearDown() {
        lab.close();
    }

    private String[] args(String... words) {
        String[] place = {
            "--config",
            dir.resolve("config").toString(),
            "--state-dir",
            dir.resolve("state").toString()
        };
        return Stream.concat(Stream.of(words), Stream.of(place)).toArray(String[]::new);
    }

    private AgentProcess.Result agent(String... words) {
        return AgentProcess.run(lab.node(), args(words));
    }

    private static void assertNoneWrong(PacketStream stream, String what) {
        stream.awaitFlows(100, Duration.ofSeconds(30));
        PacketStream.Report report = stream.stop();
        System.out.println(what + ": " + report.flows() + " flows, "
                + report.wrong().size() + " wrong, " + report.lost().size() + " lost");
        assertThat(report.wrong()).isEmpty();
        assertThat(report.lost()).isEmpty();
        assertThat(report.flows()).isGreaterThan(200);
    }

    static Stream<Arguments> classics() {
        return Stream.of(Variant.values())
                .flatMap(variant -> Stream.of(true, false).map(quotes -> Arguments.of(variant, quotes)));
    }

    /** The old DaemonSet's pod may go on for as long as it likes beside the new one. */
    @ParameterizedTest
    @MethodSource("classics")
    void adoptedWhileTheClassicAgentGoesOn(Variant variant, boolean quotes) {
        ClassicAgent classic = new ClassicAgent(lab.node(), variant, quotes);
        assertThat(classic.sync()).isTrue();
        try (PacketStream stream = PacketStream.start(lab, EXPECTED, 200)) {
            stream.awaitFlows(40, Duration.ofSeconds(30));
            try (AgentProcess agent = AgentProcess.start(lab.node(), Map.of(), args("run"))) {
                try (classic) {
                    classic.start();
                    agent.awaitLine("in place");
                    int before = classic.rounds();
                    Eventually.holds("both at work", () -> classic.rounds(), value -> value >= before + ROUNDS_BESIDE);
                }
                Eventually.holds("in sync once it is alone", () -> agent("plan").code(), value -> value == 0);
                assertThat(NodeKernel.in(lab.node(), variant).nat(IpFamily.IPV4))
                        .filteredOn(line -> line.endsWith("-j IP-MASQ-AGENT"))
                        .singleElement()
                        .satisfies(jump -> assertThat(jump).doesNotContain("\\\""));
            }
            assertNoneWrong(
                    stream,
                    variant + (quotes ? ", quotes" : "") + ", " + classic.rounds() + " classic rounds, "
                            + classic.jumpsMade() + " jumps made");
        }
    }

    /** What this version leaves is what the older one finds: its calls succeed, its chain decides; and forward again. */
    @ParameterizedTest
    @ValueSource(strings = {"nftables", "iptables-nft", "iptables-legacy"})
    void backToTheClassicAgentAndForwardAgain(String backend) {
        Variant variant = backend.equals("iptables-legacy") ? Variant.LEGACY : Variant.NFT;
        assertThat(agent("run", "--once", "--backend", backend).code()).isZero();
        try (PacketStream stream = PacketStream.start(lab, EXPECTED, 200)) {
            stream.awaitFlows(40, Duration.ofSeconds(30));
            // what the operator runs before going back: an older agent knows nothing but iptables
            AgentProcess.Result back = agent("run", "--once", "--backend", "iptables");
            assertThat(back.code()).as("%s", back).isZero();
            assertThat(lab.node().run("nft", "list", "tables")).doesNotContain("ip-masq-agent");
            ClassicAgent classic = new ClassicAgent(lab.node(), variant, false);
            for (int i = 0; i < 3; i++) {
                assertThat(classic.sync()).as("its calls succeed").isTrue();
            }
            assertThat(classic.jumpsMade()).as("it knows the jump").isZero();
            stream.awaitFlows(40, Duration.ofSeconds(30));
            AgentProcess.Result forward = agent("run", "--once", "--backend", backend);
            assertThat(forward.code()).as("%s", forward).isZero();
            assertThat(agent("plan", "--backend", backend).code()).isZero();
            assertNoneWrong(stream, "from " + backend + " to the classic agent and forward again");
        }
    }
}
