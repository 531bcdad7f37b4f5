package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.lab.LineReader;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Jump;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Save texts that nobody would write by hand: too long, too many, never ending. */
class SaveTextTest {
    private static final String CHAIN = NodeKernel.CHAIN;

    private static IptablesParser.Result parse(Stream<String> lines, List<ObservedChain.Line> before)
            throws IOException {
        Stream<String> whole = Stream.concat(
                Stream.of("*nat", ":POSTROUTING ACCEPT [0:0]", ":" + CHAIN + " - [0:0]"),
                Stream.concat(lines, Stream.of("COMMIT")));
        return IptablesParser.parse(new LineReader(whole), IpFamily.IPV4, CHAIN, before);
    }

    private static IptablesParser.Understood understood(Stream<String> lines) throws IOException {
        return (IptablesParser.Understood) parse(lines, List.of());
    }

    @Test
    void aLineWithoutEndIsNoTable() throws IOException {
        String megabyte = "x".repeat(1 << 20);
        Stream<String> endless = IntStream.range(0, 100).mapToObj(i -> megabyte);
        IptablesParser.Result result = IptablesParser.parse(
                new LineReader(Stream.concat(Stream.of("*nat", "-A X -m comment --comment \""), endless)),
                IpFamily.IPV4,
                CHAIN,
                List.of());
        assertThat(result).isEqualTo(new IptablesParser.NotUnderstood("a line has more than 65536 characters"));
    }

    @Test
    void aCommentOfSeveralLinesIsOneRuleWhereverTheReadingStops() throws IOException {
        for (int pad = 0; pad < 40; pad++) {
            Stream<String> rules = Stream.of(
                    "-A X -m comment --comment \"" + "p".repeat(16 * 1024 - 60 - pad) + "\" -j ACCEPT",
                    "-A POSTROUTING -m comment --comment \"a \\\" b",
                    ":Y - [0:0]",
                    "COMMIT\" -j MASQUERADE");
            assertThat(understood(rules).shadows())
                    .containsExactly(new Shadow.OneRule(
                            false,
                            true,
                            1,
                            "-A POSTROUTING -m comment --comment \"a \\\" b :Y - [0:0] COMMIT\" -j MASQUERADE"));
        }
    }

    /** More rules in our chain than anybody asks for are still that many, so that they are replaced as a whole. */
    @Test
    void whatSomebodyPutsIntoOurChainIsCounted() throws IOException {
        int many = 150_000;
        List<ObservedChain.Line> strange = understood(
                        IntStream.range(0, many).mapToObj(i -> "-A " + CHAIN + " -s 10.0.0.1/32 -j DROP"))
                .chain()
                .lines();
        assertThat(strange).hasSize(many).allMatch(line -> line.rule().isEmpty());
        assertThat(strange.stream().distinct().count()).isEqualTo(2);
        assertThat(strange.getLast()).isSameAs(strange.get(many - 2));
        assertThat(ChainEdit.between(strange, List.of())).isEmpty();
    }

    @Test
    void jumpsAndReferencesBeyondAllMeasureAreCounted() throws IOException {
        IptablesParser.Understood read = understood(IntStream.range(0, 6_000).mapToObj(i -> switch (i % 3) {
            case 0 -> "-A POSTROUTING -s 10.0.0.1/32 -j " + CHAIN;
            case 1 -> "-A POSTROUTING -j " + CHAIN;
            default -> "-A Z -j " + CHAIN;
        }));
        assertThat(read.chain().jumps(Jump.Kind.FOREIGN)).hasSizeBetween(1, 100);
        assertThat(read.chain().jumps(Jump.Kind.VARIANT)).hasSizeBetween(900, 1_000);
        assertThat(read.chain().references()).hasSize(101).last().asString().contains("1900 more");
        assertThat(read.shadows().stream().mapToInt(Shadow::count).sum()).isEqualTo(2_000);
    }

    @Test
    void linesReadBeforeAreTakenAgainAndOnlyThose() throws IOException {
        List<String> rules = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            rules.add("-A " + CHAIN + " -d 10.0." + i + ".0/24 -m comment --comment \"" + IptablesNames.EXEMPT
                    + "\" -j RETURN");
        }
        List<ObservedChain.Line> first = understood(rules.stream()).chain().lines();
        rules.set(20, rules.get(20).replace("10.0.20.0", "10.9.9.0"));
        List<ObservedChain.Line> second = ((IptablesParser.Understood) parse(rules.stream(), first))
                .chain()
                .lines();
        for (int i = 0; i < 50; i++) {
            assertThat(second.get(i) == first.get(i)).as("line " + i).isEqualTo(i != 20);
        }
        assertThat(second).isEqualTo(understood(rules.stream()).chain().lines());
        List<ObservedChain.Line> counted = ((IptablesParser.Understood)
                        parse(rules.stream().map(rule -> "[3:180] " + rule), second))
                .chain()
                .lines();
        assertThat(counted)
                .allMatch(line -> line.counters().packets() == 3 && line.rule().isPresent());
    }

    /** The one walk over a rule sees what taking it apart sees. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-j MASQUERADE|MASQUERADE|false",
                "-d 10.0.0.0/8 -p tcp -j MASQUERADE --to-ports 1-2 --random-fully|MASQUERADE|false",
                "! -d 10.0.0.0/8 -j SNAT --to-source 192.0.2.1 --persistent|SNAT|false",
                "-m comment --comment \"-j X -s 1\" -j Y|Y|false",
                "-m comment --comment -s -g Y|Y|true",
                "-m addrtype ! --dst-type LOCAL -j Y|Y|false",
                "-m addrtype --dst-type LOCAL -j Y|Y|true",
                "-m addrtype ! --dst-type BROADCAST -j Y|Y|true",
                "-m statistic --mode random --probability 0.5 -j Y|Y|true",
                "-m statistic --mode nth --every 2 -j Y|Y|true",
                "! -p tcp -j Y|Y|true",
                "-s 10.0.0.0/8 -j Y|Y|true",
                "! -o eth0 -j Y|Y|true",
                "-p tcp -m tcp --dport 80 -j Y|Y|true",
                "-m comment --comment \"a \\\" -s b\" -j Y|Y|false"
            })
    void factsOfARule(String spec, String target, boolean narrowed) {
        RuleFacts facts = RuleFacts.of(spec);
        assertThat(facts.target()).isEqualTo(target);
        assertThat(facts.narrowed()).isEqualTo(narrowed);
        assertThat(facts.target()).isEqualTo(RuleSpec.parse(spec).jump);
    }
}
