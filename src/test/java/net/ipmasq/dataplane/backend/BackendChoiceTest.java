package net.ipmasq.dataplane.backend;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import net.ipmasq.agent.Settings;
import net.ipmasq.app.Assembly;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.ForeignRuleProbe;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.dataplane.backend.BackendChoice.Reason;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.NetNsFiles;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.lab.TextRunner;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** When {@code auto} takes nftables, and the reason that it gives. */
class BackendChoiceTest {

    @TempDir
    private Path state;

    private record Paper(int kernel, int nft, boolean kubeProxyInNftables, ForeignRuleProbe othersInIptables)
            implements Survey {}

    @ParameterizedTest
    @CsvSource({
        "0, 10006, true, none, KERNEL_TOO_OLD",
        "512, 10006, true, none, KERNEL_TOO_OLD",
        "513, 10006, true, none, ALL_NFTABLES",
        "618, 0, true, none, TOOL_MISSING",
        "618, 907, true, none, TOOL_TOO_OLD",
        "618, 10000, true, none, TOOL_TOO_OLD",
        "618, 10005, true, none, TOOL_TOO_OLD",
        "618, 10006, false, none, KUBE_PROXY_NOT_NFTABLES",
        "618, 10006, true, rule, IPTABLES_NAT_IN_USE",
        "618, 10006, true, unreadable, IPTABLES_NAT_UNREADABLE",
        "618, 10006, true, none, ALL_NFTABLES",
    })
    void isDecidedByTheFirstReasonAgainst(int kernel, int nft, boolean kubeProxy, String others, Reason reason) {
        ForeignRuleProbe found = switch (others) {
            case "rule" -> ForeignRuleProbe.found("-A POSTROUTING -j MASQUERADE");
            case "unreadable" -> ForeignRuleProbe.unknown("iptables-nft-save did not end within 30 s");
            default -> ForeignRuleProbe.NONE;
        };
        BackendChoice choice = BackendChoice.decide(new Paper(kernel, nft, kubeProxy, found));
        assertThat(choice.reason()).isEqualTo(reason);
        assertThat(choice.nftables()).isEqualTo(reason == Reason.ALL_NFTABLES);
        assertThat(choice.oneLine()).startsWith("auto: ").endsWith("[" + reason.key() + "]");
    }

    /** Where iptables cannot work at all there is no choice; a look that failed once decides nothing. */
    @Test
    void aTableThatIptablesCannotReadAndALookThatFailed() {
        BackendChoice closed =
                BackendChoice.decide(new Paper(618, 10006, true, ForeignRuleProbe.closed("native rules")));
        assertThat(closed.nftables()).isTrue();
        assertThat(closed.firm()).isTrue();
        assertThat(closed.reason()).isEqualTo(Reason.IPTABLES_NAT_UNREADABLE);
        ForeignRuleProbe[] others = {ForeignRuleProbe.NONE};
        Survey survey = new Survey() {
            @Override
            public int kernel() {
                return 618;
            }

            @Override
            public int nft() {
                return 10006;
            }

            @Override
            public boolean kubeProxyInNftables() {
                return true;
            }

            @Override
            public ForeignRuleProbe othersInIptables() {
                return others[0];
            }
        };
        Dataplane backends = Backends.automatic(
                new InMemoryDataplane(Backend.IPTABLES_NFT), new InMemoryDataplane(Backend.NFTABLES), survey);
        assertThat(probes(backends, 1)).containsExactly(Backend.NFTABLES);
        others[0] = ForeignRuleProbe.unknown("a timeout");
        assertThat(probes(backends, 30)).containsOnly(Backend.NFTABLES);
        others[0] = ForeignRuleProbe.found("-A POSTROUTING -j MASQUERADE");
        assertThat(probes(backends, 10)).endsWith(Backend.IPTABLES_NFT);
        others[0] = ForeignRuleProbe.unknown("a timeout");
        assertThat(probes(backends, 30)).containsOnly(Backend.IPTABLES_NFT);
    }

    @Test
    @NeedsKernel
    void nativeRulesInIptablesTableLeaveNftables() {
        try (NetNs ns = NetNs.create()) {
            kubeProxy(ns);
            ns.runWith(
                    "table ip nat {\nchain POSTROUTING {\ntype nat hook postrouting priority 100; policy accept;\n"
                            + "ip daddr { 192.0.2.1, 192.0.2.9 } masquerade\n}\n}\n",
                    "nft",
                    "-f",
                    "-");
            says(ns, Backend.NFTABLES, "iptables-nat-unreadable");
        }
    }

    private static void nativeNat(NetNs ns, String family) {
        ns.runWith(
                "table " + family
                        + " nat {\nchain POSTROUTING {\ntype nat hook postrouting priority 100; policy accept;\n"
                        + family + " daddr { "
                        + (family.equals("ip") ? "192.0.2.1, 192.0.2.9" : "2001:db8::1, 2001:db8::9")
                        + " } masquerade\n}\n}\n",
                "nft",
                "-f",
                "-");
    }

    /** Without a kube-proxy at all: iptables would stay unreadable for ever. */
    @ParameterizedTest
    @ValueSource(strings = {"ip", "ip6"})
    @NeedsKernel
    void nativeRulesInTableNatOfOneFamilyAreEnough(String family) {
        try (NetNs ns = NetNs.create()) {
            nativeNat(ns, family);
            assertThat(says(ns, Backend.NFTABLES, "iptables-nat-native").reason())
                    .contains(family.equals("ip") ? "IPv4" : "IPv6", "native nft rules");
            NetNsRunner without = new NetNsRunner(ns).hide("nft");
            assertThat(auto(ns, without).probe().reason()).contains("[tool-missing]");
            if (family.equals("ip")) {
                // others' rules of the other family change nothing
                ns.sh("ip6tables-nft -t nat -A POSTROUTING -s fd17::/64 -j MASQUERADE");
                says(ns, Backend.NFTABLES, "iptables-nat-native");
            }
            kubeProxy(ns);
            says(ns, Backend.NFTABLES, "iptables-nat-unreadable");
        }
    }

    @Test
    @NeedsKernel
    void nativeRulesThatComeAndGoAreFollowed() {
        try (NetNs ns = NetNs.create()) {
            ns.sh("iptables-nft -t nat -A POSTROUTING -s 172.17.0.0/16 -j MASQUERADE");
            Dataplane dataplane = auto(ns, new NetNsRunner(ns));
            EnumSet<IpFamily> both = EnumSet.allOf(IpFamily.class);
            assertThat(dataplane.probe().reason()).contains("[kube-proxy-not-nftables]");
            dataplane.observe("IP-MASQ-AGENT", both);
            ns.sh("nft delete table ip nat");
            nativeNat(ns, "ip");
            assertThat(dataplane.observe("IP-MASQ-AGENT", both).families().get(IpFamily.IPV4))
                    .isInstanceOf(FamilyState.Unreadable.class);
            assertThat(dataplane.probe().reason()).as("in the very next pass").contains("[iptables-nat-native]");
            ns.sh("nft delete table ip nat");
            assertThat(probes(dataplane, 10)).endsWith(Backend.IPTABLES_NFT);
        }
    }

    /** A call that fails once must not move a node, and at the start it is asked again in the next pass. */
    @Test
    @NeedsKernel
    void aCallThatFailsDecidesNothing() {
        try (NetNs ns = NetNs.create()) {
            kubeProxy(ns);
            NetNsRunner real = new NetNsRunner(ns);
            for (String broken : List.of("--version", "tables")) {
                boolean[] refuses = {true};
                Dataplane dataplane = auto(ns, refusing(real, broken, refuses));
                assertThat(dataplane.probe().reason()).contains("[look-failed]", "Resource temporarily unavailable");
                refuses[0] = false;
                assertThat(dataplane.probe().backend()).isEqualTo(Backend.NFTABLES);
                refuses[0] = true;
                assertThat(probes(dataplane, 30)).containsOnly(Backend.NFTABLES);
            }
        }
    }

    private static CommandRunner refusing(CommandRunner real, String word, boolean[] refuses) {
        return new TextRunner() {
            @Override
            public Outcome run(List<String> argv, String stdin, Duration limit) {
                return refuses[0] && argv.getFirst().equals("nft") && argv.contains(word)
                        ? new NotStarted("Exec failed, error: 11 (Resource temporarily unavailable)")
                        : real.run(argv, stdin, limit);
            }

            @Override
            public boolean has(String program) {
                return real.has(program);
            }
        };
    }

    private static Dataplane auto(NetNs ns, CommandRunner runner) {
        Settings settings = Settings.of(name -> name.equals("backend") ? Optional.of("auto") : Optional.empty());
        return new Assembly(runner, new NetNsFiles(ns)).dataplane(settings);
    }

    private static void kubeProxy(NetNs ns) {
        ns.runWith("table ip kube-proxy {\n}\ntable ip6 kube-proxy {\n}\n", "nft", "-f", "-");
    }

    @Test
    @NeedsKernel
    void onANodeOfEachKind() {
        try (NetNs ns = NetNs.create()) {
            NetNsRunner runner = new NetNsRunner(ns);
            says(ns, Backend.IPTABLES_NFT, "kube-proxy-not-nftables");
            kubeProxy(ns);
            says(ns, Backend.NFTABLES, "all-nftables");
            ns.sh("iptables-nft -t nat -A POSTROUTING -s 172.17.0.0/16 -j MASQUERADE");
            assertThat(says(ns, Backend.IPTABLES_NFT, "iptables-nat-in-use").reason())
                    .contains("172.17.0.0/16");
            ns.sh("iptables-nft -t nat -F");
            says(ns, Backend.NFTABLES, "all-nftables");
            ns.sh("ip6tables-legacy -t nat -A POSTROUTING -s fd17::/64 -j MASQUERADE");
            says(ns, Backend.IPTABLES_LEGACY, "iptables-nat-in-use");
            ns.sh("ip6tables-legacy -t nat -F");
            runner.hide("nft");
            assertThat(auto(ns, runner).probe().reason()).contains("[tool-missing]");
        }
    }

    private static Probe says(NetNs ns, Backend backend, String reason) {
        Probe probe = auto(ns, new NetNsRunner(ns)).probe();
        assertThat(probe.reason()).contains("[" + reason + "]");
        assertThat(probe.backend()).isEqualTo(backend);
        return probe;
    }

    /** A classic agent's rules are ours to take over, not somebody else's. */
    @Test
    @NeedsKernel
    void ourOwnRulesInIptablesAreNobodyElses() {
        try (NetNs ns = NetNs.create()) {
            kubeProxy(ns);
            Settings settings = Settings.of(name -> Optional.empty());
            Assembly node = new Assembly(new NetNsRunner(ns), new NetNsFiles(ns));
            Dataplane iptables = node.dataplane(settings);
            iptables.probe();
            net.ipmasq.rules.Ruleset rules = net.ipmasq.rules.Ruleset.of(
                    "IP-MASQ-AGENT",
                    java.util.Map.of(
                            IpFamily.IPV4,
                            new net.ipmasq.rules.FamilyRules.Listed(
                                    "IP-MASQ-AGENT",
                                    java.util.List.of(
                                            new net.ipmasq.rules.Rule.MasqueradeRest(Optional.empty(), false)))));
            iptables.apply(rules, iptables.observe("IP-MASQ-AGENT", EnumSet.allOf(IpFamily.class)));
            assertThat(ns.run("iptables-nft-save", "-t", "nat")).contains("IP-MASQ-AGENT");
            says(ns, Backend.NFTABLES, "all-nftables");
        }
    }

    /** The same process follows its node from one to the other and back. */
    @Test
    @NeedsKernel
    void aChangedNodeIsNoticedAfterAWhile() {
        try (NetNs ns = NetNs.create()) {
            Dataplane dataplane = auto(ns, new NetNsRunner(ns));
            assertThat(dataplane.probe().backend()).isEqualTo(Backend.IPTABLES_NFT);
            kubeProxy(ns);
            assertThat(probes(dataplane, 10)).startsWith(Backend.IPTABLES_NFT).endsWith(Backend.NFTABLES);
            ns.sh("nft delete table ip kube-proxy; nft delete table ip6 kube-proxy");
            assertThat(probes(dataplane, 10)).endsWith(Backend.IPTABLES_NFT);
        }
    }

    private static java.util.List<Backend> probes(Dataplane dataplane, int count) {
        return java.util.stream.IntStream.range(0, count)
                .mapToObj(i -> dataplane.probe().backend())
                .toList();
    }
}
