package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.InMemoryTable;
import net.ipmasq.dataplane.InMemoryTable.BaseRule;
import net.ipmasq.net.Cidr;
import net.ipmasq.observe.Conditions;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is in force when the text is not usable. */
class ChoosingTest {
    private static final String ONE =
            "nonMasqueradeCIDRs: [192.0.2.0/24]\nmasqOutBound: false\nmasqOutBoundIPv6: false";
    private static final String INVALID = "nonMasqueradeCIDRs: [10.0.0.1/8]";
    private static final Failure BROKEN = new Failure(FailureCode.UNREADABLE, "broken", "mend it");

    private final InMemoryDataplane dataplane = new InMemoryDataplane();

    @TempDir
    private Path state;

    private AgentRig agent() {
        return new AgentRig(dataplane, state);
    }

    private AgentStatus demand(AgentStatus status, String origin, int v4Rules) {
        assertThat(status.config().inForce().orElseThrow().origin()).isEqualTo(origin);
        assertThat(status.inSync()).isTrue();
        assertThat(dataplane.table(IPV4).chains().getOrDefault(AgentRig.CHAIN, List.of()))
                .hasSize(v4Rules);
        return status;
    }

    /** A classic agent's chain: other comments, so none of its lines is what we would write. */
    private void classic() {
        List<ObservedChain.Line> lines = List.of(
                line(new Rule.Exempt(Cidr.of("203.0.113.0/24"))),
                line(new Rule.MasqueradeRest(Optional.empty(), false)));
        dataplane.edit(
                IPV4,
                table -> table.withChain(AgentRig.CHAIN, lines)
                        .withBase(List.of(BaseRule.jump(AgentRig.CHAIN, Jump.Kind.VARIANT))));
    }

    private static ObservedChain.Line line(Rule meaning) {
        ObservedChain.Line ours = InMemoryTable.line(meaning);
        return new ObservedChain.Line(Optional.empty(), ours.rule(), "classic " + ours.text(), ours.counters());
    }

    @Test
    void aTextWithErrorsAndNothingElseMeansTheProfile() {
        AgentStatus status = demand(agent().config(INVALID).pass(), "profile", 6);
        assertThat(status.config().outcome()).isInstanceOf(ConfigOutcome.Invalid.class);
        assertThat(Conditions.degraded(status).reason()).isEqualTo("ConfigInvalid");
        assertThat(Conditions.degraded(status).message()).contains("the profile stays in force");
    }

    @Test
    void nothingHeardAndNothingElseMeansTheProfile() {
        demand(agent().unknown().pass(), "profile", 6);
    }

    @Test
    void aClassicAgentsChainIsTheLastGoodAndIsHealedLater() {
        classic();
        AgentRig agent = agent().config(INVALID);
        AgentStatus status = demand(agent.pass(), "kernel", 2);
        assertThat(AgentRig.family(status, IPV6).why()).contains("no usable configuration");
        assertThat(dataplane.table(IPV6).chains()).isEmpty();
        assertThat(dataplane.table(IPV4).base()).containsExactly(BaseRule.jump(AgentRig.CHAIN, Jump.Kind.CANONICAL));
        dataplane.edit(IPV4, table -> table.withChain(AgentRig.CHAIN, List.of()));
        AgentStatus healed = demand(agent.pass(), "kernel", 2);
        assertThat(AgentRig.drift(healed, IPV4)).containsExactly(Drift.Kind.RULE_MISSING, Drift.Kind.RULE_MISSING);
        demand(agent.config(ONE).pass(), "config", 2);
        assertThat(dataplane.table(IPV6).chains()).isNotEmpty();
    }

    @Test
    void nothingHeardKeepsAClassicAgentsChain() {
        classic();
        AgentRig agent = agent().unknown();
        demand(agent.pass(), "kernel", 2);
        demand(agent.absent().pass(), "profile", 6);
    }

    @Test
    void aChainWithARuleNobodyKnowsIsLeftAlone() {
        List<ObservedChain.Line> strange =
                List.of(InMemoryTable.strange("-p tcp -j ACCEPT"), line(new Rule.Exempt(Cidr.of("10.0.0.0/8"))));
        dataplane.edit(IPV4, table -> table.withChain(AgentRig.CHAIN, strange));
        AgentRig agent = agent().config(INVALID);
        for (int i = 0; i < 3; i++) {
            AgentStatus status = agent.pass();
            assertThat(status.issue()).containsKey("ForeignRule");
            assertThat(status.issue().get("ForeignRule")).contains("-p tcp -j ACCEPT");
            assertThat(status.config().inForce().orElseThrow()).isInstanceOf(DesiredState.Untouchable.class);
        }
        assertThat(dataplane.writes()).isZero();
        assertThat(demand(agent.config(ONE).pass(), "config", 2).issue()).isEmpty();
    }

    /** What a flush of the whole table leaves is no configuration. */
    @Test
    void anEmptyChainThatNothingLeadsToIsNothing() {
        dataplane.edit(IPV4, table -> table.withChain(AgentRig.CHAIN, List.of()));
        demand(agent().config(INVALID).pass(), "profile", 6);
    }

    @Test
    void anEmptyChainInUseIsAConfiguration() {
        dataplane.edit(
                IPV4,
                table -> table.withChain(AgentRig.CHAIN, List.of())
                        .withBase(List.of(BaseRule.jump(AgentRig.CHAIN, Jump.Kind.CANONICAL))));
        demand(agent().config(INVALID).pass(), "kernel", 0);
    }

    @Test
    void unreadableIsNotEmptyWhenChoosing() {
        dataplane.failReads(IPV4, Optional.of(BROKEN));
        AgentRig agent = agent().config(INVALID);
        assertThat(AgentRig.failure(agent.pass(), IPV4)).hasValue("unreadable");
        classic();
        dataplane.failReads(IPV4, Optional.empty());
        demand(agent.pass(), "kernel", 2);
    }

    /** One family found, the other unreadable: that is said, what was found is kept, and the other joins later. */
    @Test
    void aFamilyThatCannotBeReadYetJoinsLater() {
        classic();
        dataplane.failReads(IPV6, Optional.of(BROKEN));
        AgentRig agent = agent().config(INVALID);
        for (int i = 0; i < 2; i++) {
            AgentStatus status = agent.pass();
            assertThat(status.config().inForce().orElseThrow().origin()).isEqualTo("kernel");
            assertThat(AgentRig.failure(status, IPV6)).hasValue("unreadable");
            assertThat(AgentRig.family(status, IPV4).inSync()).isTrue();
            dataplane.edit(IPV4, table -> table.withChain(AgentRig.CHAIN, List.of()));
        }
        dataplane.failReads(IPV6, Optional.empty());
        List<ObservedChain.Line> v6 = List.of(line(new Rule.Exempt(Cidr.of("fc00::/7"))));
        dataplane.edit(IPV6, table -> table.withChain(AgentRig.CHAIN, v6));
        AgentStatus joined = demand(agent.pass(), "kernel", 2);
        assertThat(joined.managed()).containsExactlyInAnyOrder(IPV4, IPV6);
        assertThat(dataplane.table(IPV6).chains().get(AgentRig.CHAIN)).hasSize(1);
    }

    @Test
    void validThenInvalidThenValid() {
        AgentRig agent = agent().config(ONE);
        demand(agent.pass(), "config", 2);
        AgentStatus degraded = demand(agent.config(INVALID).pass(), "config", 2);
        assertThat(Conditions.degraded(degraded).status()).isTrue();
        dataplane.edit(IPV4, table -> table.withChain(AgentRig.CHAIN, List.of()));
        AgentStatus healed = demand(agent.pass(), "config", 2);
        assertThat(AgentRig.drift(healed, IPV4)).hasSize(2);
        AgentStatus valid = demand(agent.config("masqOutBound: true").pass(), "config", 6);
        assertThat(Conditions.degraded(valid).status()).isFalse();
    }

    @Test
    void silenceAfterAValidTextChangesNothingAndAbsenceMeansTheProfile() {
        AgentRig agent = agent().config(ONE);
        agent.pass();
        int writes = dataplane.writes();
        demand(agent.unknown().pass(), "config", 2);
        assertThat(dataplane.writes()).isEqualTo(writes);
        demand(agent.absent().pass(), "profile", 6);
        demand(agent.config("").pass(), "config", 6);
    }

    @Test
    void theStoredLastGoodSurvivesARestart() {
        agent().config(ONE).pass();
        for (AgentRig restarted : List.of(agent().config(INVALID), agent().unknown())) {
            dataplane.edit(IPV4, table -> table.withChain(AgentRig.CHAIN, List.of()));
            demand(restarted.pass(), "last-good", 2);
            demand(restarted.pass(), "last-good", 2);
        }
        demand(agent().absent().pass(), "profile", 6);
        demand(agent().unknown().pass(), "last-good", 6);
    }

    @Test
    void theLastGoodBeatsWhatTheKernelHolds() {
        agent().config(ONE).pass();
        classic();
        AgentStatus status = demand(agent().config(INVALID).pass(), "last-good", 2);
        assertThat(status.node().ruleset().families().get(IPV4).ordered())
                .contains(new Rule.Exempt(Cidr.of("192.0.2.0/24")))
                .doesNotContain(new Rule.Exempt(Cidr.of("203.0.113.0/24")));
    }

    /** A state that was never reached is not the last good one. */
    @Test
    void onlyASuccessIsStored() throws IOException {
        dataplane.failWrites(IPV4, Optional.of(BROKEN));
        AgentRig agent = agent().config(ONE);
        agent.pass();
        assertThat(new StateStore(state).load()).isEmpty();
        dataplane.failWrites(IPV4, Optional.empty());
        agent.pass();
        assertThat(new StateStore(state).load().orElseThrow().configText()).hasValue(ONE);
        agent.config(INVALID).pass();
        assertThat(new StateStore(state).load().orElseThrow().configText()).hasValue(ONE);
    }
}
