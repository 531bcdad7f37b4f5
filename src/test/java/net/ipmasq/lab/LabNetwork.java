package net.ipmasq.lab;

import java.util.List;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;

/**
 * Pod, node and world as namespaces: {@code pod0 -- node:in0 / node:out0 -- world0}, both families. The world takes
 * packets for every address (AnyIP) and sends answers to the pod by way of the node, so that packets that keep the
 * pod's address get answers too.
 */
final class LabNetwork implements AutoCloseable {
    // benchmarking ranges (RFC 2544, RFC 5180), which hardly any policy names
    private static final String POD_V4 = "198.19.1.2";
    private static final String GATEWAY_V4 = "198.19.1.1";
    private static final String NODE_V4 = "198.19.2.10";
    private static final String WORLD_V4 = "198.19.2.1";
    private static final String POD_V6 = "2001:2:0:1::2";
    private static final String GATEWAY_V6 = "2001:2:0:1::1";
    private static final String NODE_V6 = "2001:2:0:2::10";
    private static final String WORLD_V6 = "2001:2:0:2::1";

    private static final List<Cidr> OWN = cidrs("198.19.1.0/24", "198.19.2.0/24", "2001:2:0:1::/64", "2001:2:0:2::/64");

    /** Destinations that no router passes on: this-host, loopback, multicast, broadcast, IPv6 link-local, mapped. */
    private static final List<Cidr> NOT_ROUTED =
            cidrs("0.0.0.0/8", "127.0.0.0/8", "224.0.0.0/4", "255.255.255.255/32", "::/127", "fe80::/10", "ff00::/8");

    private static final Cidr MAPPED = new Cidr(new IpAddress(IpFamily.IPV6, 0, 0x0000_ffff_0000_0000L), 96);

    /** Before any link exists, since new interfaces copy "default"; no DAD, or addresses are unusable for a second. */
    private static final String SYSCTLS = """
            for scope in all default; do
              echo 0 > /proc/sys/net/ipv4/conf/$scope/rp_filter
              echo 0 > /proc/sys/net/ipv4/conf/$scope/send_redirects
              echo 0 > /proc/sys/net/ipv6/conf/$scope/accept_dad
              echo 0 > /proc/sys/net/ipv6/conf/$scope/accept_ra
            done
            """;

    final NetNs pod;
    final NetNs node;
    final NetNs world;

    private LabNetwork(NetNs pod, NetNs node, NetNs world) {
        this.pod = pod;
        this.node = node;
        this.world = world;
    }

    static LabNetwork create() {
        LabNetwork network = new LabNetwork(NetNs.create(), NetNs.create(), NetNs.create());
        try {
            network.node.sh(SYSCTLS + """
                    echo 1 > /proc/sys/net/ipv4/ip_forward
                    echo 1 > /proc/sys/net/ipv6/conf/all/forwarding
                    """);
            network.pod.sh(SYSCTLS);
            network.world.sh(SYSCTLS);
            network.links();
            network.world();
            return network;
        } catch (RuntimeException e) {
            network.close();
            throw e;
        }
    }

    /** The inner link first: masquerading on loopback takes the first interface's address, which then is not node(). */
    private void links() {
        node.sh("""
                ip link add in0 type veth peer name pod0 netns %s
                ip link add out0 type veth peer name world0 netns %s
                ip addr add %s/24 dev in0; ip -6 addr add %s/64 dev in0; ip link set in0 up
                ip addr add %s/24 dev out0; ip -6 addr add %s/64 dev out0; ip link set out0 up
                """.formatted(pod.name(), world.name(), GATEWAY_V4, GATEWAY_V6, NODE_V4, NODE_V6));
        pod.sh("""
                ip addr add %s/24 dev pod0; ip -6 addr add %s/64 dev pod0; ip link set pod0 up
                ip route add default via %s; ip -6 route add default via %s
                """.formatted(POD_V4, POD_V6, GATEWAY_V4, GATEWAY_V6));
        world.sh("""
                ip addr add %s/24 dev world0; ip -6 addr add %s/64 dev world0; ip link set world0 up
                """.formatted(WORLD_V4, WORLD_V6));
        // packets to everywhere go to the world
        node.sh("ip route add default via %s; ip -6 route add default via %s".formatted(WORLD_V4, WORLD_V6));
    }

    /**
     * All routes of the world are in table local: the kernel asks it first, so the ways back must be there too, and a
     * socket may only have a local address that this very table calls local. IPv6 asks the interfaces instead, hence
     * the non-local bind.
     */
    private void world() {
        world.sh("""
                ip route add local 0.0.0.0/0 dev lo table local
                ip route add 198.19.2.0/24 dev world0 src %1$s table local
                ip route add 198.19.1.0/24 via %2$s table local
                ip -6 route add local ::/0 dev lo table local
                ip -6 route add 2001:2:0:2::/64 dev world0 table local
                ip -6 route add 2001:2:0:1::/64 via %3$s table local
                echo 1 > /proc/sys/net/ipv6/ip_nonlocal_bind
                """.formatted(WORLD_V4, NODE_V4, NODE_V6));
    }

    static IpAddress pod(IpFamily family) {
        return IpAddress.of(family == IpFamily.IPV4 ? POD_V4 : POD_V6);
    }

    static IpAddress node(IpFamily family) {
        return IpAddress.of(family == IpFamily.IPV4 ? NODE_V4 : NODE_V6);
    }

    static IpAddress gateway(IpFamily family) {
        return IpAddress.of(family == IpFamily.IPV4 ? GATEWAY_V4 : GATEWAY_V6);
    }

    /** Whether a packet to this address can cross the node to the world. */
    static boolean reaches(IpAddress address) {
        return !MAPPED.contains(address)
                && OWN.stream().noneMatch(cidr -> cidr.contains(address))
                && NOT_ROUTED.stream().noneMatch(cidr -> cidr.contains(address));
    }

    private static List<Cidr> cidrs(String... texts) {
        return List.of(texts).stream().map(Cidr::of).toList();
    }

    @Override
    public void close() {
        List.of(pod, node, world).forEach(NetNs::close);
    }
}
