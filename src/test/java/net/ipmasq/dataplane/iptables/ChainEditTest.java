package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** An edited list is written as the few lines that differ, and the kernel then holds all of it. */
class ChainEditTest {
    private static final EnumSet<IpFamily> V4 = EnumSet.of(IpFamily.IPV4);
    private static final int EDITS = 80;

    private static FamilyRules rules(List<Rule> rules) {
        return new FamilyRules.Listed(NodeKernel.CHAIN, rules);
    }

    private static Rule keep(int i) {
        return new Rule.Exempt(Cidr.of("10." + (i >>> 8) + "." + (i & 255) + ".0/24"));
    }

    private static List<Rule> keeps(int count) {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            rules.add(keep(i));
        }
        return rules;
    }

    private static ObservedChain shown(List<Rule> rules) {
        String save = IptablesRenderer.render(rules(rules))
                .replaceFirst("-A POSTROUTING", ":POSTROUTING ACCEPT [0:0]\n-A POSTROUTING");
        return ((IptablesParser.Understood) IptablesParser.parse(save, IpFamily.IPV4, NodeKernel.CHAIN)).chain();
    }

    @Test
    void oneEntryMoreInALongListIsOneLine() {
        List<Rule> before = keeps(4000);
        List<Rule> after = new ArrayList<>(before);
        after.add(2000, keep(5000));
        assertThat(IptablesRenderer.restore(rules(after), shown(before)))
                .isEqualTo("*nat\n-I IP-MASQ-AGENT 2001"
                        + IptablesRenderer.line(NodeKernel.CHAIN, keep(5000)).substring("-A IP-MASQ-AGENT".length())
                        + "\nCOMMIT\n");
    }

    @Test
    void aListThatChangedAllOverIsWrittenWhole() {
        List<Rule> before = keeps(200);
        List<Rule> after = new ArrayList<>(before.reversed());
        assertThat(IptablesRenderer.restore(rules(after), shown(before)))
                .startsWith("*nat\n:IP-MASQ-AGENT - [0:0]\n")
                .doesNotContain("-I ", "-D ");
    }

    @NeedsKernel
    @ParameterizedTest
    @EnumSource
    void anyEditOfAListArrives(Variant variant) {
        long seed = Long.getLong("ipmasq.seed", System.nanoTime());
        Random random = new Random(seed);
        try (NodeKernel node = NodeKernel.create(variant)) {
            List<Rule> list = keeps(20);
            apply(node, list);
            for (int i = 0; i < EDITS; i++) {
                List<Rule> edited = edited(list, random, i);
                Map<IpFamily, ApplyOutcome> outcomes = apply(node, edited);
                assertThat(outcomes.get(IpFamily.IPV4))
                        .as("-Dipmasq.seed=%d", seed)
                        .isNotInstanceOf(ApplyOutcome.Failed.class);
                assertThat(Drift.between(rules(edited), held(node)))
                        .as("-Dipmasq.seed=%d edit %d", seed, i)
                        .isEmpty();
                list = edited;
            }
        }
    }

    private static List<Rule> edited(List<Rule> list, Random random, int edit) {
        List<Rule> edited = new ArrayList<>(list);
        for (int many = 1 + random.nextInt(3); many > 0; many--) {
            int at = random.nextInt(edited.size() + 1);
            if (random.nextBoolean() || edited.size() < 5 || at == edited.size()) {
                edited.add(at, keep(1000 + edit * 4 + many));
            } else {
                edited.remove(at);
            }
        }
        return edited;
    }

    @NeedsKernel
    @ParameterizedTest
    @EnumSource
    void countersOfUntouchedRulesGoOn(Variant variant) {
        try (NodeKernel node = NodeKernel.create(variant)) {
            apply(node, keeps(6));
            String counted = counted(node)
                    .replaceFirst(
                            "\\[0:0\\] -A IP-MASQ-AGENT -d 10\\.0\\.1\\.0/24",
                            "[7:700] -A IP-MASQ-AGENT -d 10.0.1.0/24");
            node.ns().runWith(counted, node.tool(IpFamily.IPV4, "-restore"), "-c", "-w", "5");
            List<Rule> edited = keeps(6);
            edited.remove(4);
            apply(node, edited);
            assertThat(counted(node))
                    .contains("[7:700] -A IP-MASQ-AGENT -d 10.0.1.0/24")
                    .doesNotContain("10.0.4.0/24");
        }
    }

    private static String counted(NodeKernel node) {
        return node.ns().run(node.tool(IpFamily.IPV4, "-save"), "-c", "-t", "nat");
    }

    private static Map<IpFamily, ApplyOutcome> apply(NodeKernel node, List<Rule> list) {
        Observed before = node.dataplane().observe(NodeKernel.CHAIN, V4);
        return node.dataplane().apply(Ruleset.of(NodeKernel.CHAIN, Map.of(IpFamily.IPV4, rules(list))), before);
    }

    private static ObservedChain held(NodeKernel node) {
        return ((FamilyState.Present) node.dataplane()
                        .observe(NodeKernel.CHAIN, V4)
                        .families()
                        .get(IpFamily.IPV4))
                .chain();
    }
}
