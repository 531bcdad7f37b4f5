package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Counters;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.Rule;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Single lines as iptables 1.8.9 prints them, read one by one. */
class IptablesParserTest {
    private static final String CHAIN = NodeKernel.CHAIN;
    private static final String EXEMPT = " -m comment --comment \"" + IptablesNames.EXEMPT + "\"";
    private static final String TO = " -m comment --comment \"" + IptablesNames.MASQUERADE_TO + "\"";
    private static final String REST = " -m comment --comment \"" + IptablesNames.MASQUERADE_REST + "\"";

    private static IptablesParser.Result parse(String... lines) {
        return IptablesParser.parse(
                "*nat\n:POSTROUTING ACCEPT [0:0]\n:" + CHAIN + " - [0:0]\n" + String.join("\n", lines) + "\nCOMMIT\n",
                IpFamily.IPV4,
                CHAIN);
    }

    private static ObservedChain chain(String... lines) {
        return ((IptablesParser.Understood) parse(lines)).chain();
    }

    private static ObservedChain.Line line(String spec) {
        return chain("-A " + CHAIN + spec).lines().getFirst();
    }

    @Test
    void everywhereIsToldFromTheRestByItsComment() {
        Cidr everywhere = IpFamily.IPV4.everything();
        assertThat(line(TO + " -j MASQUERADE").rule()).hasValue(new Rule.MasqueradeTo(everywhere, false));
        assertThat(line(REST + " -j MASQUERADE").rule()).hasValue(new Rule.MasqueradeRest(Optional.empty(), false));
        assertThat(line(EXEMPT + " -j RETURN").rule()).hasValue(new Rule.Exempt(everywhere));
        // the comment of one rule on another is nothing that we write
        assertThat(line(TO + " -j RETURN").rule()).isEmpty();
        assertThat(line(EXEMPT + " -j MASQUERADE").rule()).isEmpty();
        assertThat(line(REST + " -j RETURN").rule()).isEmpty();
        assertThat(line(TO + " -j RETURN").meaning()).hasValue(new Rule.Exempt(everywhere));
    }

    /** Rules that do more, less or something else than ours are neither ours nor the same in meaning. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                " -s 10.0.0.0/8 -j MASQUERADE",
                " -d 10.0.0.0/8 -o eth0 -j RETURN",
                " ! -d 10.0.0.0/8 -j RETURN",
                " -p tcp -m tcp --dport 80 -j MASQUERADE",
                " -p tcp -j MASQUERADE",
                " -d 10.0.0.0/8 -p tcp -j MASQUERADE --to-ports 1-2",
                " -p tcp -m statistic --mode nth --every 2 --packet 0 -j MASQUERADE --to-ports 1-2",
                " -p tcp -m statistic --mode random ! --probability 0.5 -j MASQUERADE --to-ports 1-2",
                " -p tcp -m statistic --mode random --probability 1.00000000000 -j MASQUERADE --to-ports 1-2",
                " -p dccp -j MASQUERADE --to-ports 1-2",
                " -j MASQUERADE --random",
                " -j MASQUERADE --to-ports 5",
                " -d 10.0.0.0/8 -j ACCEPT",
                " -d 10.0.0.0/8 -g RETURN",
                " -d 10.0.0.0/255.0.255.0 -j RETURN",
                " -m addrtype --dst-type LOCAL -j RETURN",
                " -m addrtype ! --dst-type LOCAL --limit-iface-out -j MASQUERADE",
                " -m mark --mark 0x1 -j MASQUERADE",
                " -j KUBE-MARK-MASQ",
                " -d 10.0.0.0/8",
                ""
            })
    void strangeRulesAreNotOurs(String spec) {
        assertThat(line(spec).rule()).isEmpty();
        assertThat(line(spec).meaning()).isEmpty();
    }

    /** What classic agents and hand-written guides have: the same in meaning, yet not what we write. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                " -d 10.0.0.0/8 -j RETURN",
                " -d 10.0.0.0/8 -m comment --comment \"ip-masq-agent: cluster-local traffic should not be subject to"
                        + " MASQUERADE\" -m addrtype ! --dst-type LOCAL -j RETURN",
                " -d 10.0.0.0/8" + EXEMPT + " -m addrtype ! --dst-type LOCAL -j RETURN"
            })
    void formsOfOthersAreUnderstood(String spec) {
        assertThat(line(spec).rule()).isEmpty();
        assertThat(line(spec).meaning()).hasValue(new Rule.Exempt(Cidr.of("10.0.0.0/8")));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '\'',
            value = {
                "VARIANT|''",
                "VARIANT|-m comment --comment \"\"",
                "VARIANT|-m comment --comment -j",
                "VARIANT|-m addrtype ! --dst-type LOCAL",
                "VARIANT|-m comment --comment \"another comment\" -m addrtype ! --dst-type LOCAL",
                "FOREIGN|-s 10.0.0.0/8",
                "FOREIGN|-o eth0",
                "FOREIGN|! -o eth0",
                "FOREIGN|-d 10.0.0.0/8",
                "FOREIGN|! -d 10.0.0.0/8",
                "FOREIGN|-p tcp",
                "FOREIGN|-p tcp -m tcp --dport 80",
                "FOREIGN|-m addrtype --dst-type LOCAL",
                "FOREIGN|-m addrtype ! --dst-type LOCAL --limit-iface-out",
                "FOREIGN|-m addrtype ! --dst-type MULTICAST",
                "FOREIGN|-m addrtype ! --src-type LOCAL",
                "FOREIGN|-m mark --mark 0x1",
                "FOREIGN|-m statistic --mode random --probability 0.50000000000",
                "FOREIGN|-m physdev --physdev-is-bridged"
            })
    void jumpsAreSortedByTheirMatches(Jump.Kind kind, String matches) {
        assertThat(chain("-A POSTROUTING " + matches + " -j " + CHAIN).jumps())
                .singleElement()
                .matches(jump -> jump.kind() == kind);
    }

    @Test
    void gotoIsForeign() {
        assertThat(chain("-A POSTROUTING -g " + CHAIN).jumps())
                .singleElement()
                .matches(jump -> jump.kind() == Jump.Kind.FOREIGN);
    }

    @Test
    void theCommentInLiteralQuotesIsAVariant() {
        String quoted = "\"\\\"" + IptablesNames.jump(CHAIN) + "\\\"\"";
        String jump = "-A POSTROUTING -m comment --comment " + quoted + " -m addrtype ! --dst-type LOCAL -j " + CHAIN;
        assertThat(chain(jump).jumps())
                .singleElement()
                .matches(found ->
                        found.kind() == Jump.Kind.VARIANT && found.text().equals(jump));
        assertThat(chain(IptablesRenderer.jump(CHAIN)).jumps())
                .singleElement()
                .matches(found -> found.kind() == Jump.Kind.CANONICAL);
    }

    /** Such a rule cannot be deleted by its text, so it is left alone instead of failing in every pass. */
    @Test
    void aJumpWithALineFeedInItsCommentIsForeign() {
        ObservedChain observed = chain("-A POSTROUTING -m comment --comment \"a", "b\" -j " + CHAIN);
        assertThat(observed.jumps()).singleElement().matches(jump -> jump.kind() == Jump.Kind.FOREIGN);
    }

    @Test
    void countersAreReadAndDecideNothing() {
        ObservedChain with = chain("[12:3456] -A " + CHAIN + " -d 10.0.0.0/8" + EXEMPT + " -j RETURN");
        assertThat(with.lines()).singleElement().satisfies(line -> {
            assertThat(line.counters()).isEqualTo(new Counters(12, 3456));
            assertThat(line.rule()).hasValue(new Rule.Exempt(Cidr.of("10.0.0.0/8")));
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"-A", "-N X", "[1:2]", "[a:b] -A X", "[1:2] -N X", "nonsense", "-I POSTROUTING -j X"})
    void aLineThatIsNoRuleMakesTheTableUnreadable(String line) {
        assertThat(parse(line))
                .isInstanceOfSatisfying(
                        IptablesParser.NotUnderstood.class,
                        not -> assertThat(not.why()).contains(line));
    }

    @Test
    void unreadableIsNotEmpty() {
        for (String save : List.of(
                "",
                "# Generated by iptables-nft-save v1.8.9 (nf_tables)\n# Table `nat' is incompatible, use 'nft' tool.\n",
                "*filter\n:INPUT ACCEPT [0:0]\nCOMMIT\n",
                "*nat\n:POSTROUTING ACCEPT [0:0]\n",
                "*nat\n:POSTROUTING ACCEPT [0:0]\n# Table `nat' is incompatible, use 'nft' tool.\nCOMMIT\n")) {
            assertThat(IptablesParser.parse(save, IpFamily.IPV4, CHAIN))
                    .isInstanceOf(IptablesParser.NotUnderstood.class);
        }
    }
}
