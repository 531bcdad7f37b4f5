package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import net.ipmasq.generator.Draws;
import net.ipmasq.generator.Property;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.Rule;
import org.junit.jupiter.api.Test;

/** What is rendered is read back as it was, and no text whatever upsets the parser. */
class IptablesParserPropertiesTest {
    private static final String CHAIN = NodeKernel.CHAIN;

    private static final List<String> PIECES = List.of(
            "\n",
            "\n",
            "\n-A " + CHAIN,
            "\n-A POSTROUTING",
            "\n:" + CHAIN + " - [0:0]",
            "\n:",
            "\n*nat",
            "\n[1:2] -A X",
            "\n[",
            "] ",
            "\n# Table `nat' is incompatible",
            " ",
            " ! ",
            " -d",
            " -d 10.0.0.0/8",
            " -d fe80::/10",
            " -s 1.2.3.4",
            " -p",
            " -p tcp",
            " -p sctp",
            " -m",
            " -m comment",
            " --comment",
            " --comment \"",
            "\"",
            "\\",
            "\\\"",
            " -m addrtype ! --dst-type LOCAL",
            " -m statistic --mode random --probability",
            " 0.5",
            " NaN",
            " -1e400",
            " 7",
            " -j",
            " -j " + CHAIN,
            " -g " + CHAIN,
            " -j MASQUERADE",
            " -j RETURN",
            " --to-ports",
            " 1-2",
            " 70000",
            " 5-4",
            " --random-fully",
            " -j SNAT --to-source 1.1.1.1",
            " -m mark",
            " --mark 0x4000/0x4000",
            "\nCOMMIT");

    private static ObservedChain parse(String text, IpFamily family) {
        IptablesParser.Result result = IptablesParser.parse(text, family, CHAIN);
        assertThat(result).isInstanceOf(IptablesParser.Understood.class);
        return ((IptablesParser.Understood) result).chain();
    }

    private static List<Rule> rules(ObservedChain chain) {
        return chain.lines().stream().map(line -> line.rule().orElseThrow()).toList();
    }

    @Test
    void whatIsRenderedIsReadBack() {
        Property.tries(3000).forAll(Draws::anyLong, IptablesParserPropertiesTest::family, (seed, family) -> {
            FamilyRules desired = RandomRules.of(seed, family);
            ObservedChain observed = parse(IptablesRenderer.render(desired), family);
            assertThat(rules(observed)).isEqualTo(desired.ordered());
            assertThat(observed.jumps())
                    .singleElement()
                    .matches(jump -> jump.kind() == ObservedChain.Jump.Kind.CANONICAL);
            assertThat(Drift.between(desired, observed)).isEmpty();
        });
    }

    /** Each rule of its own text, so that a rule is never read as another one. */
    @Test
    void noOtherRulesAreReadAsThese() {
        Property.tries(2000)
                .forAll(Draws::anyLong, Draws::anyLong, IptablesParserPropertiesTest::family, (one, two, family) -> {
                    FamilyRules first = RandomRules.of(one, family);
                    FamilyRules second = RandomRules.of(two, family);
                    ObservedChain observed = parse(IptablesRenderer.render(first), family);
                    assertThat(Drift.between(second, observed).isEmpty())
                            .isEqualTo(first.ordered().equals(second.ordered()));
                });
    }

    @Test
    void rulesOfOthersChangeNothing() {
        Property.tries(500).forAll(Draws::anyLong, IptablesParserPropertiesTest::family, (seed, family) -> {
            FamilyRules desired = RandomRules.of(seed, family);
            String others = """
                    :KUBE-SERVICES - [0:0]
                    :X%1$s - [0:0]
                    -A POSTROUTING -m comment --comment "a ""-j %1$s"" \\"quoted\\" -A %1$s" -j X%1$s
                    -A X%1$s -m comment --comment "two
                    -A %1$s -j ACCEPT
                    lines" -j RETURN
                    -A KUBE-SERVICES -m comment --comment "-j %1$s" -j RETURN
                    """.formatted(CHAIN);
            ObservedChain observed =
                    parse(IptablesRenderer.render(desired).replace("COMMIT\n", others + "COMMIT\n"), family);
            assertThat(rules(observed)).isEqualTo(desired.ordered());
            assertThat(observed.jumps()).hasSize(1);
            assertThat(observed.references()).isEmpty();
        });
    }

    @Test
    void aTextThatWasCutOffIsNeverUnderstood() {
        Property.tries(500).forAll(Draws::anyLong, IptablesParserPropertiesTest::family, (seed, family) -> {
            String whole = IptablesRenderer.render(RandomRules.of(seed, family));
            int cut = Math.floorMod(seed, whole.length() - 1);
            assertThat(IptablesParser.parse(whole.substring(0, cut), family, CHAIN))
                    .isInstanceOf(IptablesParser.NotUnderstood.class);
        });
    }

    /** An edit carried out line by line, as iptables-restore does it, gives what was wanted. */
    @Test
    void anEditGivesWhatWasWanted() {
        Property.tries(3000)
                .forAll(Draws::anyLong, Draws::anyLong, IptablesParserPropertiesTest::family, (one, two, family) -> {
                    FamilyRules before = RandomRules.of(one, family);
                    FamilyRules desired = RandomRules.edited(before, two, family);
                    String payload = IptablesRenderer.restore(desired, parse(IptablesRenderer.render(before), family));
                    List<String> lines = new ArrayList<>(before.ordered().stream()
                            .map(rule -> IptablesRenderer.line(CHAIN, rule))
                            .toList());
                    for (String line : payload.lines().toList()) {
                        String[] words = line.split(" ", 4);
                        switch (words[0]) {
                            case ":" + CHAIN -> lines.clear();
                            case "-D" -> lines.remove(Integer.parseInt(words[2]) - 1);
                            case "-I" -> lines.add(Integer.parseInt(words[2]) - 1, "-A " + CHAIN + " " + words[3]);
                            case "-A" -> lines.add(line);
                            default -> assertThat(line).isIn("*nat", "COMMIT");
                        }
                    }
                    assertThat(lines)
                            .isEqualTo(desired.ordered().stream()
                                    .map(rule -> IptablesRenderer.line(CHAIN, rule))
                                    .toList());
                });
    }

    @Test
    void arbitraryTextIsSurvived() {
        Property.tries(2000).forAll(draws -> draws.text(255), IptablesParserPropertiesTest::family, (text, family) -> {
            assertThat(IptablesParser.parse(text, family, CHAIN)).isNotNull();
            assertThat(IptablesParser.parse("*nat\n" + text + "\nCOMMIT\n", family, CHAIN))
                    .isNotNull();
            assertThat(IptablesParser.parse(
                            "*nat\n:" + CHAIN + " - [0:0]\n-A " + CHAIN + " " + text + "\nCOMMIT\n", family, CHAIN))
                    .isNotNull();
        });
    }

    @Test
    void wordsOfSavesInAnyOrderAreSurvived() {
        Property.tries(3000)
                .forAll(
                        draws -> draws.list(40, some -> some.of(PIECES)),
                        IptablesParserPropertiesTest::family,
                        (words, family) -> {
                            IptablesParser.Result result = IptablesParser.parse(
                                    "*nat\n" + String.join("", words) + "\nCOMMIT\n", family, CHAIN);
                            if (result instanceof IptablesParser.Understood understood) {
                                // whatever was understood can be turned into what is wanted, in one transaction
                                FamilyRules desired = RandomRules.of(words.hashCode(), family);
                                String payload = IptablesRenderer.restore(desired, understood.chain());
                                assertThat(payload).startsWith("*nat\n").endsWith("COMMIT\n");
                                assertThat(IptablesRenderer.removal(understood.chain()))
                                        .startsWith("*nat\n")
                                        .endsWith("COMMIT\n");
                            }
                        });
    }

    private static IpFamily family(Draws draws) {
        return draws.of(IpFamily.values());
    }
}
