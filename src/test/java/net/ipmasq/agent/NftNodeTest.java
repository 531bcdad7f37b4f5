package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.nftables.NftNode;
import net.ipmasq.dataplane.nftables.NftablesDataplane;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNsFiles;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.lab.PacketLab;
import net.ipmasq.lab.TextRunner;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What the nftables backend says of a node that lets it down, and what it does when somebody else is faster. */
@NeedsKernel(tools = {"ip", "nft", "conntrack"})
class NftNodeTest {
    private static final EnumSet<IpFamily> BOTH = EnumSet.allOf(IpFamily.class);

    @TempDir
    private Path state;

    @Test
    void withoutNftItSaysWhatToInstall() {
        try (NftNode node = new NftNode()) {
            node.runner().hide("nft");
            AgentStatus status = new AgentRig(node.dataplane(), state).pass();
            assertThat(AgentRig.failure(status, IPV4)).contains("tool-missing");
            assertThat(AgentRig.family(status, IPV4).failure().orElseThrow().fix())
                    .contains("install the package nftables");
            assertThat(node.dataplane().observe(AgentRig.CHAIN, BOTH).families().values())
                    .allMatch(FamilyState.Unreadable.class::isInstance);
            assertThat(node.dataplane().remove(AgentRig.CHAIN, BOTH)).isEmpty();
            node.runner().show("nft");
            assertThat(new AgentRig(node.dataplane(), state).pass().inSync()).isTrue();
        }
    }

    /** Tools that answer as nft does where a test cannot bring it to; {@code null} lets the real one run. */
    private static CommandRunner answering(
            NftNode node, Function<List<String>, Optional<CommandRunner.Outcome>> answer) {
        return new TextRunner() {
            @Override
            public Outcome run(List<String> argv, String stdin, Duration limit) {
                return answer.apply(argv).orElseGet(() -> node.runner().run(argv, stdin, limit));
            }

            @Override
            public boolean has(String program) {
                return node.runner().has(program);
            }
        };
    }

    private static FailureCode observed(NftNode node, CommandRunner.Outcome outcome) {
        CommandRunner runner = answering(node, argv -> argv.contains("-j") ? Optional.of(outcome) : Optional.empty());
        FamilyState state = new NftablesDataplane(runner, node.files())
                .observe(AgentRig.CHAIN, Set.of(IPV4))
                .families()
                .get(IPV4);
        assertThat(state).isInstanceOf(FamilyState.Unreadable.class);
        return ((FamilyState.Unreadable) state).failure().code();
    }

    @Test
    void whatTheToolSaysIsToldApart() {
        try (NftNode node = new NftNode()) {
            assertThat(observed(node, new CommandRunner.Exited(1, "", "Error: JSON support not compiled-in\n")))
                    .isEqualTo(FailureCode.TOOL_MISSING);
            assertThat(observed(node, new CommandRunner.TimedOut(Duration.ofSeconds(30))))
                    .isEqualTo(FailureCode.TIMEOUT);
            assertThat(observed(node, new CommandRunner.NotStarted("Permission denied")))
                    .isEqualTo(FailureCode.TOOL_NOT_STARTED);
            assertThat(observed(node, new CommandRunner.NotStarted("No such file or directory")))
                    .isEqualTo(FailureCode.TOOL_MISSING);
            assertThat(observed(node, new CommandRunner.Unread("it does not fit")))
                    .isEqualTo(FailureCode.OUTPUT_TOO_BIG);
            assertThat(observed(
                            node,
                            new CommandRunner.Exited(
                                    1, "", "netlink: Error: cache initialization failed: Operation not permitted\n")))
                    .isEqualTo(FailureCode.NOT_PERMITTED);
            assertThat(observed(
                            node,
                            new CommandRunner.Exited(
                                    1, "", "Error: Could not process rule: Operation not supported\n")))
                    .isEqualTo(FailureCode.TABLE_MISSING);
            for (String odd : List.of("", "{}", "{\"nftables\": [{\"table\": ", "[1]", "{\"nftables\": []} x")) {
                assertThat(observed(node, new CommandRunner.Exited(0, odd, "")))
                        .as(odd)
                        .isEqualTo(FailureCode.UNREADABLE);
            }
        }
    }

    /** What goes wrong with the rules of others is reported, and does not keep us from our own table. */
    @Test
    void rulesOfOthersThatCannotBeReadAreNoReasonToStop() {
        try (NftNode node = new NftNode()) {
            CommandRunner runner = answering(
                    node,
                    argv -> argv.contains("chains")
                            ? Optional.of(new CommandRunner.TimedOut(Duration.ofSeconds(30)))
                            : Optional.empty());
            AgentStatus status = new AgentRig(new NftablesDataplane(runner, node.files()), state).pass();
            assertThat(status.inSync()).isTrue();
            assertThat(AgentRig.family(status, IPV4).shadows())
                    .singleElement()
                    .matches(shadow -> shadow.text().contains("cannot be read: nft did not end within 30 s"));
        }
    }

    private static Ruleset keeping(String... cidrs) {
        List<Rule> rules = new java.util.ArrayList<>();
        for (String cidr : cidrs) {
            rules.add(new Rule.Exempt(Cidr.of(cidr)));
        }
        rules.add(new Rule.MasqueradeRest(Optional.empty(), false));
        return Ruleset.of(AgentRig.CHAIN, Map.of(IPV4, new FamilyRules.Listed(AgentRig.CHAIN, rules)));
    }

    /** An edit of elements relies on what was read; when that is no longer so, the table is written as a whole. */
    @ParameterizedTest
    @EnumSource
    void aStaleLookCostsASecondWriteAndNothingElse(Meanwhile meanwhile) {
        try (NftNode node = new NftNode()) {
            NftablesDataplane dataplane = node.dataplane();
            dataplane.apply(keeping("10.0.0.0/8", "172.16.0.0/12"), dataplane.observe(AgentRig.CHAIN, BOTH));
            Observed look = dataplane.observe(AgentRig.CHAIN, BOTH);
            node.nft(meanwhile.command);
            node.runner().forget();
            Ruleset desired = keeping("10.0.0.0/8", "192.168.0.0/16");
            assertThat(dataplane.apply(desired, look).get(IPV4)).isInstanceOf(ApplyOutcome.Applied.class);
            assertThat(node.writes()).hasSize(2);
            assertThat(node.writes().getFirst().exitCode()).hasValue(1);
            assertThat(dataplane.apply(desired, dataplane.observe(AgentRig.CHAIN, BOTH)))
                    .containsEntry(IPV4, new ApplyOutcome.Unchanged());
        }
    }

    /** What somebody else does between a look and a write. */
    enum Meanwhile {
        DELETES_AN_ENTRY("delete element ip ip-masq-agent non-masquerade-cidrs { 172.16.0.0/12 }"),
        ADDS_THE_SAME_RANGE("add element ip ip-masq-agent non-masquerade-cidrs { 192.168.128.0/17 }"),
        FLUSHES_THE_JUMP("flush chain ip ip-masq-agent postrouting"),
        DELETES_THE_TABLE("delete table ip ip-masq-agent");

        private final String command;

        Meanwhile(String command) {
            this.command = command;
        }
    }

    /** Each entry counts the first packets of its own flows. */
    @Test
    void entriesCountForThemselves() {
        try (PacketLab lab = PacketLab.create()) {
            NetNsRunner runner = new NetNsRunner(lab.node());
            NftablesDataplane dataplane = new NftablesDataplane(runner, new NetNsFiles(lab.node()));
            AgentRig agent = new AgentRig(dataplane, state)
                    .config(
                            "masqueradeCIDRs: [10.20.0.0/16, 'fd00:20::/32']\nnonMasqueradeCIDRs: [10.0.0.0/8, 172.16.0.0/12, 'fc00::/7']\n");
            assertThat(agent.pass().inSync()).isTrue();
            lab.udp(addresses("10.20.0.1", "10.20.0.2", "10.1.1.1", "10.1.1.2", "10.1.1.3", "8.8.8.8", "fd00:20::1"));
            assertThat(counted(dataplane, IPV4))
                    .containsEntry("ip daddr 10.20.0.0/16 masquerade", 2L)
                    .containsEntry("ip daddr 10.0.0.0/8 return", 3L)
                    .containsEntry("ip daddr 172.16.0.0/12 return", 0L)
                    .containsEntry("ip daddr 169.254.0.0/16 return", 0L)
                    .containsEntry("counter masquerade", 1L);
            assertThat(counted(dataplane, IPV6)).containsEntry("ip6 daddr fd00:20::/32 masquerade", 1L);
            agent.config(
                            "masqueradeCIDRs: [10.20.0.0/16, 10.21.0.0/16, 'fd00:20::/32']\nnonMasqueradeCIDRs: [10.0.0.0/8, 'fc00::/7']\n")
                    .pass();
            assertThat(counted(dataplane, IPV4))
                    .as("an edit of the lists keeps the counters of what stays")
                    .containsEntry("ip daddr 10.20.0.0/16 masquerade", 2L)
                    .containsEntry("ip daddr 10.0.0.0/8 return", 3L)
                    .containsEntry("counter masquerade", 1L);
        }
    }

    private static List<IpAddress> addresses(String... addresses) {
        return java.util.stream.Stream.of(addresses).map(IpAddress::of).toList();
    }

    private static Map<String, Long> counted(NftablesDataplane dataplane, IpFamily family) {
        FamilyState state =
                dataplane.observeCounters(AgentRig.CHAIN, BOTH).families().get(family);
        Map<String, Long> counted = new java.util.HashMap<>();
        for (ObservedChain.Line line : ((FamilyState.Present) state).chain().lines()) {
            counted.put(line.text(), line.counters().packets());
        }
        return counted;
    }

    /** What other versions of the tool print, as far as their change logs say. */
    @Test
    void listsOfOneMayBePlainWords() {
        try (NftNode node = new NftNode()) {
            CommandRunner plain = rewriting(
                    node,
                    json -> json.replace("[\"interval\"]", "\"interval\"")
                            .replace("[\"daddr\"]", "\"daddr\"")
                            .replace("\"flags\": \"fully-random\"", "\"flags\": [\"fully-random\"]"));
            AgentRig agent =
                    new AgentRig(new NftablesDataplane(plain, node.files()), Profiles.named("upstream"), state);
            assertThat(agent.pass().inSync()).isTrue();
            node.runner().forget();
            assertThat(agent.pass().inSync()).isTrue();
            assertThat(node.writes()).isEmpty();
        }
    }

    private static CommandRunner rewriting(NftNode node, Function<String, String> change) {
        return new TextRunner() {
            @Override
            public Outcome run(List<String> argv, String stdin, Duration limit) {
                Outcome outcome = node.runner().run(argv, stdin, limit);
                return outcome instanceof Exited(int code, String out, String err) && argv.contains("-j")
                        ? new Exited(code, change.apply(out), err)
                        : outcome;
            }

            @Override
            public boolean has(String program) {
                return node.runner().has(program);
            }
        };
    }

    @Test
    void anOlderToolIsRefusedWithItsVersion() {
        try (NftNode node = new NftNode()) {
            CommandRunner old = answering(
                    node,
                    argv -> argv.contains("--version")
                            ? Optional.of(new CommandRunner.Exited(0, "nftables v1.0.2 (Lester Gooch)\n", ""))
                            : Optional.empty());
            AgentStatus status = new AgentRig(new NftablesDataplane(old, node.files()), state).pass();
            assertThat(AgentRig.family(status, IPV4).failure().orElseThrow().message())
                    .isEqualTo("nft is 1.0.2, and 1.0.6 or later is needed");
            assertThat(node.writes()).isEmpty();
        }
    }

    @ParameterizedTest
    @org.junit.jupiter.params.provider.ValueSource(strings = {"counter", "set", "10x", "limit"})
    void aChainNameThatNftCannotTakeIsSaidPlainly(String name) {
        try (NftNode node = new NftNode()) {
            Ruleset desired = Ruleset.of(
                    name,
                    Map.of(
                            IPV4,
                            new FamilyRules.Listed(name, List.of(new Rule.MasqueradeRest(Optional.empty(), false)))));
            assertThat(node.dataplane()
                            .apply(desired, node.dataplane().observe(name, BOTH))
                            .get(IPV4))
                    .isInstanceOfSatisfying(
                            ApplyOutcome.Failed.class,
                            failed -> assertThat(failed.failure().message())
                                    .startsWith("nft cannot take the chain name " + name));
        }
    }

    /** One process for a table, not one for each pod's chain. */
    @Test
    void aHundredChainsOfOthersCostAFewCalls() {
        try (NftNode node = new NftNode()) {
            StringBuilder cni = new StringBuilder("table ip cni {\n");
            for (int i = 0; i < 100; i++) {
                cni.append("chain CNI-")
                        .append(i)
                        .append(" {\nmasquerade comment \"pod ")
                        .append(i)
                        .append("\"\n}\n");
            }
            cni.append("chain post {\ntype nat hook postrouting priority 100; policy accept;\n");
            for (int i = 0; i < 100; i++) {
                cni.append("ip saddr 10.1.0.")
                        .append(i)
                        .append(" jump CNI-")
                        .append(i)
                        .append('\n');
            }
            node.nft(cni.append("}\n}\n").toString());
            node.runner().forget();
            FamilyState found =
                    node.dataplane().observe(AgentRig.CHAIN, BOTH).families().get(IPV4);
            assertThat(((FamilyState.Absent) found).shadows()).hasSize(100).allMatch(shadow -> shadow.narrowed());
            assertThat(node.runner().calls()).hasSizeLessThan(15);
        }
    }

    /** Of two ways into the same chain the one that sees every packet counts, whichever comes first. */
    @Test
    void ofTwoWaysIntoAChainOfOthersTheWideOneCounts() {
        try (NftNode node = new NftNode()) {
            node.nft("table ip other {\nchain y {\nmasquerade comment \"a\u001b[2Jb\"\n}\n"
                    + "chain x {\nip saddr 10.9.0.0/16 jump y\njump y\n}\n"
                    + "chain post {\ntype nat hook postrouting priority 100;\njump x\n}\n}");
            FamilyState found =
                    node.dataplane().observe(AgentRig.CHAIN, BOTH).families().get(IPV4);
            assertThat(((FamilyState.Absent) found).shadows())
                    .singleElement()
                    .satisfies(shadow -> assertThat(shadow.kind()).isEqualTo("shadowed-by"))
                    .satisfies(shadow -> assertThat(shadow.text())
                            .isEqualTo("ip other post: jump x => jump y => masquerade comment \"a\\u001b[2Jb\""));
        }
    }
}
