package net.ipmasq.dataplane.nftables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.Lines;
import net.ipmasq.lab.LineReader;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;

/** Listings beyond all measure: what is held of them is bounded, and what they are is said. */
class ListingTest {
    private static final String CHAIN = "IP-MASQ-AGENT";
    private static final String HEAD =
            "{\"nftables\": [{\"table\": {\"family\": \"ip\", \"name\": \"ip-masq-agent\"}},";

    private static NftParser.Result parse(Stream<String> lines) {
        return NftParser.parse(new LineReader(lines), IpFamily.IPV4, CHAIN, handle -> "rule " + handle);
    }

    private static TableView table(Stream<String> lines) {
        return ((NftParser.Understood) parse(lines)).table();
    }

    private static String rule(String chain, int handle, String statements) {
        return "{\"rule\": {\"family\": \"ip\", \"table\": \"ip-masq-agent\", \"chain\": \"" + chain
                + "\", \"handle\": " + handle + ", \"expr\": [" + statements + "]}},";
    }

    @Test
    void aTextWithoutEndIsNoListing() {
        String megabyte = "x".repeat(1 << 20);
        Stream<String> endless = IntStream.range(0, 100).mapToObj(i -> megabyte);
        assertThat(parse(Stream.concat(Stream.of(HEAD, "{\"chain\": {\"name\": \""), endless)))
                .isInstanceOf(NftParser.NotUnderstood.class);
        Stream<String> wide = IntStream.range(0, 200_000).mapToObj(i -> "1,");
        assertThat(parse(Stream.concat(Stream.of(HEAD, "{\"rule\": {\"expr\": ["), wide)))
                .isInstanceOfSatisfying(
                        NftParser.NotUnderstood.class,
                        not -> assertThat(not.why()).contains("more than 100000 values"));
    }

    @Test
    void whatSomebodyPutsIntoOurTableIsCounted() {
        Stream<String> rules = IntStream.range(0, 6_000).mapToObj(i -> switch (i % 3) {
            case 0 -> rule("postrouting", i, "{\"masquerade\": null}");
            case 1 -> rule(CHAIN, i, "{\"drop\": null}");
            default -> rule("other", i, "{\"jump\": {\"target\": \"" + CHAIN + "\"}}");
        });
        TableView table =
                table(Stream.concat(Stream.concat(Stream.of(HEAD), rules), Stream.of("{\"metainfo\": {}}]}")));
        assertThat(table.chain().lines()).hasSize(1_001);
        assertThat(table.chain().lines().getLast().text()).isEqualTo("(and 1000 more rules)");
        assertThat(table.chain().references()).hasSize(1_000);
        assertThat(table.shadows()).hasSize(101);
        assertThat(table.shadows().stream().mapToInt(Shadow::count).sum()).isEqualTo(2_000);
        assertThat(table.shadows().getFirst()).isEqualTo(new Shadow.OneRule(false, true, 1, "rule 0"));
        assertThat(table.strangers()).isTrue();
    }

    @Test
    void elementsAreReadOneByOne() {
        Stream<String> elements = IntStream.range(0, 120_000)
                .mapToObj(i -> "{\"elem\": {\"val\": {\"prefix\": {\"addr\": \"10." + (i >> 8 & 255) + "." + (i & 255)
                        + ".0\", \"len\": 24}}, \"counter\": {\"packets\": 1, \"bytes\": 60}}},");
        String set = "{\"set\": {\"family\": \"ip\", \"name\": \"non-masquerade-cidrs\", \"table\": \"ip-masq-agent\","
                + " \"type\": \"ipv4_addr\", \"handle\": 4, \"flags\": [\"interval\"], \"elem\": [";
        String end = "\"10.0.0.1\"], \"stmt\": [{\"counter\": null}]}},";
        String each = rule(
                CHAIN,
                9,
                "{\"match\": {\"op\": \"==\", \"left\": {\"payload\": {\"protocol\": \"ip\", \"field\": \"daddr\"}},"
                        + " \"right\": \"@non-masquerade-cidrs\"}}, {\"return\": null}");
        TableView table = table(Stream.concat(
                Stream.concat(Stream.of(HEAD, set), elements), Stream.of(end, each, "{\"metainfo\": {}}]}")));
        assertThat(table.chain().lines()).hasSize(120_001);
        assertThat(table.chain().lines().getFirst().meaning()).isPresent();
        assertThat(table.chain().lines().getFirst().counters().bytes()).isEqualTo(60);
        assertThat(table.chain().lines().getLast().text()).contains("more elements than can be shown");
    }

    @Test
    void aLineBeyondAllMeasureKeepsItsEnds() throws IOException {
        String elements = "10.0.0.1, ".repeat(200_000);
        String listing = "table ip x {\n\tflags owner\n\tchain c {\n\t\tip saddr { " + elements
                + "10.0.0.2 } masquerade # handle 5\n\t\tip saddr { 10.0.0.3,\n\t\t\t     10.0.0.4 } drop # handle 6\n\t}\n}\n";
        List<String> flags = new ArrayList<>();
        List<RuleTexts.RuleText> rules = new ArrayList<>();
        RuleTexts.read(new StringReader(listing), flags::add, rules::add);
        assertThat(flags).containsExactly("flags owner");
        assertThat(rules).extracting(RuleTexts.RuleText::handle).containsExactly(5L, 6L);
        assertThat(rules.getFirst().text()).endsWith("masquerade").hasSizeLessThan(Lines.MOST + 100);
        assertThat(rules.getLast().text()).isEqualTo("ip saddr { 10.0.0.3, 10.0.0.4 } drop");
    }
}
