package net.ipmasq.netlink;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.util.List;
import net.ipmasq.lab.InNetNs;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a real kernel says of devices, addresses and routes in a namespace of its own. */
@NeedsKernel(tools = "ip")
class RouteSocketTest {
    private final NetNs ns = NetNs.create();
    private final RouteSocket socket = InNetNs.call(ns, RouteSocket::open);

    @AfterEach
    void close() {
        socket.close();
        ns.close();
    }

    private static InetAddress inet(String text) throws IOException {
        return InetAddress.getByName(text);
    }

    /** The numbers of devices say when they were made, if nobody chooses them and none comes from elsewhere. */
    @Test
    void theOrderOfDevicesIsThatInWhichTheyCame() throws IOException {
        NetNs other = NetNs.create();
        other.sh("ip link add third index 3000 type veth peer name end");
        ns.sh("""
                ip link add first index 5000 type bridge; ip link add second index 4000 type bridge
                ip link set first up; ip link set second up
                """);
        other.sh("ip link set third netns " + ns.name());
        ns.sh("""
                ip link set third up
                ip addr add 198.19.3.1/24 dev third; ip addr add 198.19.4.1/24 dev second; ip addr add 198.19.5.1/24 dev first
                ip addr add 198.19.5.2/24 dev first label first:x
                """);
        assertThat(InNetNs.call(ns, DeviceOrder::v4))
                .extracting(DeviceOrder.Labelled::label)
                .containsExactly("lo", "first", "first:x", "second", "third");
        assertThat(InNetNs.call(ns, DeviceOrder::v6)).containsExactly(1, 5000, 4000, 3000);
        assertThat(socket.addresses(inet("0.0.0.0")))
                .filteredOn(one -> one.device() != 1)
                .extracting(one -> one.own().getHostAddress() + " " + one.label() + " " + one.isSecondary())
                .containsExactlyInAnyOrder(
                        "198.19.5.1 first false",
                        "198.19.5.2 first:x true",
                        "198.19.4.1 second false",
                        "198.19.3.1 third false");
        other.close();
    }

    @Test
    void fiveHundredDevicesAreListedWhole() throws IOException {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 500; i++) {
            lines.append("link add d")
                    .append(i)
                    .append(" type bridge\naddr add 10.9.")
                    .append(i / 250)
                    .append('.')
                    .append(i % 250)
                    .append("/32 dev d")
                    .append(i)
                    .append('\n');
        }
        ns.runWith(lines.toString(), "ip", "-batch", "-");
        assertThat(socket.links()).hasSize(501).extracting(Link::name).contains("lo", "d0", "d499");
        assertThat(socket.addresses(inet("0.0.0.0"))).hasSize(501);
        assertThat(InNetNs.call(ns, DeviceOrder::v4)).hasSize(501);
    }

    @Test
    void routesAndWhyThereIsNone() throws IOException {
        Route.Packet packet = new Route.Own(inet("203.0.113.1"));
        assertThat(socket.route(packet)).isEqualTo(new Route.Refused(101));
        ns.sh("""
                ip link add d0 index 77 type bridge; ip link set d0 up; ip addr add 198.19.2.10/24 dev d0
                ip route add default via 198.19.2.1
                ip route add 10.9.0.0/16 nexthop via 198.19.2.2 nexthop via 198.19.2.3
                """);
        Route.Hop first = new Route.Hop(77, java.util.Optional.of(inet("198.19.2.1")));
        assertThat(socket.route(packet)).isEqualTo(new Route.Found(new Route(1, List.of(first))));
        assertThat(socket.ways(packet)).isEqualTo(new Route.Found(new Route(1, List.of(first))));
        assertThat(socket.ways(new Route.Own(inet("10.9.1.1"))))
                .isInstanceOfSatisfying(
                        Route.Found.class,
                        found -> assertThat(found.route().hops())
                                .extracting(hop -> hop.gateway().orElseThrow().getHostAddress())
                                .containsExactly("198.19.2.2", "198.19.2.3"));
        assertThat(socket.route(new Route.Own(inet("198.19.2.10"))))
                .isInstanceOfSatisfying(
                        Route.Found.class,
                        found -> assertThat(found.route().isLocal()).isTrue());
        assertThat(socket.route(new Route.From(inet("10.1.1.1"), inet("203.0.113.1"))))
                .isInstanceOf(Route.Refused.class);
        assertThat(socket.route(new Route.Forwarded(inet("10.1.1.1"), 999, inet("203.0.113.1"))))
                .isEqualTo(new Route.Refused(19));
    }

    @Test
    void aClosedOneSaysSo() {
        socket.close();
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> socket.links()).isInstanceOf(IOException.class);
    }
}
