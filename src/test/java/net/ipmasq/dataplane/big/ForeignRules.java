package net.ipmasq.dataplane.big;

import java.util.Arrays;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Rules of others in any number: a third in chains that nothing leads to, a third in chains that the base chain leads to,
 * a third in the base chain itself. All but those in reached chains rewrite the source; of those, each tenth does.
 */
final class ForeignRules {
    private static final int PER_CHAIN = 25;

    private final int third;

    ForeignRules(int rules) {
        this.third = rules / 3;
    }

    private int chains() {
        return Math.max(1, third / PER_CHAIN);
    }

    private static String address(int i) {
        return "10." + (i >> 16 & 255) + "." + (i >> 8 & 255) + "." + (i & 255);
    }

    /** One after the other; flatMap would hold each as a whole. */
    @SafeVarargs
    static Stream<String> inOrder(Stream<String>... parts) {
        return Arrays.stream(parts).reduce(Stream.empty(), Stream::concat);
    }

    private Stream<Integer> each(int count) {
        return IntStream.range(0, count).boxed();
    }

    /** Lines that declare the chains. */
    Stream<String> saveChains() {
        return each(chains()).flatMap(i -> Stream.of(":DEAD-" + i + " - [0:0]", ":LIVE-" + i + " - [0:0]"));
    }

    /** Rules of POSTROUTING: most rewrite, the others lead to the chains that are reached. */
    Stream<String> saveBase() {
        return each(third)
                .map(i -> i < chains()
                        ? "-A POSTROUTING -s " + address(i) + "/32 -j LIVE-" + i
                        : "-A POSTROUTING -s " + address(i) + "/32 -m comment --comment \"rule " + i
                                + " of somebody else\" -j MASQUERADE");
    }

    Stream<String> saveOthers() {
        return Stream.concat(
                each(third)
                        .map(i -> "-A DEAD-" + i / PER_CHAIN % chains() + " -s " + address(i)
                                + "/32 -m comment --comment \"nothing leads here " + i + "\" -j MASQUERADE"),
                each(third)
                        .map(i -> "-A LIVE-" + i / PER_CHAIN % chains() + " -d " + address(i)
                                + "/32 -m comment --comment \"this is reached " + i + "\" -j "
                                + (i % 10 == 0 ? "MASQUERADE" : "RETURN")));
    }

    /** The base chain as {@code nft -a list chain} prints it. */
    Stream<String> nftBase() {
        return inOrder(
                Stream.of("table ip other {", "\tchain post { # handle 1"),
                Stream.of("\t\ttype nat hook postrouting priority srcnat; policy accept;"),
                each(third)
                        .map(i -> "\t\tip saddr " + address(i) + (i < chains() ? " jump live" + i : " masquerade")
                                + " # handle " + (i + 2)),
                Stream.of("\t}", "}"));
    }

    /** The whole table as {@code nft -a list table} prints it. */
    Stream<String> nftTable() {
        Stream<String> chains = each(chains()).flatMap(i -> Stream.concat(nftChain("dead", i), nftChain("live", i)));
        return inOrder(Stream.of("table ip other {"), chains, nftBase().skip(1));
    }

    private Stream<String> nftChain(String kind, int chain) {
        return inOrder(
                Stream.of("\tchain " + kind + chain + " { # handle 7"),
                each(PER_CHAIN)
                        .map(i -> "\t\tip " + (kind.equals("dead") ? "saddr " : "daddr ")
                                + address(chain * PER_CHAIN + i)
                                + (kind.equals("dead") || i % 10 == 0 ? " masquerade" : " return")
                                + " # handle 8"),
                Stream.of("\t}"));
    }

    /** The same as a script for {@code nft -f}. */
    Stream<String> nftScript() {
        return nftTable().map(line -> line.replaceAll(" # handle \\d+$", ""));
    }

    /** A table of ours into which somebody has put all these rules, as {@code nft -j list table} prints it. */
    Stream<String> jsonOfOurTable() {
        return inOrder(
                Stream.of(
                        "{\"nftables\": [{\"metainfo\": {\"version\": \"1.0.6\"}},",
                        "{\"table\": {\"family\": \"ip\", \"name\": \"ip-masq-agent\", \"handle\": 1}},",
                        "{\"chain\": {\"family\": \"ip\", \"table\": \"ip-masq-agent\", \"name\":"
                                + " \"postrouting\", \"type\": \"nat\", \"hook\": \"postrouting\","
                                + " \"prio\": 105, \"policy\": \"accept\"}},"),
                each(3 * third)
                        .map(i -> "{\"rule\": {\"family\": \"ip\", \"table\": \"ip-masq-agent\", \"chain\": \""
                                + (i % 3 == 0 ? "postrouting" : i % 3 == 1 ? "other" : "IP-MASQ-AGENT")
                                + "\", \"handle\": " + i
                                + ", \"expr\": [{\"match\": {\"op\": \"==\", \"left\": {\"payload\": {\"protocol\":"
                                + " \"ip\", \"field\": \"saddr\"}}, \"right\": \"" + address(i)
                                + "\"}}, {\"masquerade\": null}]}},"),
                Stream.of("{\"metainfo\": {}}]}"));
    }
}
