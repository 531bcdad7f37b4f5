package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringReader;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;

/** What is taken from an earlier reading, and what never is. */
class ParseCacheTest {
    private static final String CHAIN = "IP-MASQ-AGENT";
    private static final String RULES = ":IP-MASQ-AGENT - [0:0]\n-A IP-MASQ-AGENT -d 10.0.0.0/8 -j RETURN\n";

    private final ParseCache readings = new ParseCache();

    private IptablesParser.Result read(String save) throws IOException {
        return readings.parse(new StringReader(save), IpFamily.IPV4, Variant.NFT, CHAIN);
    }

    private static String save(String time, String rules) {
        return "# Generated at " + time + "\n*nat\n" + rules + "COMMIT\n# Completed at " + time + "\n";
    }

    private static int lines(IptablesParser.Result result) {
        return result instanceof IptablesParser.Understood understood
                ? understood.chain().lines().size()
                : -1;
    }

    @Test
    void theSameTableAtAnotherTimeIsReadOnce() throws IOException {
        IptablesParser.Result first = read(save("noon", RULES));
        assertThat(lines(first)).isEqualTo(1);
        assertThat(read(save("one", RULES))).isSameAs(first);
        assertThat(lines(read(save("two", RULES + "-A IP-MASQ-AGENT -j MASQUERADE\n"))))
                .isEqualTo(2);
        assertThat(read(save("three", RULES))).isEqualTo(first);
    }

    @Test
    void whatIsCutOffOrEmptyIsNeverTheSame() throws IOException {
        assertThat(read("")).isInstanceOf(IptablesParser.NotUnderstood.class);
        read(save("noon", RULES));
        assertThat(read("*nat\n" + RULES)).isInstanceOf(IptablesParser.NotUnderstood.class);
        assertThat(read("")).isInstanceOf(IptablesParser.NotUnderstood.class);
        assertThat(lines(read(save("one", RULES)))).isEqualTo(1);
    }

    @Test
    void aTextTooLargeToKeepIsReadEachTimeAndWhole() throws IOException {
        String others = "-A KUBE-SVC-X -d 10.96.0.1/32 -j KUBE-SEP-X\n".repeat(2 * ParseCache.MOST_KEPT / 40);
        assertThat(others.length()).isGreaterThan(ParseCache.MOST_KEPT);
        assertThat(lines(read(save("noon", others + RULES)))).isEqualTo(1);
        assertThat(lines(read(save("one", others + RULES + "-A IP-MASQ-AGENT -j MASQUERADE\n"))))
                .isEqualTo(2);
        assertThat(lines(read(save("two", others)))).isZero();
    }
}
