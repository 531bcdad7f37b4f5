package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Predicate;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The oracle says what the kernel does with real packets, for nft tables that the agent itself would never write. */
@NeedsKernel(tools = {"ip", "nft"})
class NftTracePacketTest {
    private static final int TABLES = 25;
    private static final long SEED = Seeds.next();

    @Shared
    private static PacketLab lab;

    @ParameterizedTest
    @EnumSource
    void theKernelAgrees(IpFamily family) {
        Random random = new Random(SEED);
        for (int i = 0; i < TABLES; i++) {
            List<Cidr> cidrs = new RandomCidrs(random, family).some(6);
            agree(family, table(random, cidrs), cidrs);
        }
    }

    /** In an interval set a wrong bound shows at one address only. */
    @ParameterizedTest
    @EnumSource
    void edgesOfSetElements(IpFamily family) {
        List<Cidr> cidrs = (family == IpFamily.IPV4
                        ? List.of(
                                "10.0.0.0/8", "20.0.0.0/31", "20.0.0.4/32", "20.0.1.0/24", "20.0.2.0/24", "200.0.0.0/5")
                        : List.of("fc00::/7", "2001:db8::/127", "2001:db8::4/128", "2001:db8:1::/48", "4000::/2"))
                .stream().map(Cidr::of).toList();
        String range = family == IpFamily.IPV4 ? "30.0.0.3-30.0.0.12" : "3000::3-3000::12";
        List<Cidr> ends = new ArrayList<>(cidrs);
        for (String end : range.split("-")) {
            ends.add(Cidr.of(end + "/" + family.bits()));
        }
        String elements = text(cidrs) + ", " + range;
        agree(family, """
                set keep { type %1$s; flags interval; counter; elements = { %2$s } }
                chain postrouting { type nat hook postrouting priority 105
                  %3$s daddr @keep return
                  masquerade
                }
                """.formatted(type(family), elements, protocol(family)), ends);
        agree(family, """
                chain postrouting { type nat hook postrouting priority 105
                  %2$s daddr != { %1$s } masquerade random
                }
                """.formatted(elements, protocol(family)), ends);
    }

    private static void agree(IpFamily family, String body, List<Cidr> edges) {
        String name = protocol(family) + " lab";
        lab.node()
                .runWith(
                        "table " + name + "\ndelete table " + name + "\ntable " + name + " {\n" + body + "}\n",
                        "nft",
                        "-f",
                        "-");
        NftTrace trace = NftTrace.of(lab.node().sh("nft -j list table " + name), family);
        List<IpAddress> to = new ArrayList<>(RandomCidrs.edges(edges));
        to.removeIf(address -> !lab.reaches(address));
        List<Seen> seen = new ArrayList<>(lab.udp(to));
        seen.addAll(lab.tcp(to));
        lab.node().sh("nft delete table " + name);
        assertThat(seen)
                .allSatisfy(
                        one -> assertThat(one).as("seed %d:%n%s", SEED, body).matches(agreeing(trace)));
    }

    private static Predicate<Seen> agreeing(NftTrace trace) {
        return seen ->
                trace.verdict(NatTrace.Packet.to(seen.destination(), seen.protocol())) == NatTrace.Verdict.MASQUERADE
                        ? seen.sourceIsNode()
                        : seen.sourceIsPod();
    }

    /** Two base chains and two others, jumps and gotos between them, all matches and verdicts that the oracle knows. */
    private static String table(Random random, List<Cidr> cidrs) {
        StringBuilder text = new StringBuilder();
        // nft merges what touches only when asked; else it refuses what overlaps
        text.append("set some { type ").append(type(cidrs.getFirst().family()));
        text.append("; flags interval; auto-merge; elements = { ")
                .append(text(cidrs.subList(0, 3)))
                .append(" } }\n");
        for (String chain : List.of("B", "A", "early", "late")) {
            text.append("chain ").append(chain).append(" {\n");
            if (chain.length() > 1) {
                text.append("type nat hook postrouting priority srcnat ")
                        .append(chain.equals("early") ? "- 10" : "+ 5")
                        .append('\n');
            }
            for (Cidr cidr : cidrs) {
                text.append(rule(random, cidr, chain)).append('\n');
            }
            text.append("}\n");
        }
        return text.toString();
    }

    private static String rule(Random random, Cidr cidr, String chain) {
        String to = protocol(cidr.family()) + " daddr ";
        String single = cidr.network().toString();
        // nft refuses to compare with a prefix of no bits
        String prefix = cidr.prefixLength() == 0 ? single : cidr.toString();
        String destination = pick(
                random,
                "",
                to + prefix,
                to + prefix,
                to + "!= " + prefix,
                to + single,
                to + "@some",
                to + "!= @some",
                to + "{ " + prefix + " }");
        String more = pick(
                random,
                "",
                "",
                "",
                "meta l4proto udp",
                "meta l4proto != tcp",
                "meta l4proto { tcp, sctp }",
                "fib daddr type != local",
                "fib daddr type local");
        return destination + " " + more + " counter " + verdict(random, chain);
    }

    private static String verdict(Random random, String chain) {
        return switch (chain) {
            case "early" -> pick(random, "", "jump A", "goto B", "return", "accept", "masquerade");
            case "late" -> pick(random, "", "jump A", "jump A", "jump B", "goto B", "return", "masquerade");
            case "A" -> pick(random, "", "jump B", "goto B", "return", "accept", "masquerade fully-random");
            default -> pick(random, "", "return", "accept", "masquerade");
        };
    }

    private static String text(List<Cidr> cidrs) {
        Set<String> texts = new LinkedHashSet<>();
        cidrs.forEach(cidr -> texts.add(cidr.toString()));
        return String.join(", ", texts);
    }

    private static String protocol(IpFamily family) {
        return family == IpFamily.IPV4 ? "ip" : "ip6";
    }

    private static String type(IpFamily family) {
        return family == IpFamily.IPV4 ? "ipv4_addr" : "ipv6_addr";
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
