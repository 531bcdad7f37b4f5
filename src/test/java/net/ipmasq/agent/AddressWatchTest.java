package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.NodeLimits;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.InNetNs;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.netlink.AddressEvents;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** IPv6 that comes up or goes between two passes. */
@NeedsKernel
class AddressWatchTest {
    private static final String OFF = "echo 1 > /proc/sys/net/ipv6/conf/%s/disable_ipv6";
    private static final String ON = "echo 0 > /proc/sys/net/ipv6/conf/%s/disable_ipv6";

    @TempDir
    private Path state;

    private static AgentStatus status(AgentRig agent) {
        return agent.loop().status().orElseThrow();
    }

    /** No schedule: whatever is noticed, is noticed by event. Legacy tables too, which tell nothing of themselves. */
    @ParameterizedTest
    @EnumSource
    void aPassRunsWhenADeviceGetsIpv6AndWhenTheLastLosesIt(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            node.ns().sh("ip link add d0 type bridge; ip link set d0 up; " + OFF.formatted("all"));
            AgentRig agent = new AgentRig(node.dataplane(), state);
            NodeLimits limits = new NodeLimits(node.files());
            List<String> lines = new CopyOnWriteArrayList<>();
            try (AddressWatch watch = new AddressWatch(
                    agent.loop(),
                    () -> InNetNs.call(node.ns(), AddressEvents::open),
                    () -> limits.ipv6Off().isEmpty(),
                    Clock.systemUTC(),
                    lines::add)) {
                assertThat(agent.pass().managed()).containsExactly(IPV4);
                watch.start();
                node.ns().sh(ON.formatted("d0"));
                Eventually.holds("managed", () -> status(agent).managed(), value -> value.contains(IPV6));
                assertThat(status(agent).inSync()).isTrue();
                assertThat(status(agent).passes().byTrigger()).containsEntry(Cause.Trigger.EVENT, 1L);
                node.ns().sh(OFF.formatted("d0"));
                Eventually.holds("not managed", () -> status(agent).managed(), value -> !value.contains(IPV6));
                assertThat(status(agent).passes().byTrigger()).containsEntry(Cause.Trigger.EVENT, 2L);
            }
            assertThat(lines).isEmpty();
        }
    }

    @Test
    void addressesOfPodsAreToldOfAndLost() throws IOException {
        try (NetNs ns = NetNs.create();
                AddressEvents events = InNetNs.call(ns, AddressEvents::open)) {
            assertThat(events.next(Duration.ZERO)).isFalse();
            ns.sh("ip link add d0 type bridge; ip link set d0 up; ip addr add fd00::1/64 dev d0");
            assertThat(events.next(Duration.ofSeconds(10))).isTrue();
            while (events.next(Duration.ZERO)) {
                // the rest of them
            }
            ns.sh("ip addr add 198.19.7.7/24 dev d0");
            assertThat(events.next(Duration.ZERO)).as("IPv4").isFalse();
            StringBuilder many = new StringBuilder();
            for (int i = 2; i < 1500; i++) {
                many.append("addr add fd00::").append(Integer.toHexString(i)).append("/64 dev d0 nodad\n");
            }
            ns.runWith(many.toString(), "ip", "-batch", "-");
            assertThat(events.next(Duration.ZERO))
                    .as("more than the socket holds")
                    .isTrue();
        }
    }

    /** A node that starts a hundred pods a second for a minute, and then one that cannot decide. */
    @Test
    void aStormOfAddressesLeadsToNoPassAndFewQuestions() {
        SteppingClock clock = new SteppingClock();
        AtomicInteger asked = new AtomicInteger();
        AtomicInteger answer = new AtomicInteger(1);
        AgentRig agent = new AgentRig(new InMemoryDataplane(Backend.IPTABLES_NFT), state, clock);
        Ipv6Trigger passes = new Ipv6Trigger(
                agent.loop(),
                () -> {
                    asked.incrementAndGet();
                    return answer.get() > 0;
                },
                clock);
        agent.pass();
        passes.begin();
        for (int i = 0; i < 6000; i++) {
            passes.heard();
            passes.passIfDue();
            clock.advance(Duration.ofMillis(10));
        }
        assertThat(status(agent).passes().count()).isEqualTo(1);
        assertThat(asked.get()).isBetween(60, 70);
        for (int i = 0; i < 6000; i++) {
            answer.set(i % 2);
            passes.heard();
            passes.passIfDue();
            clock.advance(Duration.ofMillis(10));
        }
        assertThat(status(agent).passes().count()).isLessThanOrEqualTo(62);
        clock.advance(Debounce.QUIET);
        passes.passIfDue();
        assertThat(passes.due()).isEmpty();
    }

    /** Between the first pass and the moment at which listening begins. */
    @Test
    void whatCameBeforeListeningIsSeenWhenItBegins() {
        AtomicInteger answer = new AtomicInteger();
        SteppingClock clock = new SteppingClock();
        AgentRig agent = new AgentRig(new InMemoryDataplane(Backend.IPTABLES_NFT), state, clock);
        Ipv6Trigger passes = new Ipv6Trigger(agent.loop(), () -> answer.get() > 0, clock);
        agent.pass();
        passes.begin();
        passes.passIfDue();
        assertThat(status(agent).passes().count()).isEqualTo(1);
        answer.set(1);
        clock.advance(Debounce.QUIET);
        passes.begin();
        passes.passIfDue();
        assertThat(status(agent).passes().count()).isEqualTo(2);
    }

    @Test
    void whereItCannotBeListenedToThatIsSaidOnce() {
        AgentRig agent = new AgentRig(new InMemoryDataplane(Backend.IPTABLES_NFT), state);
        agent.pass();
        List<String> lines = new CopyOnWriteArrayList<>();
        KernelWatch.Opener<AddressEvents> none = () -> {
            throw new IOException("socket: not permitted");
        };
        try (AddressWatch watch = new AddressWatch(agent.loop(), none, () -> true, Clock.systemUTC(), lines::add)) {
            watch.start();
            Eventually.holds("said", () -> lines, value -> !value.isEmpty());
        }
        assertThat(lines)
                .containsExactly("the kernel does not report IPv6 addresses (socket: not permitted): whether the node"
                        + " has IPv6 is checked once per interval only");
    }

    /** As a native image throws for what was not built into it: neither an exception nor an error of the linker. */
    @Test
    void anErrorWhileListeningBeginsIsSaidToo() {
        AgentRig agent = new AgentRig(new InMemoryDataplane(Backend.IPTABLES_NFT), state);
        agent.pass();
        List<String> lines = new CopyOnWriteArrayList<>();
        KernelWatch.Opener<AddressEvents> none = () -> {
            throw new AssertionError("not built into this image");
        };
        try (AddressWatch watch = new AddressWatch(agent.loop(), none, () -> true, Clock.systemUTC(), lines::add)) {
            watch.start();
            Eventually.holds("said", () -> lines, value -> !value.isEmpty());
        }
        assertThat(lines).hasSize(1);
        assertThat(agent.loop().notFollowed()).containsOnlyKeys("addresses");
        assertThat(agent.loop().notFollowed().get("addresses")).contains("not followed", "not built into this image");
    }
}
