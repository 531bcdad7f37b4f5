package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.InMemoryTable;
import net.ipmasq.net.IpFamily;
import net.ipmasq.observe.Conditions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whether the kernel is in order is said by what is asked for, never by the kernel, and never of nothing. */
class AskedTest {
    @TempDir
    private Path state;

    private final InMemoryDataplane kernel = new InMemoryDataplane();

    /** The jump stays, as after {@code iptables -t nat -F IP-MASQ-AGENT}. */
    private void flushTheChain() {
        for (IpFamily family : IpFamily.values()) {
            kernel.edit(family, table -> table.withChain(AgentRig.CHAIN, List.of()));
        }
    }

    @Test
    void aFlushedChainIsNotInSyncAlsoWhereNothingIsStored() {
        new AgentRig(kernel, state.resolve("gone")).pass();
        flushTheChain();
        for (String what : List.of("unknown", "invalid")) {
            AgentRig look = new AgentRig(kernel, state.resolve("none"));
            Assessment asked = (what.equals("unknown") ? look.unknown() : look.config("x: [")).assessAsked();
            assertThat(asked.inSync()).as(what).isFalse();
            assertThat(asked.inForce().origin()).as(what).isEqualTo("profile");
            // a pass keeps what is there until it knows better
            assertThat(look.assess().inForce().origin()).isEqualTo("kernel");
        }
    }

    @Test
    void whatIsAskedForIsTheConfigurationElseTheLastGoodState() {
        AgentRig agent = new AgentRig(kernel, state).config("nonMasqueradeCIDRs: [10.7.0.0/16]");
        agent.pass();
        Assessment good = agent.restarted().assessAsked();
        assertThat(good.inSync()).isTrue();
        assertThat(good.inForce().origin()).isEqualTo("config");
        Assessment invalid = agent.restarted().config("x: [").assessAsked();
        assertThat(invalid.inSync()).isTrue();
        assertThat(invalid.inForce().origin()).isEqualTo("last-good");
        flushTheChain();
        assertThat(agent.restarted().assessAsked().inSync()).isFalse();
        assertThat(agent.restarted().config("x: [").assessAsked().inSync()).isFalse();
        assertThat(kernel.table(IPV4).chains().get(AgentRig.CHAIN))
                .as("looking writes nothing")
                .isEmpty();
    }

    @Test
    void whereNothingIsManagedNothingIsInSync() {
        kernel.edit(IPV4, table -> table.withChain(AgentRig.CHAIN, List.of(InMemoryTable.strange("-p tcp -j ACCEPT"))));
        AgentStatus status = new AgentRig(kernel, state).config("x: [").pass();
        assertThat(status.managed()).isEmpty();
        assertThat(status.inSync()).isFalse();
        assertThat(status.passes().lastSuccess()).isEmpty();
        assertThat(status.passes().failuresInARow()).isZero();
        assertThat(Conditions.of(status))
                .filteredOn(condition -> condition.type().equals("Available"))
                .singleElement()
                .satisfies(available -> {
                    assertThat(available.status()).isFalse();
                    assertThat(available.reason()).isEqualTo("NothingManaged");
                    assertThat(available.message()).contains("IPv4: ", "IPv6: ");
                });
        assertThat(Map.copyOf(status.issue())).containsKey("ForeignRule");
    }
}
