package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.TextRunner;
import net.ipmasq.observe.Conditions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tools and kernels that refuse something: the real tools, with one answer changed. */
@NeedsKernel
class OddToolsTest {
    @TempDir
    private Path state;

    /** Gives its own answer where it has one. */
    private interface ToolRefusal {
        Optional<CommandRunner.Outcome> answer(List<String> argv, String stdin);
    }

    private AgentRig agent(NodeKernel node, String profile, ToolRefusal refusal) {
        CommandRunner runner = new TextRunner() {
            @Override
            public Outcome run(List<String> argv, String stdin, Duration limit) {
                return refusal.answer(argv, stdin).orElseGet(() -> node.runner().run(argv, stdin, limit));
            }

            @Override
            public boolean has(String program) {
                return node.runner().has(program);
            }
        };
        return new AgentRig(
                new IptablesDataplane(runner, node.files(), Optional.of(node.variant())),
                Profiles.named(profile),
                state);
    }

    private static Optional<CommandRunner.Outcome> exit(int code, String stdout, String stderr) {
        return Optional.of(new CommandRunner.Exited(code, stdout, stderr));
    }

    @Test
    void aToolWithoutRandomFullyGetsRulesWithoutIt() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            AgentRig agent = agent(node, "upstream", (argv, stdin) -> {
                if (argv.contains("--version")) {
                    return exit(0, "iptables v1.6.1 (nf_tables)\n", "");
                }
                return stdin.contains("--random-fully")
                        ? exit(2, "", "iptables-restore v1.6.1: unknown option \"--random-fully\"\n")
                        : Optional.empty();
            });
            AgentStatus first = agent.pass();
            assertThat(AgentRig.failure(first, IPV4)).hasValue("rejected");
            assertThat(AgentRig.family(first, IPV4).failure().orElseThrow().oneLine())
                    .contains("older than 1.6.2");
            assertThat(agent.loop().nextDelay()).isEqualTo(Duration.ofSeconds(1));
            AgentStatus second = agent.pass();
            assertThat(second.inSync()).isTrue();
            assertThat(second.issue()).containsKey("RandomFully");
            assertThat(node.ours(IPV4)).hasSize(6).noneMatch(line -> line.contains("--random-fully"));
            assertThat(agent.pass().families().get(IPV4).written()).isZero();
        }
    }

    /** No process can be started for the question, and a rule is refused for another reason. */
    @Test
    void aToolThatCannotBeAskedForItsVersionIsNotHeldToBeTooOld() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            java.util.concurrent.atomic.AtomicBoolean bad = new java.util.concurrent.atomic.AtomicBoolean(true);
            AgentRig agent = agent(node, "upstream", (argv, stdin) -> {
                if (bad.get() && argv.contains("--version")) {
                    return Optional.of(new CommandRunner.NotStarted("Resource temporarily unavailable"));
                }
                return bad.get() && !stdin.isEmpty() ? exit(2, "", "Memory allocation problem\n") : Optional.empty();
            });
            assertThat(AgentRig.failure(agent.pass(), IPV4)).hasValue("rejected");
            bad.set(false);
            AgentStatus second = agent.pass();
            assertThat(second.issue()).doesNotContainKey("RandomFully");
            assertThat(node.ours(IPV4)).anyMatch(line -> line.contains("--random-fully"));
        }
    }

    @Test
    void aToolThatHasItIsAskedForNoVersion() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            AgentRig agent = agent(node, "upstream", (argv, stdin) -> Optional.empty());
            assertThat(agent.pass().inSync()).isTrue();
            assertThat(node.runner().calls(call -> call.argv().contains("--version")))
                    .isEmpty();
            assertThat(node.ours(IPV4)).anyMatch(line -> line.endsWith("--random-fully"));
        }
    }

    /** The table is not looked at before it exists, so the kernel's answer comes with the first write. */
    @Test
    void aLegacyKernelWithoutIpv6NatGetsItsIpv4Rules() {
        try (NodeKernel node = NodeKernel.create(Variant.LEGACY)) {
            AgentRig agent = agent(
                    node,
                    "cce",
                    (argv, stdin) -> argv.getFirst().equals("ip6tables-legacy-restore")
                            ? exit(
                                    3,
                                    "",
                                    "ip6tables-restore v1.8.9 (legacy): can't initialize ip6tables table `nat': Table"
                                            + " does not exist (do you need to insmod?)\n")
                            : Optional.empty());
            for (int i = 0; i < 2; i++) {
                AgentStatus status = agent.pass();
                assertThat(status.managed()).containsExactly(IPV4);
                assertThat(status.inSync()).isTrue();
                assertThat(AgentRig.family(status, IPV6).why()).contains("Table does not exist");
                assertThat(Conditions.degraded(status).status()).isFalse();
            }
            assertThat(node.ours(IPV4)).isNotEmpty();
        }
    }

    @Test
    void aToolThatNeverEndsIsATimeout() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            AgentRig agent = agent(
                    node,
                    "cce",
                    (argv, stdin) -> argv.getFirst().equals("iptables-nft-save")
                            ? Optional.of(new CommandRunner.TimedOut(Duration.ofSeconds(30)))
                            : Optional.empty());
            AgentStatus status = agent.pass();
            assertThat(AgentRig.failure(status, IPV4)).hasValue("timeout");
            assertThat(AgentRig.family(status, IPV6).inSync()).isTrue();
            assertThat(node.ours(IPV4)).isEmpty();
        }
    }

    /** One fork that fails must not leave IPv6 unmanaged, nor wait for the next interval. */
    @Test
    void aToolThatCannotBeStartedJustNowIsTriedAgainSoon() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            boolean[] refuses = {true};
            AgentRig agent = agent(
                    node,
                    "cce",
                    (argv, stdin) -> refuses[0] && argv.getFirst().startsWith("ip6tables")
                            ? Optional.of(new CommandRunner.NotStarted(
                                    "Exec failed, error: 11 (Resource temporarily unavailable)"))
                            : Optional.empty());
            AgentStatus status = agent.pass();
            assertThat(status.managed()).containsExactly(IPV4, IPV6);
            assertThat(AgentRig.failure(status, IPV6)).hasValue("tool-not-started");
            assertThat(AgentRig.family(status, IPV6).failure().orElseThrow().oneLine())
                    .contains("Resource temporarily unavailable", "it is tried again");
            assertThat(status.node().failureTotals()).containsEntry("tool-not-started", 1L);
            assertThat(AgentRig.family(status, IPV4).inSync()).isTrue();
            assertThat(Conditions.degraded(status).status()).isTrue();
            assertThat(agent.loop().nextDelay()).isEqualTo(Duration.ofSeconds(1));
            refuses[0] = false;
            assertThat(agent.pass().inSync()).isTrue();
        }
    }

    @Test
    void anOutputThatCannotBeTakenIsNamed() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            AgentRig agent = agent(
                    node,
                    "cce",
                    (argv, stdin) -> argv.getFirst().equals("iptables-nft-save")
                            ? Optional.of(new CommandRunner.Unread("it does not fit the memory of this process"))
                            : Optional.empty());
            AgentStatus status = agent.pass();
            assertThat(AgentRig.failure(status, IPV4)).hasValue("output-too-big");
            assertThat(AgentRig.family(status, IPV6).inSync()).isTrue();
            assertThat(node.ours(IPV4)).isEmpty();
        }
    }
}
