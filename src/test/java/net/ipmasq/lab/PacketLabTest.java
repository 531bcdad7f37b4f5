package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The lab sees what rules written with the plain tools do, and sees when they do wrong. */
@NeedsKernel(tools = {"ip", "iptables", "ip6tables", "conntrack"})
class PacketLabTest {
    @Shared
    private static PacketLab lab;

    @BeforeEach
    void noRules() {
        lab.node().sh("iptables -t nat -F; ip6tables -t nat -F; iptables -t nat -X; ip6tables -t nat -X");
    }

    private static String tool(IpFamily family) {
        return family == IpFamily.IPV4 ? "iptables" : "ip6tables";
    }

    private static IpAddress inside(IpFamily family) {
        return IpAddress.of(family == IpFamily.IPV4 ? "10.10.10.10" : "fd00::10");
    }

    private static IpAddress outside(IpFamily family) {
        return IpAddress.of(family == IpFamily.IPV4 ? "203.0.113.7" : "2001:db8::7");
    }

    /** What the agent would write, in short: a range that keeps its source, the rest masqueraded. */
    private static void rules(IpFamily family) {
        lab.node().sh("""
                %1$s -t nat -N OURS
                %1$s -t nat -A OURS -d %2$s -j RETURN
                %1$s -t nat -A OURS -j MASQUERADE
                %1$s -t nat -A POSTROUTING -m addrtype ! --dst-type LOCAL -j OURS
                """.formatted(tool(family), family == IpFamily.IPV4 ? "10.0.0.0/8" : "fc00::/7"));
    }

    @ParameterizedTest
    @EnumSource
    void withoutRulesTheSourceIsThePod(IpFamily family) {
        for (IpAddress to : List.of(inside(family), outside(family))) {
            assertThat(lab.udp(to)).matches(Seen::sourceIsPod).matches(seen -> !seen.sourceIsNode());
            assertThat(lab.tcp(to)).matches(Seen::sourceIsPod).matches(Seen::replied);
            assertThat(lab.udpEcho(to)).matches(Seen::sourceIsPod).matches(Seen::replied);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withRulesTheDestinationDecides(IpFamily family) {
        rules(family);
        assertThat(lab.udp(inside(family))).matches(Seen::sourceIsPod);
        assertThat(lab.tcp(inside(family))).matches(Seen::sourceIsPod).matches(Seen::replied);
        assertThat(lab.udp(outside(family))).matches(Seen::sourceIsNode).matches(seen -> !seen.sourceIsPod());
        assertThat(lab.tcp(outside(family))).matches(Seen::sourceIsNode).matches(Seen::replied);
        assertThat(lab.udpEcho(outside(family))).matches(Seen::sourceIsNode).matches(Seen::replied);
    }

    @ParameterizedTest
    @EnumSource
    void theNodesOwnAddressesSeeThePod(IpFamily family) {
        rules(family);
        for (IpAddress own : List.of(lab.nodeAddress(family), lab.gatewayAddress(family))) {
            assertThat(lab.udp(own)).matches(Seen::sourceIsPod);
            assertThat(lab.tcp(own)).matches(Seen::sourceIsPod).matches(Seen::replied);
        }
    }

    /** Traffic of the node to itself passes POSTROUTING: without the jump's addrtype it would be masqueraded. */
    @ParameterizedTest
    @EnumSource
    void aJumpWithoutAddrtypeShows(IpFamily family) {
        rules(family);
        IpAddress gateway = lab.gatewayAddress(family);
        assertThat(lab.tcpFromNode(gateway)).matches(Seen::sourceIsNode).matches(Seen::replied);

        lab.node().sh("%1$s -t nat -F POSTROUTING; %1$s -t nat -A POSTROUTING -j OURS".formatted(tool(family)));
        assertThat(lab.tcpFromNode(gateway)).matches(Seen::arrived).matches(seen -> !seen.sourceIsNode());
    }

    @Test
    void aDroppedPacketIsNobody() {
        lab.node().sh("iptables -I FORWARD -d 203.0.113.99 -j REJECT");
        Seen seen = lab.tcp(IpAddress.of("203.0.113.99"));
        lab.node().sh("iptables -F FORWARD");
        assertThat(seen).matches(s -> !s.arrived() && !s.sourceIsPod() && !s.sourceIsNode());
        assertThat(seen.note()).contains("refused");
    }

    @Test
    void everyKindOfAddressCrosses() {
        List<IpAddress> odd = new ArrayList<>();
        for (String text : List.of(
                "1.0.0.0",
                "8.8.8.255",
                "10.0.0.0",
                "10.255.255.255",
                "169.254.169.254",
                "172.16.0.0",
                "239.0.0.1",
                "240.0.0.1",
                "255.255.255.254",
                "100.64.0.0",
                "::2",
                "64:ff9b::a00:1",
                "2002:a00:1::",
                "fc00::",
                "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                "fec0::1",
                "4000::",
                "2001:db8::")) {
            odd.add(IpAddress.of(text));
        }
        odd.removeIf(address -> !lab.reaches(address));
        assertThat(odd).hasSize(17);
        assertThat(lab.udp(odd)).allMatch(Seen::sourceIsPod);
        assertThat(lab.tcp(odd)).allMatch(Seen::sourceIsPod).allMatch(Seen::replied);
    }

    @Test
    void eachOfThousandsOfPacketsIsSeenAsWhatItIs() {
        rules(IpFamily.IPV4);
        List<IpAddress> many = new ArrayList<>();
        for (int i = 0; i < 4000; i++) {
            many.add(IpAddress.of((i % 2 == 0 ? "10.9." : "203.0.") + i / 250 + "." + i % 250));
        }
        long start = System.nanoTime();
        List<Seen> udp = lab.udp(many);
        long between = System.nanoTime();
        List<Seen> tcp = lab.tcp(many);
        long end = System.nanoTime();
        System.out.printf(
                "packet lab: %,d UDP flows/s, %,d TCP connections/s%n",
                4000_000_000_000L / (between - start), 4000_000_000_000L / (end - between));
        for (int i = 0; i < many.size(); i++) {
            assertThat(udp.get(i)).matches(i % 2 == 0 ? Seen::sourceIsPod : Seen::sourceIsNode);
            assertThat(tcp.get(i)).matches(i % 2 == 0 ? Seen::sourceIsPod : Seen::sourceIsNode);
        }
    }

    @Test
    void aStreamIsQuietWhileRulesHold() {
        rules(IpFamily.IPV4);
        rules(IpFamily.IPV6);
        try (PacketStream stream = PacketStream.start(lab, expected(), 500)) {
            stream.awaitFlows(200, Duration.ofSeconds(20));
            PacketStream.Report report = stream.stop();
            assertThat(report.flows()).isGreaterThanOrEqualTo(200);
            assertThat(report.wrong()).isEmpty();
            assertThat(report.lost()).isEmpty();
        }
    }

    @Test
    void aStreamCatchesAMomentWithoutRules() {
        rules(IpFamily.IPV4);
        rules(IpFamily.IPV6);
        try (PacketStream stream = PacketStream.start(lab, expected(), 500)) {
            stream.awaitFlows(50, Duration.ofSeconds(20));
            lab.node().sh("iptables -t nat -F OURS");
            stream.awaitFlows(50, Duration.ofSeconds(20));
            lab.node().sh("iptables -t nat -A OURS -d 10.0.0.0/8 -j RETURN; iptables -t nat -A OURS -j MASQUERADE");
            PacketStream.Report report = stream.stop();
            assertThat(report.wrong())
                    .isNotEmpty()
                    .allMatch(Seen::sourceIsPod)
                    .allMatch(seen -> seen.destination().equals(outside(IpFamily.IPV4)))
                    .anyMatch(seen -> seen.protocol() == Protocol.TCP)
                    .anyMatch(seen -> seen.protocol() == Protocol.UDP);
            assertThat(report.lost()).isEmpty();
        }
    }

    private static Map<IpAddress, PacketStream.Source> expected() {
        return Map.of(
                inside(IpFamily.IPV4), PacketStream.Source.POD,
                outside(IpFamily.IPV4), PacketStream.Source.NODE,
                inside(IpFamily.IPV6), PacketStream.Source.POD,
                outside(IpFamily.IPV6), PacketStream.Source.NODE);
    }
}
