package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.ipmasq.dataplane.nftables.NftNode;
import net.ipmasq.lab.NeedsKernel;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** 16,384 entries: written once; after that, only what changes. */
@NeedsKernel(tools = {"ip", "nft"})
class NftManyEntriesTest {
    private static final int ENTRIES = 16_384;

    @TempDir
    private Path state;

    private static String config(List<String> entries) {
        return "cidrLimit: 20000\nnonMasqueradeCIDRs:\n- \"" + String.join("\"\n- \"", entries) + "\"\n";
    }

    @Test
    void oneEntryMoreIsOneElementMore() {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < ENTRIES; i++) {
            entries.add(
                    i % 5 == 4
                            ? "fd00:" + Integer.toHexString(i + 1) + "::/32"
                            : "10." + i / 256 + "." + i % 256 + ".0/24");
        }
        Collections.shuffle(entries, new Random(1));
        try (NftNode node = new NftNode()) {
            AgentRig agent = new AgentRig(node.dataplane(), state).config(config(entries));
            AgentStatus first = agent.pass();
            assertThat(first.inSync()).isTrue();
            assertThat(first.families().get(IPV4).written()).isGreaterThan(10 * ENTRIES);

            long handleBefore = node.handles(IPV4, NftNode.CHAIN).getFirst();
            node.runner().forget();
            entries.add("203.0.113.77/32");
            AgentStatus more = agent.config(config(entries)).pass();
            assertThat(more.inSync()).isTrue();
            assertThat(node.writes())
                    .singleElement()
                    .satisfies(call -> assertThat(call.stdin().lines().toList())
                            .hasSize(2)
                            .startsWith("add element ip ip-masq-agent non-masquerade-cidrs { 203.0.113.77/32 }")
                            .last()
                            .asString()
                            .startsWith("replace rule ip ip-masq-agent postrouting handle "));
            assertThat(more.families().get(IPV4).written()).as("bytes").isBetween(100, 300);
            assertThat(more.families().get(IPV6).written()).isZero();

            node.runner().forget();
            entries.remove("203.0.113.77/32");
            entries.remove("10.0.1.0/24");
            entries.add("10.0.1.0/25");
            AgentStatus exchanged = agent.config(config(entries)).pass();
            assertThat(exchanged.inSync()).isTrue();
            assertThat(node.writes())
                    .singleElement()
                    .satisfies(call -> assertThat(call.stdin().lines().toList())
                            .hasSize(3)
                            .startsWith(
                                    "delete element ip ip-masq-agent non-masquerade-cidrs { 10.0.1.0/24, 203.0.113.77/32 }",
                                    "add element ip ip-masq-agent non-masquerade-cidrs { 10.0.1.0/25 }"));
            assertThat(node.handles(IPV4, NftNode.CHAIN).getFirst())
                    .as("the rules stay, and so do their counters")
                    .isEqualTo(handleBefore);

            node.runner().forget();
            Collections.shuffle(entries, new Random(2));
            assertThat(agent.config(config(entries)).pass().inSync()).isTrue();
            assertThat(node.writes()).as("another order of the same entries").isEmpty();
        }
    }
}
