package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNsRunner;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Ten thousand entries: the same few calls, and no more bytes than the rules take. */
@NeedsKernel
class ManyEntriesTest {
    private static final int V4 = 8000;
    private static final int V6 = 2000;

    @TempDir
    private Path state;

    private static List<String> entries() {
        List<String> entries = new ArrayList<>();
        for (int i = 0; i < V4; i++) {
            entries.add("10." + i / 250 + "." + i % 250 + ".0/24");
        }
        for (int i = 0; i < V6; i++) {
            entries.add("fd00:" + Integer.toHexString(i + 1) + "::/32");
        }
        Collections.shuffle(entries, new Random(1));
        return entries;
    }

    private static String config(List<String> entries) {
        return "cidrLimit: 10000\nnonMasqueradeCIDRs:\n- \"" + String.join("\"\n- \"", entries) + "\"\n";
    }

    private static List<String> destinations(NodeKernel node, net.ipmasq.net.IpFamily family) {
        return node.ours(family).stream()
                .filter(line -> line.startsWith("-A IP-MASQ-AGENT -d ") && !line.contains(" -d " + family.linkLocal()))
                .map(line -> line.split(" ")[3])
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void areWrittenOnceAndLookedAtOnce(Variant variant) {
        List<String> entries = entries();
        try (NodeKernel node = NodeKernel.create(variant)) {
            AgentRig agent = new AgentRig(node.dataplane(), state).config(config(entries));
            AgentStatus status = agent.pass();
            assertThat(status.config().outcome()).isInstanceOf(ConfigOutcome.Loaded.class);
            assertThat(status.inSync()).isTrue();
            assertThat(destinations(node, IPV4))
                    .isEqualTo(entries.stream().filter(one -> one.contains(".")).toList());
            assertThat(destinations(node, IPV6))
                    .isEqualTo(entries.stream().filter(one -> one.contains(":")).toList());
            assertThat(node.runner().restores()).hasSize(2);
            bytesArePlausible(node, status);

            node.runner().forget();
            assertThat(agent.pass().inSync()).isTrue();
            assertThat(node.runner().calls().stream().map(NetNsRunner.Call::program))
                    .containsExactlyInAnyOrder(node.tool(IPV4, "-save"), node.tool(IPV6, "-save"));
            assertThat(node.runner().calls()).allMatch(call -> call.stdin().isEmpty());

            node.runner().forget();
            entries.set(entries.indexOf("10.0.7.0/24"), "11.0.7.0/24");
            AgentStatus changed = agent.config(config(entries)).pass();
            assertThat(changed.families().get(IPV6).written()).isZero();
            assertThat(changed.families().get(IPV4).written())
                    .as("bytes for one changed entry")
                    .isBetween(100, 500);
            assertThat(node.runner().calls().stream().map(NetNsRunner.Call::program))
                    .containsExactlyInAnyOrder(
                            node.tool(IPV4, "-save"),
                            node.tool(IPV6, "-save"),
                            node.tool(IPV4, "-restore"),
                            node.tool(IPV4, "-save"));
            assertThat(destinations(node, IPV4)).contains("11.0.7.0/24").doesNotContain("10.0.7.0/24");
        }
    }

    /** A rule line takes about 100 bytes; anything near twice that would be written twice. */
    private static void bytesArePlausible(NodeKernel node, AgentStatus status) {
        for (NetNsRunner.Call call : node.runner().restores()) {
            boolean v4 = call.program().equals(node.tool(IPV4, "-restore"));
            int bytes = call.stdin().getBytes(StandardCharsets.UTF_8).length;
            assertThat(bytes).isBetween(100 * (v4 ? V4 : V6), 130 * (v4 ? V4 : V6));
            assertThat(status.families().get(v4 ? IPV4 : IPV6).written()).isEqualTo(bytes);
        }
    }
}
