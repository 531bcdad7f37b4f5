package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problem;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNsFiles;
import net.ipmasq.observe.Conditions;
import net.ipmasq.profile.Ipv6Mode;
import net.ipmasq.profile.Origin;
import net.ipmasq.profile.ProviderProfile;
import net.ipmasq.profile.Value;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Nodes that lack a tool, a family or a right. */
@NeedsKernel
class LimitedNodeTest {
    @TempDir
    private Path state;

    static ProviderProfile withIpv6(Ipv6Mode mode) {
        ProviderProfile cce = Profiles.named("cce");
        return new ProviderProfile(
                cce.name(),
                cce.configMap(),
                cce.chain(),
                new Value<>(mode, Origin.flag("--ipv6")),
                cce.randomFully(),
                cce.toPorts(),
                cce.defaults(),
                cce.enforced());
    }

    private static String[] tools(NodeKernel node, boolean v6Only) {
        List<String> verbs = List.of("", "-save", "-restore");
        return verbs.stream()
                .flatMap(verb -> List.of(IPV6, IPV4).stream()
                        .filter(family -> !v6Only || family == IPV6)
                        .flatMap(family ->
                                List.of(node.tool(family, verb), (family == IPV4 ? "iptables" : "ip6tables") + verb)
                                        .stream()))
                .toArray(String[]::new);
    }

    @ParameterizedTest
    @EnumSource
    void withoutIp6tablesIpv4GetsItsRules(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig before = new AgentRig(node.dataplane(), state);
            before.pass();
            List<String> v6 = node.nat(IPV6);
            node.runner().hide(tools(node, true));
            AgentRig agent = before.restarted().config("nonMasqueradeCIDRs: [10.0.0.0/8, fc00::/7]");
            AgentStatus status = agent.pass();
            assertThat(status.inSync()).isTrue();
            assertThat(status.managed()).containsExactly(IPV4);
            assertThat(AgentRig.family(status, IPV6).why()).contains("ip6tables", "not on PATH");
            assertThat(AgentRig.family(status, IPV6).failure()).isEmpty();
            assertThat(Conditions.degraded(status).status()).isFalse();
            assertThat(status.config().nodeFindings().shown())
                    .singleElement()
                    .matches(problem -> problem.code().equals("ipv6-off") && !problem.isError());
            assertThat(node.nat(IPV6))
                    .as("what cannot be managed loses nothing")
                    .isEqualTo(v6);

            node.runner().show(tools(node, true));
            assertThat(agent.pass().managed()).containsExactlyInAnyOrder(IPV4, IPV6);
        }
    }

    @ParameterizedTest
    @EnumSource
    void withoutAnyToolItSaysWhatToInstallAndGoesOnWhenItIsThere(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            node.runner().hide(tools(node, false));
            AgentRig agent = new AgentRig(node.dataplane(), state);
            AgentStatus status = agent.pass();
            assertThat(AgentRig.failure(status, IPV4)).hasValue("tool-missing");
            assertThat(AgentRig.family(status, IPV4).failure().orElseThrow().oneLine())
                    .contains(node.tool(IPV4, "-save"), "install the package iptables");
            assertThat(status.node().failureTotals()).containsEntry("tool-missing", 1L);
            assertThat(Conditions.degraded(status).reason()).isEqualTo("ToolMissing");
            assertThat(node.runner().calls()).isEmpty();
            node.runner().show(tools(node, false));
            assertThat(agent.pass().inSync()).isTrue();
        }
    }

    @ParameterizedTest
    @EnumSource
    void withIpv6SwitchedOffByItsSysctl(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig agent = new AgentRig(node.dataplane(), state);
            agent.pass();
            List<String> v6 = node.nat(IPV6);
            node.ns().sh("echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6");
            AgentStatus status = agent.pass();
            assertThat(status.managed()).containsExactly(IPV4);
            assertThat(AgentRig.family(status, IPV6).why()).contains("net.ipv6.conf.all.disable_ipv6 is 1");
            assertThat(status.inSync()).isTrue();
            assertThat(Conditions.degraded(status).status()).isFalse();
            assertThat(node.nat(IPV6)).isEqualTo(v6);
            node.ns().sh("ip link add d0 type bridge; echo 1 > /proc/sys/net/ipv6/conf/d0/disable_ipv6");
            assertThat(agent.pass().managed()).containsExactly(IPV4);
            node.ns().sh("echo 0 > /proc/sys/net/ipv6/conf/d0/disable_ipv6");
            assertThat(agent.pass().managed()).as("works on a device").containsExactlyInAnyOrder(IPV4, IPV6);
            node.ns().sh("echo 1 > /proc/sys/net/ipv6/conf/d0/disable_ipv6");
            assertThat(agent.pass().managed()).containsExactly(IPV4);
            node.ns().sh("echo 0 > /proc/sys/net/ipv6/conf/all/disable_ipv6");
            assertThat(agent.pass().managed()).containsExactlyInAnyOrder(IPV4, IPV6);
        }
    }

    @Test
    void ipv6AskedForAndImpossibleIsDegradedAndIpv4IsKept() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            node.ns().sh("echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6");
            AgentStatus status = new AgentRig(node.dataplane(), withIpv6(Ipv6Mode.ON), state).pass();
            assertThat(AgentRig.failure(status, IPV6)).hasValue("table-missing");
            assertThat(AgentRig.family(status, IPV4).inSync()).isTrue();
            assertThat(Conditions.degraded(status).reason()).isEqualTo("TableMissing");
            assertThat(node.ours(IPV4)).isNotEmpty();
        }
    }

    @ParameterizedTest
    @EnumSource
    void ipv6TurnedOffTakesItsRulesAwayAfterTheFirstSuccess(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig on = new AgentRig(node.dataplane(), state);
            on.pass();
            assertThat(node.ours(IPV6)).isNotEmpty();
            AgentRig off = on.restarted(withIpv6(Ipv6Mode.OFF));
            node.runner().hide(node.tool(IPV4, "-save"), "iptables-save");
            off.pass();
            assertThat(node.ours(IPV6)).as("not before a success").isNotEmpty();
            node.runner().show(node.tool(IPV4, "-save"), "iptables-save");
            AgentStatus status = off.pass();
            assertThat(AgentRig.family(status, IPV6).why()).contains("switched off");
            assertThat(node.nat(IPV6)).isEmpty();
            assertThat(node.ours(IPV4)).isNotEmpty();
            node.runner().forget();
            off.pass();
            assertThat(node.runner().calls()).as("once").hasSize(1);
        }
    }

    @Test
    void anIpv6EntryOfAnInvalidTextIsNoFindingOfTheNode() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            node.ns().sh("echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6");
            AgentStatus status = new AgentRig(node.dataplane(), state)
                    .config("nonMasqueradeCIDRs: [fc00::/7, 10.0.0.1/8]")
                    .pass();
            assertThat(status.config().outcome()).isInstanceOf(ConfigOutcome.Invalid.class);
            assertThat(status.config().outcome().problems()).anyMatch(Problem::isError);
            assertThat(status.config().nodeFindings().shown()).isEmpty();
        }
    }

    @Test
    void withoutTheRightNothingIsRunAndTheCauseIsNamed() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            NetNsFiles files = node.files();
            IptablesDataplane dataplane = new IptablesDataplane(
                    node.runner(),
                    path -> path.equals("/proc/self/status")
                            ? Optional.of("CapEff:\t00000000a80425fb\n")
                            : files.read(path),
                    Optional.of(Variant.NFT));
            AgentStatus status = new AgentRig(dataplane, state).pass();
            for (var family : List.of(IPV4, IPV6)) {
                assertThat(AgentRig.failure(status, family)).hasValue("not-permitted");
                assertThat(AgentRig.family(status, family)
                                .failure()
                                .orElseThrow()
                                .oneLine())
                        .contains("CAP_NET_ADMIN", "NET_ADMIN and NET_RAW");
            }
            assertThat(Conditions.degraded(status).reason()).isEqualTo("NotPermitted");
            assertThat(node.runner().calls()).isEmpty();
        }
    }
}
