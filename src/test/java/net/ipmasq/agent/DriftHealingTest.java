package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static net.ipmasq.rules.Drift.Kind.CHAIN_MISSING;
import static net.ipmasq.rules.Drift.Kind.JUMP_DUPLICATE;
import static net.ipmasq.rules.Drift.Kind.JUMP_MISSING;
import static net.ipmasq.rules.Drift.Kind.JUMP_VARIANT;
import static net.ipmasq.rules.Drift.Kind.RULE_MISSING;
import static net.ipmasq.rules.Drift.Kind.RULE_ORDER;
import static net.ipmasq.rules.Drift.Kind.RULE_UNEXPECTED;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.ipmasq.dataplane.Gates;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Damage by hand, in a kernel where others have rules too: named, healed in the next pass and counted once; although the
 * dataplane reads nothing while the generation stands still.
 */
@NeedsKernel
class DriftHealingTest {
    private static final String CONFIG = """
            masqueradeCIDRs: [10.10.10.10/32, fd00::10/128]
            nonMasqueradeCIDRs: [10.0.0.0/8, fc00::/7]
            """;

    @TempDir
    private Path state;

    /** What was done, as words after {@code iptables -t nat}, and what it has to be called. */
    record Damage(String name, List<String> words, List<Drift.Kind> kinds) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Damage damage(String name, String words, Drift.Kind... kinds) {
        return new Damage(name, words.lines().toList(), List.of(kinds));
    }

    static Stream<Arguments> damages() {
        String to = "-A IP-MASQ-AGENT -j RETURN";
        List<Damage> damages = List.of(
                damage("chain flushed", "-F IP-MASQ-AGENT", RULE_MISSING, RULE_MISSING, RULE_MISSING, RULE_MISSING),
                damage(
                        "our part of the table gone",
                        "-D POSTROUTING $JUMP\n-F IP-MASQ-AGENT\n-X IP-MASQ-AGENT",
                        JUMP_MISSING,
                        CHAIN_MISSING),
                damage("jump deleted", "-D POSTROUTING $JUMP", JUMP_MISSING),
                damage("jump twice", "-A POSTROUTING $JUMP", JUMP_DUPLICATE),
                damage("jump moved", "-D POSTROUTING $JUMP\n-I POSTROUTING $JUMP"),
                damage("bare jump first", "-I POSTROUTING -j IP-MASQ-AGENT", JUMP_VARIANT),
                damage(
                        "jump replaced by a bare one",
                        "-I POSTROUTING -j IP-MASQ-AGENT\n-D POSTROUTING $JUMP",
                        JUMP_VARIANT),
                damage("a rule deleted", "-D IP-MASQ-AGENT 2", RULE_MISSING),
                damage("a rule inserted", "-I IP-MASQ-AGENT -p tcp --dport 25 -j RETURN", RULE_UNEXPECTED),
                damage("a rule appended", to, RULE_UNEXPECTED),
                damage(
                        "two appended, one deleted, jump twice",
                        to + "\n" + to + "\n-D IP-MASQ-AGENT 1\n-A POSTROUTING $JUMP",
                        JUMP_DUPLICATE,
                        RULE_UNEXPECTED,
                        RULE_UNEXPECTED,
                        RULE_MISSING),
                damage(
                        "first rule last",
                        "-D IP-MASQ-AGENT 1\n-A IP-MASQ-AGENT -d $ONE -m comment --comment 'ip-masq-agent: specific"
                                + " outbound traffic is subject to MASQUERADE' -j MASQUERADE",
                        RULE_ORDER));
        return Stream.of(Variant.values())
                .flatMap(variant -> damages.stream().map(damage -> Arguments.of(variant, damage)));
    }

    private static void others(NodeKernel node, IpFamily family) {
        String source = family == IPV4 ? "172.17.0.0/16" : "fd17::/64";
        node.load(
                family,
                ":DOCKER - [0:0]",
                ":KUBE-POSTROUTING - [0:0]",
                "-A POSTROUTING -m comment --comment \"kubernetes postrouting rules\" -j KUBE-POSTROUTING",
                "-A POSTROUTING -s " + source + " ! -o docker0 -j MASQUERADE",
                "-A POSTROUTING -s " + source + " -o eth7 -j IP-MASQ-AGENT-2",
                "-A DOCKER -i docker0 -m comment --comment \"it's \\\"theirs\\\", a\\\\b\" -j RETURN",
                "-A KUBE-POSTROUTING -m mark ! --mark 0x4000/0x4000 -j RETURN",
                "-A KUBE-POSTROUTING -j MARK --set-xmark 0x4000/0x0",
                "-A KUBE-POSTROUTING -j MASQUERADE --random-fully");
    }

    @ParameterizedTest(name = "{0} {1}")
    @MethodSource("damages")
    void isNamedHealedAndCountedOnce(Variant variant, Damage damage) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            Map<IpFamily, List<String>> strangers = new EnumMap<>(IpFamily.class);
            for (IpFamily family : IpFamily.values()) {
                node.load(family, ":IP-MASQ-AGENT-2 - [0:0]");
                others(node, family);
            }
            AgentRig agent = new AgentRig(Gates.of(node.ns(), node.dataplane()), state).config(CONFIG);
            assertThat(agent.pass().families().values())
                    .allMatch(family -> family.driftTotals().isEmpty());
            List<String> v6 = node.nat(IPV6);
            List<String> whole = node.ours(IPV4);
            for (IpFamily family : IpFamily.values()) {
                strangers.put(family, strangers(node, family));
            }
            String jump = whole.getFirst().substring("-A POSTROUTING ".length());
            for (String words : damage.words()) {
                node.hand(IPV4, words.replace("$JUMP", jump).replace("$ONE", "10.10.10.10"));
            }

            AgentStatus healed = agent.pass();
            assertThat(AgentRig.drift(healed, IPV4)).isEqualTo(damage.kinds());
            assertThat(AgentRig.drift(healed, IPV6)).isEmpty();
            assertThat(healed.inSync()).isTrue();
            assertThat(node.ours(IPV4)).containsExactlyInAnyOrderElementsOf(whole);
            assertThat(node.ours(IPV4).stream().filter(line -> !line.contains("POSTROUTING")))
                    .isEqualTo(whole.subList(1, whole.size()));
            assertThat(node.nat(IPV6)).isEqualTo(v6);

            AgentStatus after = agent.pass();
            assertThat(AgentRig.drift(after, IPV4)).isEmpty();
            assertThat(AgentRig.family(after, IPV4).driftTotals().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(damage.kinds().size());
            strangers.forEach(
                    (family, lines) -> assertThat(strangers(node, family)).isEqualTo(lines));
        }
    }

    /** Everything but our chain and the jumps to it, the other agent's chain of a longer name included. */
    private static List<String> strangers(NodeKernel node, IpFamily family) {
        return node.nat(family).stream()
                .filter(line -> !line.startsWith("-A IP-MASQ-AGENT ")
                        && !line.endsWith("-j IP-MASQ-AGENT")
                        && !line.startsWith(":IP-MASQ-AGENT "))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aFlushOfTheWholeTableIsHealedInBothFamilies(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig agent = new AgentRig(Gates.of(node.ns(), node.dataplane()), state).config(CONFIG);
            agent.pass();
            List<List<String>> before = List.of(node.nat(IPV4), node.nat(IPV6));
            for (IpFamily family : IpFamily.values()) {
                node.hand(family, "-F");
            }
            AgentStatus status = agent.pass();
            for (IpFamily family : IpFamily.values()) {
                assertThat(AgentRig.drift(status, family))
                        .containsExactly(JUMP_MISSING, RULE_MISSING, RULE_MISSING, RULE_MISSING, RULE_MISSING);
            }
            assertThat(List.of(node.nat(IPV4), node.nat(IPV6))).isEqualTo(before);
        }
    }

    @Test
    void ourOwnWritesAreNoDrift() {
        try (NodeKernel node = NodeKernel.create(Variant.NFT)) {
            AgentRig agent = new AgentRig(node.dataplane(), state).config(CONFIG);
            agent.pass();
            agent.config("masqueradeCIDRs: []").pass();
            node.hand(IPV4, "-F");
            // a changed text in the very pass that finds damage: the kernel never held those rules
            AgentStatus changed = agent.config(CONFIG).pass();
            AgentStatus restarted = agent.restarted().config("{}").pass();
            for (AgentStatus status : List.of(changed, restarted)) {
                assertThat(status.families().values())
                        .allMatch(family -> family.driftTotals().isEmpty());
            }
        }
    }
}
