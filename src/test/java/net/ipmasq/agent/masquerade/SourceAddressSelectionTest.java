package net.ipmasq.agent.masquerade;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import net.ipmasq.dataplane.SystemNodeFiles;
import net.ipmasq.lab.InNetNs;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.lab.Seen;
import net.ipmasq.lab.Shared;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is source of the source address is what the outside world sees, on nodes with more than one way to it. */
@NeedsKernel(tools = {"ip", "iptables", "ip6tables"})
class SourceAddressSelectionTest {
    private static final IpAddress FAR_V4 = IpAddress.of("203.0.113.7");
    private static final IpAddress FAR_V6 = IpAddress.of("2001:db8::7");

    @Shared
    private static PacketLab lab;

    @BeforeAll
    static void build() {
        // every address is one of the world's own, those of the node too
        lab.world().sh("echo 1 > /proc/sys/net/ipv4/conf/all/accept_local");
        lab.node().sh("iptables -t nat -A POSTROUTING -j MASQUERADE; ip6tables -t nat -A POSTROUTING -j MASQUERADE");
    }

    /** A second way to the world, without addresses of the node's; and the ways that there were, kept for later. */
    @BeforeEach
    void secondWay() {
        lab.node().sh("""
                ip link add out1 type veth peer name world1 netns %s
                ip link set out1 up
                """.formatted(lab.world().name()));
        lab.world()
                .sh(
                        "ip link set world1 up; ip addr add 198.18.5.1/24 dev world1; ip addr add 2001:2:0:5::1/64 dev world1");
    }

    @AfterEach
    void firstWayOnly() {
        lab.node().sh("""
                ip link del out1
                for family in -4 -6; do
                  ip $family rule flush
                  ip $family rule add pref 32766 lookup main
                  ip $family rule add pref 0 lookup local 2>/dev/null || true
                  ip $family route flush table 100 2>/dev/null || true
                done
                ip -4 rule add pref 32767 lookup default
                ip addr flush dev out0; ip route flush table main; ip -6 route flush table main
                ip addr flush dev lo scope global; ip addrlabel flush; ip addrlabel add prefix ::/0 label 1
                ip addrlabel add prefix fc00::/7 label 5
                ip addr add %1$s/24 dev in0 2>/dev/null || true
                ip addr flush dev in0
                ip addr add %1$s/24 dev in0; ip addr add %2$s/64 dev in0
                ip addr add %3$s/24 dev out0; ip addr add %4$s/64 dev out0
                ip link set in0 down; ip link set out0 down; ip link set in0 up; ip link set out0 up
                ip -6 addr replace %2$s/64 dev in0; ip -6 addr replace %4$s/64 dev out0
                ip route replace default via 198.19.2.1; ip -6 route replace default via 2001:2:0:2::1
                """.formatted(
                        lab.gatewayAddress(IpFamily.IPV4),
                        lab.gatewayAddress(IpFamily.IPV6),
                        lab.nodeAddress(IpFamily.IPV4),
                        lab.nodeAddress(IpFamily.IPV6)));
    }

    /** What the world would answer if it had all these addresses, which it takes packets for but does not claim. */
    private static void neighbours(String device, String peer, String... addresses) {
        String mac = lab.world().sh("cat /sys/class/net/" + peer + "/address").strip();
        for (String address : addresses) {
            lab.node().sh("ip neigh replace " + address + " lladdr " + mac + " dev " + device);
        }
    }

    private static SourceAddress source(IpAddress destination, Optional<IpAddress> pod) {
        return InNetNs.call(lab.node(), () -> {
            try (SourceAddressSelection masquerading = SourceAddressSelection.open(new SystemNodeFiles())) {
                return masquerading.source(destination, pod);
            }
        });
    }

    private static SourceAddress source(IpAddress destination) {
        return source(destination, Optional.of(lab.podAddress(destination.family())));
    }

    /** What is source is this, and so is what the world sees. */
    private static void gets(IpAddress destination, String source, String device) {
        Seen seen = lab.udp(destination);
        assertThat(seen.source()).as("seen: %s", seen).contains(IpAddress.of(source));
        assertThat(source(destination)).isEqualTo(new SourceAddress.Address(IpAddress.of(source), device));
    }

    @Test
    void onAPlainNodeItIsTheAddressOfTheOuterDevice() {
        gets(FAR_V4, "198.19.2.10", "out0");
        gets(FAR_V6, "2001:2:0:2::10", "out0");
    }

    @Test
    void thePreferredSourceOfARouteIsForLocalSocketsOnly() {
        lab.node().sh("""
                ip addr add 198.19.2.77/24 dev out0; ip route replace default via 198.19.2.1 src 198.19.2.77
                ip -6 addr add 2001:2:0:2:1::77/64 dev out0 preferred_lft 0
                ip -6 route replace default via 2001:2:0:2::1 src 2001:2:0:2:1::77
                """);
        gets(FAR_V4, "198.19.2.10", "out0");
        gets(FAR_V6, "2001:2:0:2::10", "out0");
    }

    @Test
    void ofSeveralSubnetsTheOneOfTheGatewayCounts() {
        lab.node().sh("""
                ip addr add 198.18.7.10/24 dev out0; ip addr add 198.18.7.11/24 dev out0
                ip route add 203.0.113.7/32 via 198.18.7.1
                ip route add 203.0.113.8/32 via 198.18.99.1 dev out0 onlink
                ip route add 203.0.113.9/32 via inet6 2001:2:0:2::1 dev out0
                """);
        neighbours("out0", "world0", "198.18.7.1", "198.18.99.1");
        gets(FAR_V4, "198.18.7.10", "out0");
        gets(IpAddress.of("203.0.113.8"), "198.19.2.10", "out0");
        gets(IpAddress.of("203.0.113.9"), "198.19.2.10", "out0");
    }

    @Test
    void aHostRouteOverAnotherDevice() {
        lab.node().sh("""
                ip addr add 198.18.5.10/24 dev out1; ip addr add 2001:2:0:5::10/64 dev out1
                ip route add 203.0.113.7/32 via 198.18.5.1; ip -6 route add 2001:db8::7/128 via 2001:2:0:5::1
                """);
        gets(FAR_V4, "198.18.5.10", "out1");
        gets(FAR_V6, "2001:2:0:5::10", "out1");
        gets(IpAddress.of("203.0.113.8"), "198.19.2.10", "out0");
    }

    @ParameterizedTest
    @CsvSource({"from 198.19.1.0/24,from 2001:2:0:1::/64", "iif in0,iif in0", "to 203.0.113.0/24,to 2001:db8::/64"})
    void rulesThatPodsPacketsMeet(String v4, String v6) {
        lab.node().sh("""
                ip addr add 198.18.5.10/24 dev out1; ip addr add 2001:2:0:5::10/64 dev out1
                ip route add default via 198.18.5.1 table 100; ip -6 route add default via 2001:2:0:5::1 table 100
                ip rule add %s lookup 100; ip -6 rule add %s lookup 100
                """.formatted(v4, v6));
        gets(FAR_V4, "198.18.5.10", "out1");
        gets(FAR_V6, "2001:2:0:5::10", "out1");
    }

    /** A mark is put on packets by rules of others, which nobody can foresee: the answer is that for packets without. */
    @Test
    void rulesForMarkedAndForOwnPacketsDoNotCount() {
        lab.node().sh("""
                ip addr add 198.18.5.10/24 dev out1; ip addr add 2001:2:0:5::10/64 dev out1
                ip route add default via 198.18.5.1 table 100; ip -6 route add default via 2001:2:0:5::1 table 100
                ip rule add fwmark 7 lookup 100; ip -6 rule add fwmark 7 lookup 100
                ip rule add iif lo lookup 100; ip -6 rule add iif lo lookup 100
                ip rule add from 198.19.9.0/24 lookup 100; ip -6 rule add from 2001:2:0:9::/64 lookup 100
                """);
        gets(FAR_V4, "198.19.2.10", "out0");
        gets(FAR_V6, "2001:2:0:2::10", "out0");
        assertThat(source(FAR_V4, Optional.empty()))
                .isEqualTo(new SourceAddress.Address(IpAddress.of("198.18.5.10"), "out1"));
        lab.node().sh("iptables -t mangle -A PREROUTING -d 203.0.113.7 -j MARK --set-mark 7");
        assertThat(lab.udp(FAR_V4).source()).contains(IpAddress.of("198.18.5.10"));
        lab.node().sh("iptables -t mangle -F");
    }

    @Test
    void aDeviceWithoutAnAddressTakesAnothers() {
        lab.node().sh("ip route add 203.0.113.7/32 dev out1; ip -6 route add 2001:db8::7/128 dev out1");
        neighbours("out1", "world1", "203.0.113.7", "2001:db8::7");
        gets(FAR_V4, "198.19.1.1", "out1");
        lab.node().sh("ip addr add 192.0.2.55/32 dev lo; ip addr add 2001:db8:55::1/128 dev lo");
        gets(FAR_V4, "192.0.2.55", "out1");
        gets(FAR_V6, "2001:db8:55::1", "out1");
        lab.node().sh("ip addr add 169.254.7.7/16 dev out1 scope link");
        gets(FAR_V4, "192.0.2.55", "out1");
        lab.node().sh("ip addr add 198.18.5.10 peer 198.18.5.1/32 dev out1");
        gets(FAR_V4, "198.18.5.10", "out1");
    }

    @Test
    void deprecatedAndUniqueLocalAddresses() {
        lab.node().sh("""
                ip -6 addr add 2001:2:0:2::20/64 dev out0; ip -6 addr change 2001:2:0:2::10/64 dev out0 preferred_lft 0
                ip -6 addr add fd00:5::10/64 dev out0
                """);
        gets(FAR_V6, "2001:2:0:2::20", "out0");
        gets(IpAddress.of("fd00:9::1"), "fd00:5::10", "out0");
        lab.node().sh("ip -6 addr change 2001:2:0:2::20/64 dev out0 preferred_lft 0");
        gets(FAR_V6, "fd00:5::10", "out0");
        lab.node().sh("ip -6 addr del fd00:5::10/64 dev out0");
        gets(FAR_V6, "2001:2:0:1::1", "out0");
        lab.node().sh("ip -6 addr change 2001:2:0:1::1/64 dev in0 preferred_lft 0");
        Seen seen = lab.udp(FAR_V6);
        assertThat(source(FAR_V6))
                .isEqualTo(new SourceAddress.Address(seen.source().orElseThrow(), "out0"));
    }

    @Test
    void thePrefixNearestToTheDestinationAndTheLabelsOfTheNode() {
        lab.node().sh("ip -6 addr add 2001:db8:1::10/64 dev out0; ip -6 addr add 2001:db8:ff00::10/64 dev out0");
        neighbours("out0", "world0", "2001:db8:1::99");
        gets(IpAddress.of("2001:db8:2::1"), "2001:db8:1::10", "out0");
        gets(IpAddress.of("2001:db8:ff80::1"), "2001:db8:ff00::10", "out0");
        gets(IpAddress.of("2001:db8:1::99"), "2001:db8:1::10", "out0");
        lab.node().sh("""
                ip addrlabel add prefix 2001:db8:2::/64 label 99
                ip addrlabel add prefix 2001:db8:ff00::/64 label 99 dev out0
                """);
        gets(IpAddress.of("2001:db8:2::1"), "2001:db8:ff00::10", "out0");
    }

    @Test
    void severalWaysAreNamedUnlessTheyGiveTheSame() {
        lab.node().sh("""
                ip addr add 198.18.5.10/24 dev out1; ip addr add 2001:2:0:5::10/64 dev out1
                ip route add 203.0.113.7/32 nexthop via 198.19.2.1 nexthop via 198.18.5.1
                ip route add 203.0.113.8/32 nexthop via 198.19.2.1 nexthop via 198.19.2.2
                ip -6 route add 2001:db8::7/128 nexthop via 2001:2:0:2::1 nexthop via 2001:2:0:5::1
                """);
        neighbours("out0", "world0", "198.19.2.2");
        assertThat(source(FAR_V4)).isInstanceOfSatisfying(SourceAddress.OfDevice.class, given -> {
            assertThat(given.device()).isEqualTo("out0 or out1");
            assertThat(given.why()).contains("198.19.2.10 or 198.18.5.10");
        });
        assertThat(lab.udp(FAR_V4).source().orElseThrow().toString()).isIn("198.19.2.10", "198.18.5.10");
        gets(IpAddress.of("203.0.113.8"), "198.19.2.10", "out0");
        assertThat(source(FAR_V6))
                .isInstanceOfSatisfying(
                        SourceAddress.OfDevice.class,
                        given -> assertThat(given.why()).contains("2001:2:0:2::10 or 2001:2:0:5::10"));
    }

    @Test
    void whyThereIsNoWay() {
        lab.node().sh("""
                ip route add unreachable 203.0.113.7/32; ip route add prohibit 203.0.113.8/32
                ip route add blackhole 203.0.113.9/32; ip -6 route add unreachable 2001:db8::7/128
                ip route add local 203.0.113.10/32 dev lo
                """);
        assertThat(why("203.0.113.7")).contains("from 198.19.1.2 on in0 to 203.0.113.7: an unreachable route");
        assertThat(why("203.0.113.8")).contains("a prohibit route");
        assertThat(why("203.0.113.9")).contains("a blackhole route");
        assertThat(why("203.0.113.10")).contains("delivers it on this node");
        assertThat(why("2001:db8::7")).contains("an unreachable route");
        assertThat(source(IpAddress.of("203.0.113.77"), Optional.of(IpAddress.of("203.0.113.8"))))
                .isEqualTo(new SourceAddress.NotKnown(
                        "the kernel has no route to 203.0.113.8, so the device that its packets come in"
                                + " through is not known"));
        lab.node().sh("ip route del default");
        assertThat(why("203.0.113.77")).contains("no route");
        lab.node().sh("echo 0 > /proc/sys/net/ipv4/conf/in0/forwarding; ip route add default via 198.19.2.1");
        assertThat(source(IpAddress.of("203.0.113.77"))).isInstanceOf(SourceAddress.NotKnown.class);
        lab.node().sh("echo 1 > /proc/sys/net/ipv4/conf/in0/forwarding");
    }

    private static String why(String destination) {
        return source(IpAddress.of(destination)) instanceof SourceAddress.NotKnown(String why) ? why : "known";
    }

    /** The pod that the question is about where nobody names one. */
    @Test
    void anAddressOfAPodComesFromARouteInsideThePodRanges() {
        assertThat(pod("198.19.1.0/24")).contains(IpAddress.of("198.19.1.2"));
        assertThat(pod("198.19.0.0/16"))
                .as("the node's own subnet is as narrow")
                .isPresent();
        assertThat(pod("2001:2:0:1::/64")).contains(IpAddress.of("2001:2:0:1::2"));
        assertThat(pod("10.99.0.0/16")).isEmpty();
        lab.node().sh("""
                ip route add blackhole 10.99.0.0/26; ip route add 10.99.1.0/24 via 198.19.2.1
                ip route add 10.99.0.9/32 dev in0
                """);
        assertThat(pod("10.99.0.0/16")).contains(IpAddress.of("10.99.0.9"));
    }

    private static Optional<IpAddress> pod(String range) {
        Cidr cidr = Cidr.of(range);
        return InNetNs.call(lab.node(), () -> {
            try (SourceAddressSelection masquerading = SourceAddressSelection.open(new SystemNodeFiles())) {
                Optional<IpAddress> pod = masquerading.podAddress(List.of(cidr), cidr.family());
                pod.ifPresent(
                        address -> assertThat(masquerading.deviceOf(address)).isPresent());
                return pod;
            }
        });
    }
}
