package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.lab.Seen;
import net.ipmasq.lab.Shared;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The guides' scenarios as packets: into and out of each kind of range, to the node itself, and the way back. */
@NeedsKernel(tools = {"ip", "nft", "conntrack", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
class GuideTrafficTest {
    @Shared
    private static PacketLab lab;

    @TempDir
    private Path state;

    private AgentRig agent;

    @AfterEach
    void noRules() {
        agent.dataplane().remove(AgentRig.CHAIN, EnumSet.allOf(IpFamily.class));
        lab.forgetFlows();
    }

    private void run(TestBackend backend, String config) {
        agent = new AgentRig(backend.in(lab.node()), state).config(config);
        assertThat(agent.pass().inSync()).isTrue();
        lab.forgetFlows();
    }

    private static List<IpAddress> all(String... addresses) {
        return List.of(addresses).stream().map(IpAddress::of).toList();
    }

    private static void keep(String... addresses) {
        assertThat(lab.udp(all(addresses))).allMatch(Seen::sourceIsPod);
        assertThat(lab.tcp(all(addresses))).allMatch(Seen::sourceIsPod).allMatch(Seen::replied);
        assertThat(lab.udpEcho(IpAddress.of(addresses[0])))
                .matches(Seen::sourceIsPod)
                .matches(Seen::replied);
    }

    private static void masquerade(String... addresses) {
        assertThat(lab.udp(all(addresses))).allMatch(Seen::sourceIsNode);
        assertThat(lab.tcp(all(addresses))).allMatch(Seen::sourceIsNode).allMatch(Seen::replied);
        assertThat(lab.udpEcho(IpAddress.of(addresses[0])))
                .matches(Seen::sourceIsNode)
                .matches(Seen::replied);
    }

    /** The node's own addresses see the pod, and the node's own packets to itself are left alone. */
    private static void nodeLocal() {
        for (IpFamily family : IpFamily.values()) {
            for (IpAddress own : List.of(lab.nodeAddress(family), lab.gatewayAddress(family))) {
                assertThat(lab.udp(own)).matches(Seen::sourceIsPod);
                assertThat(lab.tcp(own)).matches(Seen::sourceIsPod).matches(Seen::replied);
            }
            assertThat(lab.tcpFromNode(lab.gatewayAddress(family)))
                    .matches(Seen::sourceIsNode)
                    .matches(Seen::replied);
        }
    }

    @ParameterizedTest
    @EnumSource
    void podIdentity(TestBackend backend) {
        run(backend, "masqOutBound: false\nmasqOutBoundIPv6: false\n");
        keep("10.0.0.0", "10.255.255.255", "100.64.230.9", "8.8.8.8", "169.254.169.254");
        keep("fd00::9", "2001:db8::9");
        nodeLocal();
    }

    @ParameterizedTest
    @EnumSource
    void nodeIdentity(TestBackend backend) {
        run(backend, "nonMasqueradeCIDRs: []\n");
        masquerade("10.1.2.3", "8.8.8.8", "172.16.0.1");
        masquerade("fd00::9", "2001:db8::9");
        keep("169.254.169.254");
        nodeLocal();
    }

    @ParameterizedTest
    @EnumSource
    void specificAddressesAndLinkLocal(TestBackend backend) {
        run(backend, """
                masqueradeCIDRs: [10.10.10.10/32, 169.254.7.0/24, "fd00:10::/64"]
                nonMasqueradeCIDRs: [10.0.0.0/8, "fc00::/7"]
                masqOutBoundIPv6: false
                masqLinkLocal: false
                """);
        masquerade("10.10.10.10", "169.254.7.7", "169.254.7.255", "9.255.255.255", "11.0.0.0");
        keep("10.10.10.9", "10.10.10.11", "169.254.6.255", "169.254.8.0");
        masquerade("fd00:10::1", "fd00:10::ffff:ffff:ffff:ffff");
        keep("fd00:10:0:1::1", "fd00:f::1", "2001:db8::9");
        nodeLocal();
    }

    @ParameterizedTest
    @EnumSource
    void linkLocalMasqueraded(TestBackend backend) {
        run(backend, "masqLinkLocal: true\n");
        masquerade("169.254.169.254", "8.8.8.8");
        keep("10.1.2.3");
        masquerade("2001:db8::9");
    }
}
