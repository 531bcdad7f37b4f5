package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Gates;
import net.ipmasq.dataplane.NftBackend;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain.Counters;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A node that is in order costs one look per family and pass, and nothing else; with a generation not even that. */
@NeedsKernel
class SteadyStateTest {
    private static final int PASSES = 100;
    private static final EnumSet<IpFamily> BOTH = EnumSet.allOf(IpFamily.class);

    @TempDir
    private Path state;

    @ParameterizedTest
    @EnumSource
    void aHundredPassesLookOncePerFamilyAndWriteNothing(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig agent = new AgentRig(node.dataplane(), state);
            assertThat(agent.pass().inSync()).isTrue();
            assertThat(node.runner().restores()).hasSize(2);
            traffic(node);
            List<Counters> before = counters(agent);
            assertThat(before).anyMatch(counters -> counters.packets() > 0);
            node.runner().forget();
            for (int i = 0; i < PASSES; i++) {
                AgentStatus status = agent.pass();
                assertThat(status.inSync()).isTrue();
                assertThat(status.families().values()).allMatch(family -> family.written() == 0);
            }
            assertThat(node.runner().restores()).isEmpty();
            for (IpFamily family : BOTH) {
                List<String> save = List.of(node.tool(family, "-save"), "-t", "nat");
                assertThat(node.runner().calls(call -> call.argv().equals(save)))
                        .hasSize(PASSES);
            }
            assertThat(node.runner().calls()).as("nothing else").hasSize(2 * PASSES);
            assertThat(counters(agent)).isEqualTo(before);
            traffic(node);
            assertThat(total(counters(agent))).isEqualTo(2 * total(before));
        }
    }

    @ParameterizedTest
    @EnumSource
    void whileTheGenerationStandsStillAPassCallsNothing(NftBackend backend) {
        try (NftBackend.Node node = backend.create()) {
            SteppingClock clock = new SteppingClock();
            AgentRig agent = new AgentRig(Gates.of(node.ns(), node.parts().dataplane(), clock), state, clock);
            assertThat(agent.pass().inSync()).isTrue();
            node.parts().runner().forget();
            for (int i = 0; i < 9; i++) {
                assertThat(agent.pass().inSync()).isTrue();
            }
            assertThat(node.parts().runner().calls()).isEmpty();
            // the tenth minute
            assertThat(agent.pass().inSync()).isTrue();
            assertThat(node.parts().runner().calls()).isNotEmpty();
            assertThat(agent.loop().status().orElseThrow().passes().byTrigger())
                    .isEqualTo(Map.of(Cause.Trigger.START, 1L, Cause.Trigger.SCHEDULE, 10L));
        }
    }

    /** What the pass itself calls is nothing but a save and, where needed, a restore and a second save. */
    @ParameterizedTest
    @EnumSource
    void aChangeCostsThreeCallsInItsFamilyAndOneInTheOther(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig agent = new AgentRig(node.dataplane(), state).config("nonMasqueradeCIDRs: [10.0.0.0/8]");
            agent.pass();
            node.runner().forget();
            agent.config("nonMasqueradeCIDRs: [10.0.0.0/8, 11.0.0.0/8]").pass();
            assertThat(node.runner().calls().stream()
                            .map(NetNsRunner.Call::program)
                            .filter(name -> name.startsWith("iptables")))
                    .containsExactly(
                            node.tool(IpFamily.IPV4, "-save"),
                            node.tool(IpFamily.IPV4, "-restore"),
                            node.tool(IpFamily.IPV4, "-save"));
            assertThat(node.runner().calls().stream()
                            .map(NetNsRunner.Call::program)
                            .filter(name -> name.startsWith("ip6tables")))
                    .containsExactly(node.tool(IpFamily.IPV6, "-save"));
        }
    }

    /** One new flow to an exempt and one to any other destination of each family. */
    private static void traffic(NodeKernel node) {
        node.ns().run("bash", "-ec", """
                ip link show v0 >/dev/null 2>&1 || {
                  echo 0 > /proc/sys/net/ipv6/conf/default/accept_dad
                  ip link add v0 type veth peer name v1; ip link set v1 up
                  ip addr add 198.51.100.1/24 dev v0; ip -6 addr add 2001:db8:ffff::1/64 dev v0; ip link set v0 up
                  ip route add default via 198.51.100.2; ip -6 route add default via 2001:db8:ffff::2
                }
                for to in 10.1.2.3 203.0.113.9 fd00::9 2001:db8::9; do echo x > /dev/udp/$to/9; done
                """);
    }

    private static List<Counters> counters(AgentRig agent) {
        return agent.dataplane().observeCounters(AgentRig.CHAIN, BOTH).families().values().stream()
                .flatMap(family -> ((FamilyState.Present) family).chain().lines().stream())
                .map(line -> line.counters())
                .toList();
    }

    private static long total(List<Counters> counters) {
        return counters.stream().mapToLong(Counters::packets).sum();
    }
}
