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
import java.util.List;
import java.util.stream.Stream;
import net.ipmasq.dataplane.nftables.NftNode;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.rules.Drift;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Damage by hand to our nft tables: named, healed in the next pass, counted once; tables of others stay as they are. */
@NeedsKernel(tools = {"ip", "nft"})
class NftDriftTest {
    private static final String CONFIG = """
            masqueradeCIDRs: [10.10.10.10/32, fd00::10/128]
            nonMasqueradeCIDRs: [10.0.0.0/8, 192.168.0.0/16, fc00::/7]
            """;
    private static final String OTHERS = """
            table ip theirs {
              set nodes { type ipv4_addr; flags interval; elements = { 192.0.2.0/24 }
              }
              chain post {
                type nat hook postrouting priority srcnat; policy accept;
                ip saddr @nodes oifname "docker0" masquerade comment "it's theirs"
              }
            }
            table inet filter {
              chain input {
                type filter hook input priority filter; policy accept;
                tcp dport 22 counter accept
              }
            }
            """;

    @TempDir
    private Path state;

    /** What was done by hand to {@code table ip ip-masq-agent}, $T, and what it has to be called. */
    record Damage(String name, String commands, List<Drift.Kind> kinds) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Damage damage(String name, String commands, Drift.Kind... kinds) {
        return new Damage(name, commands, List.of(kinds));
    }

    static Stream<Damage> damages() {
        Drift.Kind[] allRules = {RULE_MISSING, RULE_MISSING, RULE_MISSING, RULE_MISSING, RULE_MISSING};
        Drift.Kind[] twoOfASet = {RULE_MISSING, RULE_MISSING};
        return Stream.of(
                damage("table gone", "delete table $T", JUMP_MISSING, CHAIN_MISSING),
                damage("chain flushed", "flush chain $T IP-MASQ-AGENT", allRules),
                damage("table flushed", "flush table $T", with(JUMP_MISSING, allRules)),
                damage("set flushed", "flush set $T non-masquerade-cidrs", twoOfASet),
                damage("entry removed", "delete element $T non-masquerade-cidrs { 10.0.0.0/8 }", RULE_MISSING),
                damage("entry added", "add element $T non-masquerade-cidrs { 8.8.8.8 }", RULE_UNEXPECTED),
                damage("range added", "add element $T non-masquerade-cidrs { 8.8.8.8-8.8.8.20 }", RULE_UNEXPECTED),
                damage("entry in the wrong set", "add element $T masquerade-cidrs { 172.16.0.0/12 }", RULE_UNEXPECTED),
                damage("jump deleted", "flush chain $T postrouting", JUMP_MISSING),
                damage("jump twice", "add rule $T postrouting $JUMP", JUMP_DUPLICATE),
                damage("bare jump first", "insert rule $T postrouting jump IP-MASQ-AGENT", JUMP_VARIANT),
                damage("goto", "flush chain $T postrouting; add rule $T postrouting goto IP-MASQ-AGENT", JUMP_VARIANT),
                damage(
                        "rule inserted",
                        "insert rule $T IP-MASQ-AGENT tcp dport { 25, 465, 587 } accept",
                        RULE_UNEXPECTED),
                damage("rule appended", "add rule $T IP-MASQ-AGENT return", RULE_UNEXPECTED),
                damage("first rule last", "$FIRST_LAST", RULE_ORDER),
                damage("first rule deleted", "$DELETE_FIRST", RULE_MISSING),
                damage("masquerade of another kind", "$PERSISTENT", RULE_UNEXPECTED, RULE_MISSING),
                damage("table asleep", "add table $T { flags dormant; }", JUMP_MISSING, CHAIN_MISSING));
    }

    private static Drift.Kind[] with(Drift.Kind first, Drift.Kind... others) {
        return Stream.concat(Stream.of(first), Stream.of(others)).toArray(Drift.Kind[]::new);
    }

    private static String words(NftNode node, String commands) {
        String table = NftNode.table(IPV4);
        List<Long> handles = node.handles(IPV4, NftNode.CHAIN);
        String chain = table + " " + NftNode.CHAIN;
        String first = node.rules(IPV4, NftNode.CHAIN).getFirst();
        return commands.replace(
                        "$FIRST_LAST",
                        "delete rule " + chain + " handle " + handles.getFirst() + "; add rule " + chain + " " + first)
                .replace("$DELETE_FIRST", "delete rule " + chain + " handle " + handles.getFirst())
                .replace(
                        "$PERSISTENT",
                        "replace rule " + chain + " handle " + handles.getLast() + " counter masquerade persistent")
                .replace("$JUMP", node.rules(IPV4, "postrouting").getFirst())
                .replace("$T", table);
    }

    @ParameterizedTest
    @MethodSource("damages")
    void isNamedHealedAndCountedOnce(Damage damage) {
        try (NftNode node = new NftNode()) {
            node.nft(OTHERS);
            List<String> others = others(node);
            AgentRig agent = new AgentRig(node.dataplane(), state).config(CONFIG);
            assertThat(agent.pass().inSync()).isTrue();
            String v4 = node.json(IPV4);
            String v6 = node.json(IPV6);

            node.nft(words(node, damage.commands()));
            AgentStatus healed = agent.pass();
            assertThat(AgentRig.drift(healed, IPV4)).as("%s", healed.families()).isEqualTo(damage.kinds());
            assertThat(AgentRig.drift(healed, IPV6)).isEmpty();
            assertThat(healed.inSync()).as("%s", healed.families()).isTrue();
            assertThat(withoutHandles(node.json(IPV4))).isEqualTo(withoutHandles(v4));
            assertThat(node.json(IPV6)).isEqualTo(v6);

            int writes = node.writes().size();
            AgentStatus after = agent.pass();
            assertThat(AgentRig.drift(after, IPV4)).isEmpty();
            assertThat(node.writes()).hasSize(writes);
            assertThat(AgentRig.family(after, IPV4).driftTotals().values().stream()
                            .mapToLong(Long::longValue)
                            .sum())
                    .isEqualTo(damage.kinds().size());
            assertThat(others(node)).isEqualTo(others);
        }
    }

    private static List<String> others(NftNode node) {
        return List.of(
                node.ns().run("nft", "-a", "list", "table", "ip", "theirs"),
                node.ns().run("nft", "-a", "list", "table", "inet", "filter"));
    }

    private static String withoutHandles(String json) {
        return json.replaceAll("\"handle\": \\d+", "");
    }

    /** A chain of our name that somebody hooked elsewhere does nothing for us, whatever rules it has. */
    @Test
    void aBaseChainThatIsNotHookedAsOursIs() {
        try (NftNode node = new NftNode()) {
            AgentRig agent = new AgentRig(node.dataplane(), state).config(CONFIG);
            agent.pass();
            String jump = node.rules(IPV4, "postrouting").getFirst();
            String table = NftNode.table(IPV4);
            node.nft("delete chain " + table + " postrouting\n"
                    + "add chain " + table
                    + " postrouting { type nat hook postrouting priority srcnat; policy accept; }\n"
                    + "add rule " + table + " postrouting " + jump);
            AgentStatus healed = agent.pass();
            assertThat(AgentRig.drift(healed, IPV4)).containsExactly(JUMP_VARIANT);
            assertThat(healed.inSync()).isTrue();
            assertThat(node.json(IPV4)).contains("\"prio\": 105");
        }
    }

    /** Elements that only count differently, or expire, are not ours. */
    @Test
    void aSetThatIsNotOfOurKind() {
        try (NftNode node = new NftNode()) {
            AgentRig agent = new AgentRig(node.dataplane(), state).config(CONFIG);
            agent.pass();
            String table = NftNode.table(IPV4);
            String rule = node.rules(IPV4, NftNode.CHAIN).get(2);
            node.nft("delete rule " + table + " " + NftNode.CHAIN + " handle "
                    + node.handles(IPV4, NftNode.CHAIN).get(2) + "\n"
                    + "delete set " + table + " non-masquerade-cidrs\n"
                    + "add set " + table + " non-masquerade-cidrs { type ipv4_addr; flags interval, timeout; }\n"
                    + "add element " + table + " non-masquerade-cidrs { 10.0.0.0/8 timeout 1h }\n"
                    + "add rule " + table + " " + NftNode.CHAIN + " " + rule);
            AgentStatus healed = agent.pass();
            assertThat(AgentRig.drift(healed, IPV4)).contains(RULE_UNEXPECTED, RULE_MISSING);
            assertThat(healed.inSync()).isTrue();
            assertThat(node.json(IPV4)).doesNotContain("timeout");
        }
    }
}
