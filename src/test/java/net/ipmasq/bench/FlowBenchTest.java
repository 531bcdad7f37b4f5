package net.ipmasq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import net.ipmasq.lab.NeedsKernel;
import org.junit.jupiter.api.Test;

/** The bench runs, and its flows take the way that they are timed for; never how long that takes. */
@NeedsKernel(
        tools = {
            "ip",
            "nft",
            "conntrack",
            "iptables-nft",
            "iptables-nft-restore",
            "iptables-legacy",
            "iptables-legacy-restore"
        })
class FlowBenchTest {

    @Test
    void everyFlowArrivesWithTheAddressThatTheRulesGiveIt() {
        try (FlowBench bench = new FlowBench(300)) {
            FlowResults results = bench.run(64, 1);

            // no list, 5 and 64 entries: no match at each, the last entry where there is one
            for (String backend : FlowBench.BACKENDS) {
                assertThat(results.arrived(backend)).as(backend).isEqualTo(new FlowResults.Arrived(3 * 300, 2 * 300));
            }
            assertThat(results.table().lines().filter(line -> line.startsWith("| nftables ")))
                    .hasSize(3);
        }
    }

    @Test
    void oneMoreEntryIsWrittenAsOneEntry() {
        try (FlowBench bench = new FlowBench(10)) {
            FlowResults results = bench.run(64, 1);

            for (String backend : FlowBench.BACKENDS) {
                int atFive = results.of(backend, 5).updates().bytes();
                int atSixtyFour = results.of(backend, 64).updates().bytes();
                // a rule number may have one digit more
                assertThat(atSixtyFour).as(backend).isBetween(atFive, atFive + 2);
                assertThat(results.of(backend, 64).loads().bytes()).isGreaterThan(4 * atSixtyFour);
            }
        }
    }
}
