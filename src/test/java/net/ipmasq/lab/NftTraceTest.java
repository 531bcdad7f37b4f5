package net.ipmasq.lab;

import static net.ipmasq.lab.NatTrace.Verdict.KEEP;
import static net.ipmasq.lab.NatTrace.Verdict.MASQUERADE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Listings as nft 1.0.6 prints them, in short. */
class NftTraceTest {
    private static final String JUMP = rule("post", notLocal() + ",{'counter':{'packets':0,'bytes':0}}," + jump("A"));
    private static final String MASQ = "{'masquerade':null}";
    private static final String ACCEPT = "{'accept':null}";
    private static final String RETURN = "{'return':null}";

    private static String listing(String family, String... objects) {
        String head = """
                {'nftables':[{'metainfo':{'version':'1.0.6','json_schema_version':1}},
                {'table':{'family':'ip','name':'t','handle':1}},
                {'chain':{'family':'ip','table':'t','name':'A','handle':1}},
                {'chain':{'family':'ip','table':'t','name':'B','handle':2}},
                {'chain':{'family':'ip','table':'t','name':'post','handle':3,'type':'nat','hook':'postrouting',
                          'prio':105,'policy':'accept'}},
                """;
        return (head + String.join(",\n", objects) + "]}")
                .replace("'family':'ip'", "'family':'" + family + "'")
                .replace('\'', '"');
    }

    private static NftTrace trace(String... objects) {
        return NftTrace.of(listing("ip", objects), IpFamily.IPV4);
    }

    private static String rule(String chain, String statements) {
        return "{'rule':{'family':'ip','table':'t','chain':'%s','handle':9,'comment':'x','expr':[%s]}}"
                .formatted(chain, statements);
    }

    private static String match(String op, String left, String right) {
        return "{'match':{'op':'%s','left':%s,'right':%s}}".formatted(op, left, right);
    }

    private static String to(String op, String right) {
        return match(op, "{'payload':{'protocol':'ip','field':'daddr'}}", right);
    }

    private static String protocol(String op, String right) {
        return match(op, "{'meta':{'key':'l4proto'}}", right);
    }

    private static String notLocal() {
        return match("!=", "{'fib':{'result':'type','flags':['daddr']}}", "'local'");
    }

    private static String jump(String chain) {
        return "{'jump':{'target':'" + chain + "'}}";
    }

    private static String set(String name, String elements) {
        return "{'set':{'family':'ip','name':'%s','table':'t','type':'ipv4_addr','handle':8,'flags':['interval'],%s'stmt':[{'counter':null}]}}"
                .formatted(name, elements);
    }

    private static String prefix(String address, int length) {
        return "{'prefix':{'addr':'%s','len':%d}}".formatted(address, length);
    }

    private static NatTrace.Verdict udp(NftTrace trace, String address) {
        return trace.verdict(NatTrace.Packet.to(IpAddress.of(address), Protocol.UDP));
    }

    private static NatTrace.Verdict tcp(NftTrace trace, String address) {
        return trace.verdict(NatTrace.Packet.to(IpAddress.of(address), Protocol.TCP));
    }

    @ParameterizedTest
    @CsvSource({
        "10.10.10.10, MASQUERADE",
        "10.10.10.11, KEEP",
        "169.254.255.255, KEEP",
        "169.255.0.0, MASQUERADE",
        "9.255.255.255, MASQUERADE",
        "10.0.0.0, KEEP",
        "10.255.255.255, KEEP",
        "11.0.0.0, MASQUERADE",
        "11.0.0.4, MASQUERADE",
        "11.0.0.5, KEEP",
        "11.0.0.9, KEEP",
        "11.0.0.10, MASQUERADE",
        "200.0.0.1, KEEP",
        "255.255.255.255, KEEP",
    })
    void firstMatchDecides(String address, NatTrace.Verdict expected) {
        NftTrace trace = trace(
                JUMP,
                set("masq", "'elem':[{'elem':{'val':'10.10.10.10','counter':{'packets':1,'bytes':2}}}],"),
                set(
                        "keep",
                        "'elem':[{'elem':{'val':%s,'counter':{}}},{'range':['11.0.0.5','11.0.0.9']},%s,'255.255.255.255'],"
                                .formatted(prefix("10.0.0.0", 8), prefix("200.0.0.0", 31))),
                rule("A", to("==", "'@masq'") + ",{'masquerade':{'flags':['fully-random']}}"),
                rule("A", to("==", prefix("169.254.0.0", 16)) + "," + RETURN),
                rule("A", to("==", "'@keep'") + "," + RETURN),
                rule("A", MASQ));
        assertThat(udp(trace, address)).isEqualTo(expected);
        assertThat(trace.verdict(new NatTrace.Packet(IpAddress.of(address), Protocol.TCP, true)))
                .isEqualTo(KEEP);
    }

    @Test
    void emptyTableAndEmptySet() {
        assertThat(udp(trace(rule("post", "{'counter':{'packets':0,'bytes':0}}")), "1.1.1.1"))
                .isEqualTo(KEEP);
        NftTrace trace = trace(
                set("none", ""),
                rule("post", to("==", "'@none'") + "," + ACCEPT),
                rule("post", to("!=", "'@none'") + "," + MASQ));
        assertThat(udp(trace, "1.1.1.1")).isEqualTo(MASQUERADE);
    }

    @Test
    void returnGoesOnBehindTheJumpAndGotoDoesNot() {
        String keep = rule("A", to("==", prefix("10.0.0.0", 8)) + "," + RETURN);
        assertThat(udp(trace(JUMP, rule("post", MASQ), keep, rule("A", ACCEPT)), "10.0.0.1"))
                .isEqualTo(MASQUERADE);
        assertThat(udp(trace(JUMP, rule("post", MASQ), keep, rule("A", ACCEPT)), "11.0.0.1"))
                .isEqualTo(KEEP);
        assertThat(udp(trace(rule("post", "{'goto':{'target':'A'}}"), rule("post", MASQ), keep), "10.0.0.1"))
                .isEqualTo(KEEP);
    }

    @Test
    void protocolsByNameNumberAndSet() {
        NftTrace trace = trace(
                rule("post", protocol("==", "6") + "," + to("!=", "'10.0.0.1'") + "," + MASQ),
                rule(
                        "post",
                        protocol("!=", "{'set':['tcp','sctp']}") + "," + to("==", "{'set':['10.0.0.2']}") + ","
                                + MASQ));
        assertThat(tcp(trace, "10.0.0.2")).isEqualTo(MASQUERADE);
        assertThat(tcp(trace, "10.0.0.1")).isEqualTo(KEEP);
        assertThat(udp(trace, "10.0.0.2")).isEqualTo(MASQUERADE);
        assertThat(udp(trace, "10.0.0.3")).isEqualTo(KEEP);
    }

    @Test
    void chanceMustNotMatter() {
        String numgen = "{'numgen':{'mode':'random','mod':-2147483648,'offset':0}}";
        String first = rule(
                "post",
                protocol("==", "'udp'") + "," + match("<", numgen, "1007798080")
                        + ",{'masquerade':{'port':{'range':[1024,29999]}}}");
        String second = rule("post", protocol("==", "'udp'") + ",{'masquerade':{'port':42}}");
        assertThat(udp(trace(first, second), "1.1.1.1")).isEqualTo(MASQUERADE);
        assertThat(tcp(trace(first), "1.1.1.1")).isEqualTo(KEEP);
        assertThatThrownBy(() -> udp(trace(first), "1.1.1.1")).isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> udp(trace(first, rule("post", ACCEPT)), "1.1.1.1"))
                .isInstanceOf(IllegalStateException.class);
        assertThatThrownBy(() -> trace(rule("post", match("==", numgen, "0") + "," + MASQ)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** An accept verdict ends one base chain, not the hook. */
    @Test
    void baseChainsByPriority() {
        String earlier = """
                {'chain':{'family':'ip','table':'t','name':'early','handle':4,'type':'nat','hook':'postrouting',
                          'prio':-3,'policy':'accept'}}""";
        assertThat(udp(trace(earlier, rule("post", MASQ), rule("early", ACCEPT)), "1.1.1.1"))
                .isEqualTo(MASQUERADE);
        assertThat(udp(trace(earlier, rule("post", ACCEPT), rule("early", MASQ)), "1.1.1.1"))
                .isEqualTo(MASQUERADE);
        assertThatThrownBy(() -> trace(earlier.replace("-3", "105"))).hasMessageContaining("early");
    }

    @Test
    void ipv6() {
        String rules = rule(
                        "post", to("==", "{'set':[%s,'2001:db8::1']}".formatted(prefix("fc00::", 7))) + "," + ACCEPT)
                .replace("'protocol':'ip'", "'protocol':'ip6'");
        NftTrace trace = NftTrace.of(listing("ip6", rules, rule("post", MASQ)), IpFamily.IPV6);
        assertThat(udp(trace, "fc00::")).isEqualTo(KEEP);
        assertThat(udp(trace, "fdff:ffff:ffff:ffff:ffff:ffff:ffff:ffff")).isEqualTo(KEEP);
        assertThat(udp(trace, "fe00::")).isEqualTo(MASQUERADE);
        assertThat(udp(trace, "2001:db8::1")).isEqualTo(KEEP);
        assertThat(udp(trace, "2001:db8::2")).isEqualTo(MASQUERADE);
        assertThatThrownBy(() -> udp(trace, "1.1.1.1")).isInstanceOf(IllegalArgumentException.class);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{'snat':{'addr':'1.2.3.4'}}",
                "{'xt':null}",
                "{'drop':null}",
                "{'jump':{'chain':'A'}}",
                "{'masquerade':{'addr':'1.2.3.4'}}",
                "{'accept':null},{'counter':null}",
                "{'match':{'op':'==','left':{'payload':{'protocol':'ip','field':'saddr'}},'right':'1.2.3.4'}}",
                "{'match':{'op':'==','left':{'payload':{'protocol':'ip6','field':'daddr'}},'right':'::1'}}",
                "{'match':{'op':'==','left':{'payload':{'protocol':'ip','field':'daddr'}},'right':'::1'}}",
                "{'match':{'op':'==','left':{'payload':{'protocol':'ip','field':'daddr'}},'right':'@nowhere'}}",
                "{'match':{'op':'<','left':{'payload':{'protocol':'ip','field':'daddr'}},'right':'1.2.3.4'}}",
                "{'match':{'op':'==','left':{'meta':{'key':'mark'}},'right':1}}",
                "{'match':{'op':'==','left':{'meta':{'key':'l4proto'}},'right':'icmp'}}",
                "{'match':{'op':'==','left':{'fib':{'result':'type','flags':['daddr']}},'right':'unicast'}}",
                "{'match':{'op':'==','left':{'fib':{'result':'type','flags':['saddr']}},'right':'local'}}",
                "{'match':{'op':'==','left':{'fib':{'result':'type','flags':['daddr','iif']}},'right':'local'}}",
            })
    void noRuleIsGuessed(String statements) {
        assertThatThrownBy(() -> trace(rule("post", statements))).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void nothingElseIsGuessed() {
        assertThatThrownBy(() -> NftTrace.of("", IpFamily.IPV4)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> NftTrace.of("{\"nftables\":[]}", IpFamily.IPV4))
                .hasMessageContaining("one table");
        assertThatThrownBy(() -> NftTrace.of(listing("inet", JUMP), IpFamily.IPV4))
                .hasMessageContaining("inet");
        assertThatThrownBy(() -> trace("{'table':{'family':'ip','name':'u','flags':'dormant'}}"))
                .hasMessageContaining("flags");
        assertThatThrownBy(() -> trace("{'map':{'family':'ip','name':'m'}}")).hasMessageContaining("map");
        assertThatThrownBy(() -> trace(set("s", "'timeout':5,"))).hasMessageContaining("timeout");
        assertThatThrownBy(() -> trace(set("s", "").replace("interval", "dynamic")))
                .hasMessageContaining("dynamic");
        assertThatThrownBy(() -> trace(set("s", "'elem':[{'elem':{'val':'1.1.1.1','expires':5}}],")))
                .hasMessageContaining("expires");
        assertThatThrownBy(() -> NftTrace.of(
                        listing("ip", JUMP).replace("\"policy\":\"accept\"", "\"policy\":\"drop\""), IpFamily.IPV4))
                .hasMessageContaining("drop");
        assertThatThrownBy(() -> udp(trace(rule("post", jump("C"))), "1.1.1.1")).hasMessageContaining("to C");
        assertThatThrownBy(() -> udp(trace(JUMP, rule("A", jump("B")), rule("B", jump("A"))), "1.1.1.1"))
                .hasMessageContaining("round");
    }
}
