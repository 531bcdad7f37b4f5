package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.PackagedAgent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What an uninstall runs on a node: nothing of ours is left anywhere, and everybody else's is as it was, byte by byte. */
@NeedsKernel(tools = {"ip", "nft", "iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy"})
@Timeout(120)
@PackagedAgent
class CleanupIT {
    private static final List<String> BACKENDS = List.of("iptables-nft", "iptables-legacy", "nftables");
    private static final List<String> TOOLS =
            List.of("iptables-nft", "ip6tables-nft", "iptables-legacy", "ip6tables-legacy");

    /** The words of a jump that is ours though no version of this agent writes it so. */
    private static final List<String> JUMPS_BY_HAND = List.of(
            "-j IP-MASQ-AGENT",
            "-m addrtype ! --dst-type LOCAL -j IP-MASQ-AGENT",
            "-m comment --comment \"\\\"ip-masq-agent: ensure nat POSTROUTING directs all non-LOCAL destination traffic to our"
                    + " custom IP-MASQ-AGENT chain\\\"\" -m addrtype ! --dst-type LOCAL -j IP-MASQ-AGENT");

    @TempDir
    Path dir;

    private NetNs ns;

    @BeforeEach
    void namespace() throws IOException {
        ns = NetNs.create();
        Files.writeString(dir.resolve("config"), "masqueradeCIDRs: [10.9.0.0/16]\nnonMasqueradeCIDRs: [10.0.0.0/8]\n");
    }

    @AfterEach
    void gone() {
        ns.close();
    }

    private AgentProcess.Result agent(String state, String... words) {
        List<String> args = new ArrayList<>(List.of(words));
        args.addAll(List.of("--state-dir", dir.resolve(state).toString()));
        if (words[0].equals("run")) {
            args.addAll(List.of("--config", dir.resolve("config").toString()));
        }
        return AgentProcess.run(ns, args.toArray(String[]::new));
    }

    private static String nat(String tool) {
        return tool + " -w 5 -t nat ";
    }

    /** Rules of others in every table that could be taken for ours: the built-in chains, a chain of a like name, nft's own. */
    private void rulesOfOthers() {
        for (String tool : TOOLS) {
            String net = tool.startsWith("ip6") ? "2001:db8:9::/48" : "192.0.2.0/24";
            ns.sh(nat(tool) + "-N IP-MASQ-AGENT-X; " + nat(tool) + "-A IP-MASQ-AGENT-X -d " + net + " -j RETURN; "
                    + nat(tool) + "-A POSTROUTING -s " + net + " -j MASQUERADE; "
                    + nat(tool) + "-A POSTROUTING -m comment --comment 'ip-masq-agent: not really' -j IP-MASQ-AGENT-X; "
                    + tool + " -w 5 -t filter -A FORWARD -d " + net + " -j ACCEPT; "
                    + tool + " -w 5 -t mangle -A POSTROUTING -d " + net + " -j MARK --set-mark 1");
        }
        ns.runWith("""
                table inet ip-masq-agent-x {
                  set s { type ipv4_addr; elements = { 192.0.2.1 } }
                  chain post { type nat hook postrouting priority 99; policy accept; ip daddr @s accept; }
                }
                table ip6 theirs {
                  chain post { type nat hook postrouting priority srcnat; policy accept; ip6 daddr 2001:db8::1 masquerade; }
                }
                """, "nft", "-f", "-");
    }

    /** Every table of everybody, counters and remarks left out. */
    private Map<String, String> everything() {
        Map<String, String> all = new LinkedHashMap<>();
        for (String tool : TOOLS) {
            all.put(tool, ns.run(tool + "-save").replaceAll("(?m)^#.*$", "").replaceAll("\\[\\d+:\\d+]", ""));
        }
        all.put("nft", ns.sh("nft --stateless list ruleset 2>/dev/null"));
        return all;
    }

    @Test
    void nothingOfOursIsLeftInAnyBackendAndOthersAreUntouched() {
        rulesOfOthers();
        Map<String, String> before = everything();
        assertThat(agent("s", "run", "--once", "--backend", "nftables").code()).isZero();
        // this agent has moved away from iptables; another one, or a person, has been there since
        for (String tool : TOOLS) {
            String local = tool.startsWith("ip6") ? "fc00::/7" : "10.0.0.0/8";
            ns.sh(nat(tool) + "-N IP-MASQ-AGENT; " + nat(tool) + "-A IP-MASQ-AGENT -d " + local + " -j RETURN; "
                    + nat(tool) + "-A IP-MASQ-AGENT -j MASQUERADE");
            JUMPS_BY_HAND.forEach(jump -> ns.sh(nat(tool) + "-A POSTROUTING " + jump));
            ns.sh(nat(tool) + "-I POSTROUTING -j IP-MASQ-AGENT");
        }
        assertThat(everything().get("nft")).contains("table ip ip-masq-agent ", "table ip6 ip-masq-agent ");
        AgentProcess.Result result = agent("s", "cleanup");
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(everything()).isEqualTo(before);
        assertThat(dir.resolve("s").resolve("last-good.json")).doesNotExist();
        assertThat(agent("s", "cleanup").out()).contains("nothing of ours is there");
    }

    /** A chain that neither profile nor flags name any more is known from the stored state. */
    @Test
    void theChainOfAnEarlierSettingGoesToo() {
        rulesOfOthers();
        Map<String, String> before = everything();
        for (String backend : BACKENDS) {
            AgentProcess.Result run = agent(backend, "run", "--once", "--backend", backend, "--masq-chain", "OLD-MASQ");
            assertThat(run.code()).as("%s", run).isZero();
            assertThat(everything().toString()).contains("OLD-MASQ");
            AgentProcess.Result result = agent(backend, "cleanup");
            assertThat(result.code()).as("%s", result).isZero();
            assertThat(everything()).as(backend).isEqualTo(before);
        }
    }

    /** The container of a DaemonSet has to stay, or it would be started again and again. */
    @Test
    void askedToItWaitsForItsEnd() {
        assertThat(agent("s", "run", "--once", "--backend", "iptables-nft").code())
                .isZero();
        try (AgentProcess waiting = AgentProcess.start(
                ns,
                Map.of(),
                "cleanup",
                "--then-wait",
                "--state-dir",
                dir.resolve("s").toString())) {
            waiting.awaitLine("removed chain IP-MASQ-AGENT (ipv6)");
            assertThat(waiting.isAlive()).isTrue();
            assertThat(waiting.terminate()).isEqualTo(143);
        }
        assertThat(ns.run("iptables-nft-save", "-t", "nat")).doesNotContain("IP-MASQ-AGENT");
    }
}
