package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Predicate;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The oracle says what the kernel does with real packets, for rulesets that the agent itself would never write. */
@NeedsKernel(tools = {"ip", "iptables-restore", "ip6tables-restore", "iptables-save", "ip6tables-save"})
class SaveTracePacketTest {
    private static final int RULESETS = 25;
    private static final long SEED = Seeds.next();

    @Shared
    private static PacketLab lab;

    @ParameterizedTest
    @EnumSource
    void theKernelAgrees(IpFamily family) {
        Random random = new Random(SEED);
        String tool = family == IpFamily.IPV4 ? "iptables" : "ip6tables";
        for (int i = 0; i < RULESETS; i++) {
            List<Cidr> cidrs = new RandomCidrs(random, family).some(6);
            lab.node().runWith(ruleset(random, cidrs), tool + "-restore");
            String save = lab.node().run(tool + "-save", "-t", "nat");
            SaveTrace trace = SaveTrace.of(save, family);
            List<IpAddress> to = new ArrayList<>(RandomCidrs.edges(cidrs));
            to.removeIf(address -> !lab.reaches(address));
            List<Seen> seen = new ArrayList<>(lab.udp(to));
            seen.addAll(lab.tcp(to));
            assertThat(seen)
                    .allSatisfy(one ->
                            assertThat(one).as("seed %d:%n%s", SEED, save).matches(agreeing(trace)));
        }
    }

    private static Predicate<Seen> agreeing(SaveTrace trace) {
        return seen ->
                trace.verdict(NatTrace.Packet.to(seen.destination(), seen.protocol())) == NatTrace.Verdict.MASQUERADE
                        ? seen.sourceIsNode()
                        : seen.sourceIsPod();
    }

    /** Three chains, jumps and gotos between them, all matches and targets that the oracle knows. */
    private static String ruleset(Random random, List<Cidr> cidrs) {
        StringBuilder text = new StringBuilder("*nat\n:A - [0:0]\n:B - [0:0]\n");
        for (String chain : List.of("POSTROUTING", "A", "B")) {
            for (Cidr cidr : cidrs) {
                text.append("-A ").append(chain);
                // the tools refuse a rule that can match nothing
                boolean negate = cidr.prefixLength() > 0 && random.nextInt(5) == 0;
                if (random.nextInt(4) > 0) {
                    text.append(negate ? " ! -d " : " -d ").append(cidr);
                }
                text.append(pick(random, "", "", " -p udp", " ! -p tcp", " -m addrtype ! --dst-type LOCAL"));
                text.append(target(random, chain)).append('\n');
            }
        }
        return text.append("COMMIT\n").toString();
    }

    private static String target(Random random, String chain) {
        return switch (chain) {
            case "POSTROUTING" -> pick(random, "", " -j A", " -j A", " -j B", " -g B", " -j RETURN", " -j MASQUERADE");
            case "A" -> pick(random, "", " -j B", " -g B", " -j RETURN", " -j ACCEPT", " -j MASQUERADE --random-fully");
            default -> pick(random, "", " -j RETURN", " -j ACCEPT", " -j MASQUERADE");
        };
    }

    private static String pick(Random random, String... choices) {
        return choices[random.nextInt(choices.length)];
    }
}
