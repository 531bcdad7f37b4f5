package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.LongStream;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.policy.Decision;
import net.ipmasq.policy.NodeFacts;
import org.junit.jupiter.api.Test;

/** The generator repeats a configuration by its seed and reaches every kind of decision. */
class RandomConfigTest {

    @Test
    void aSeedGivesTheSameAgainAndOthersGiveOthers() {
        assertThat(RandomConfig.of(7)).isEqualTo(RandomConfig.of(7)).isNotEqualTo(RandomConfig.of(8));
    }

    @Test
    void everyRuleDecidesSometimesBothWays() {
        Set<String> rules = new TreeSet<>();
        LongStream.range(0, 300)
                .mapToObj(RandomConfig::of)
                .forEach(config -> config.addresses().forEach(address -> {
                    Decision decision = config.policy().explain(address, NodeFacts.UNKNOWN);
                    rules.add(decision.rule() + " " + decision.verdict().key());
                }));
        assertThat(rules)
                .contains(
                        "masqueradeCIDRs masquerade",
                        "nonMasqueradeCIDRs keep",
                        "enforced keep",
                        "masqLinkLocal keep",
                        "masqLinkLocalIPv6 keep",
                        "masqOutBound keep",
                        "masqOutBound masquerade",
                        "masqOutBoundIPv6 keep",
                        "masqOutBoundIPv6 masquerade");
    }

    @Test
    void edgesAreFirstLastAndJustOutside() {
        assertThat(RandomCidrs.edges(List.of(Cidr.of("10.0.0.0/8"), Cidr.of("::/0"), Cidr.of("255.255.255.255/32"))))
                .extracting(IpAddress::toString)
                .containsExactly(
                        "10.0.0.0",
                        "10.255.255.255",
                        "9.255.255.255",
                        "11.0.0.0",
                        "::",
                        "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
                        "255.255.255.255",
                        "255.255.255.254");
    }
}
