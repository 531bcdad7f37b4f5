package net.ipmasq.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.masquerade.SourceAddress;
import net.ipmasq.agent.masquerade.SourceAddressSelection;
import net.ipmasq.dataplane.SystemNodeFiles;
import net.ipmasq.lab.InNetNs;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Whose packets the answers are about. */
@NeedsKernel(tools = "ip")
class SourceFinderTest {
    private static final IpAddress FAR = IpAddress.of("203.0.113.7");

    private final NetNs ns = NetNs.create();

    @BeforeEach
    void twoWays() {
        ns.sh("""
                echo 1 > /proc/sys/net/ipv4/ip_forward
                for device in pods out0 out1; do ip link add $device type bridge; ip link set $device up; done
                ip addr add 198.19.1.1/24 dev pods; ip addr add 198.19.2.10/24 dev out0; ip addr add 198.18.5.10/24 dev out1
                ip route add default via 198.19.2.1; ip route add default via 198.18.5.1 table 100
                ip rule add from 198.19.1.0/24 lookup 100
                """);
    }

    @AfterEach
    void close() {
        ns.close();
    }

    private record Found(SourceAddress given, String lines, Optional<IpAddress> pod) {}

    private Found find(Optional<IpAddress> from, String... podCidrs) {
        return InNetNs.call(ns, () -> {
            List<Cidr> ranges = java.util.Arrays.stream(podCidrs).map(Cidr::of).toList();
            try (SourceFinder finder = new SourceFinder(from, ranges, new SystemNodeFiles())) {
                SourceAddress given = finder.given(FAR);
                return new Found(given, finder.lines(), finder.pod(IpFamily.IPV4));
            }
        });
    }

    @Test
    void aPodOfTheNodesRangesWhereTheyAreKnown() {
        Found found = find(Optional.empty(), "198.19.1.0/24", "fd00:9::/64");
        assertThat(found.given()).isEqualTo(new SourceAddress.Address(IpAddress.of("198.18.5.10"), "out1"));
        assertThat(found.pod()).contains(IpAddress.of("198.19.1.2"));
        assertThat(found.lines()).isEqualTo("IPv4 source: that of packets from 198.19.1.2 on pods\n");
    }

    @Test
    void theOneThatIsNamed() {
        Found found = find(Optional.of(IpAddress.of("198.19.1.77")), "10.9.0.0/16");
        assertThat(found.given()).isEqualTo(new SourceAddress.Address(IpAddress.of("198.18.5.10"), "out1"));
        assertThat(found.lines()).contains("198.19.1.77 on pods");
        Found own = find(Optional.of(IpAddress.of("198.19.2.10")));
        assertThat(own.given())
                .as("the node's own")
                .isEqualTo(new SourceAddress.Address(IpAddress.of("198.19.2.10"), "out0"));
        Found other = find(Optional.of(IpAddress.of("fd00::1")), "198.19.1.0/24");
        assertThat(other.pod()).as("of the other family").contains(IpAddress.of("198.19.1.2"));
    }

    /** Without a pod the answer can be wrong here, so it is not given without a word. */
    @Test
    void withoutOneItIsSaidWhereThatMatters() {
        Found found = find(Optional.empty());
        assertThat(found.given()).isEqualTo(new SourceAddress.Address(IpAddress.of("198.19.2.10"), "out0"));
        assertThat(found.lines()).contains("packets of the node itself", "--from");
        ns.sh(
                "ip rule del from 198.19.1.0/24 lookup 100; ip rule add fwmark 7 lookup 100; ip rule add iif lo lookup 100");
        assertThat(find(Optional.empty()).lines()).isEmpty();
        ns.sh("ip rule add iif pods lookup 100");
        assertThat(find(Optional.empty()).lines()).contains("--from");
    }

    @Test
    void withoutAWayToTheKernelItIsTheNodesAddressAndSaysWhy() {
        try (SourceFinder finder = new SourceFinder(Optional.empty(), List.of(Cidr.of("10.1.0.0/16")), () -> {
            throw new java.io.IOException("socket: not permitted");
        })) {
            assertThat(finder.given(FAR))
                    .isEqualTo(new SourceAddress.NotKnown(
                            "the kernel cannot be asked for the route (socket: not permitted)"));
            assertThat(finder.lines()).isEmpty();
            assertThat(finder.pod(IpFamily.IPV4)).isEmpty();
        }
        SourceAddress closed = InNetNs.call(ns, () -> {
            SourceAddressSelection masquerading = SourceAddressSelection.open(new SystemNodeFiles());
            masquerading.close();
            return masquerading.source(FAR, Optional.empty());
        });
        assertThat(closed).isInstanceOf(SourceAddress.NotKnown.class);
    }

    @Test
    void rangesThatARunningAgentTells() {
        assertThat(SourceFinder.podCidrs(new RunningAgent.Answer.Status(Map.of(
                        "node", Map.of("name", "n1", "podCIDRs", List.of("10.244.1.0/24", "fd00:1::/64", "odd"))))))
                .containsExactly(Cidr.of("10.244.1.0/24"), Cidr.of("fd00:1::/64"));
        assertThat(SourceFinder.podCidrs(new RunningAgent.Answer.Status(Map.of("node", Map.of("why", "x")))))
                .isEmpty();
        assertThat(SourceFinder.podCidrs(new RunningAgent.Answer.None("none"))).isEmpty();
    }
}
