package net.ipmasq.bench;

import static org.assertj.core.api.Assertions.assertThat;

import net.ipmasq.lab.NeedsKernel;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

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
    private static final int FLOWS = 300;

    private static FlowResults results;

    @BeforeAll
    static void run() {
        try (FlowBench bench = new FlowBench(FLOWS)) {
            results = bench.run(64, 1);
        }
    }

    @ParameterizedTest
    @EnumSource
    void everyFlowArrivesWithTheAddressThatTheRulesGiveIt(FlowBackend backend) {
        // no list, 5 and 64 entries: no match at each, the last entry where there is one
        assertThat(results.arrived(backend)).isEqualTo(new FlowResults.Arrived(3 * FLOWS, 2 * FLOWS));
    }

    @ParameterizedTest
    @EnumSource
    void oneMoreEntryIsWrittenAsOneEntry(FlowBackend backend) {
        int atFive = results.of(backend, 5).updates().bytes();
        int atSixtyFour = results.of(backend, 64).updates().bytes();

        // the number of the rule may have one digit more
        assertThat(atSixtyFour).isBetween(atFive, atFive + 2);
        assertThat(results.of(backend, 64).loads().bytes()).isGreaterThan(4 * atSixtyFour);
    }

    @ParameterizedTest
    @EnumSource
    void bothTablesHaveARowForEverySize(FlowBackend backend) {
        String row = "| " + backend.key() + " ";

        assertThat(results.flows().lines().filter(line -> line.startsWith(row))).hasSize(3);
        assertThat(results.writes().lines().filter(line -> line.startsWith(row)))
                .hasSize(3);
    }
}
