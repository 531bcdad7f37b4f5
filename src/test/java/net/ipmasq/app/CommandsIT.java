package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import net.ipmasq.json.JsonReader;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.PackagedAgent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Commands as processes against a kernel: exit codes, and what they leave behind. */
@PackagedAgent
@NeedsKernel(tools = {"ip", "iptables", "ip6tables", "setpriv"})
class CommandsIT {
    @TempDir
    Path dir;

    private NetNs ns;

    @BeforeEach
    void namespace() {
        ns = NetNs.create();
    }

    @AfterEach
    void remove() {
        ns.close();
    }

    private String config(String text) throws IOException {
        return Files.writeString(dir.resolve("config"), text).toString();
    }

    private AgentProcess.Result agent(String... args) {
        return agent(Map.of(), List.of(), args);
    }

    private AgentProcess.Result agent(Map<String, String> env, List<String> wrapper, String... args) {
        List<String> all = new java.util.ArrayList<>(List.of(args));
        all.addAll(List.of(
                "--config",
                dir.resolve("config").toString(),
                "--state-dir",
                dir.resolve("state").toString()));
        return AgentProcess.run(ns, env, wrapper, all.toArray(String[]::new));
    }

    private String rules() {
        return ns.run("iptables-save", "-t", "nat") + ns.run("ip6tables-save", "-t", "nat");
    }

    @Test
    void planShowsTheDifferenceAndChangesNothing() throws IOException {
        config("nonMasqueradeCIDRs: [10.0.0.0/8]");
        AgentProcess.Result before = agent("plan");
        assertThat(before.code()).isEqualTo(1);
        assertThat(before.out()).contains("IPv4:\n", "+ -A POSTROUTING");
        assertThat(rules()).doesNotContain("IP-MASQ-AGENT");
        assertThat(agent("run", "--once").code()).isZero();
        AgentProcess.Result after = agent("plan", "-o", "json");
        assertThat(after.code()).isZero();
        assertThat(JsonReader.object(after.out())).containsEntry("inSync", true);
        ns.run("iptables", "-t", "nat", "-D", "IP-MASQ-AGENT", "1");
        AgentProcess.Result drifted = agent("plan", "-o", "json");
        assertThat(drifted.code()).isEqualTo(1);
        assertThat(drifted.out()).contains("\"kind\" : \"rule-missing\"");
    }

    @Test
    void statusWithoutAnAgentIsWhatTheKernelShows() throws IOException {
        config("nonMasqueradeCIDRs: [10.0.0.0/8]");
        assertThat(agent("status").code()).isEqualTo(1);
        agent("run", "--once");
        AgentProcess.Result status = agent("status");
        assertThat(status.code()).isZero();
        assertThat(status.out()).contains("no agent answers at 127.0.0.1:19180", "ipv4: in sync", "-d 10.0.0.0/8");
    }

    /** As in a pod whose agent has never run: the service's source is the API, and nothing is stored. */
    @Test
    void statusWithoutAnAgentComparesWithWhatIsAskedFor() throws IOException {
        config("nonMasqueradeCIDRs: [10.0.0.0/8]");
        agent("run", "--once");
        ns.run("iptables", "-t", "nat", "-F", "IP-MASQ-AGENT");
        Map<String, String> inCluster = Map.of(
                "KUBERNETES_SERVICE_HOST",
                "10.0.0.1",
                "IP_MASQ_STATE_DIR",
                dir.resolve("none").toString());
        AgentProcess.Result flushed = AgentProcess.run(ns, inCluster, List.of(), "status");
        assertThat(flushed.code()).isEqualTo(1);
        assertThat(flushed.out()).contains("NO AGENT RUNS HERE", "compared with profile cce", "ipv4: NOT in sync");
        AgentProcess.Result json = AgentProcess.run(ns, inCluster, List.of(), "status", "-o", "json");
        assertThat(JsonReader.object(json.out()))
                .containsEntry("running", false)
                .containsEntry("inSync", false);
        assertThat(agent("status").code()).as("the configuration's").isEqualTo(1);
        config("nonMasqueradeCIDRs: [10.0.0.1/8]");
        assertThat(agent("status").code()).isEqualTo(3);
        Files.delete(dir.resolve("config"));
        Files.createDirectory(dir.resolve("config"));
        AgentProcess.Result unreadable = agent(
                inCluster,
                List.of(),
                "status",
                "--state-dir",
                dir.resolve("none").toString());
        assertThat(unreadable.out()).contains("is a directory");
        assertThat(agent("status").code())
                .as("the last good state is compared with")
                .isEqualTo(1);
        Files.delete(dir.resolve("state").resolve("last-good.json"));
        assertThat(agent("status").code()).as("what is asked for is not known").isEqualTo(4);
    }

    @Test
    void onceWithAnInvalidTextAppliesTheLastGoodAndSaysThree() throws IOException {
        config("nonMasqueradeCIDRs: [10.99.0.0/16]");
        assertThat(agent("run", "--once").code()).isZero();
        ns.run("iptables", "-t", "nat", "-F");
        config("nonMasqueradeCIDRs: [10.99.0.1/16]");
        AgentProcess.Result result = agent("run", "--once");
        assertThat(result.code()).isEqualTo(3);
        assertThat(result.err()).contains("write 10.99.0.0/16", "in force: last-good");
        assertThat(rules()).contains("-d 10.99.0.0/16");
    }

    @Test
    void cleanupLeavesNothingAndCanBeRepeated() throws IOException {
        String before = rules().replaceAll("(?m)^#.*$", "");
        ns.run("iptables", "-t", "nat", "-A", "POSTROUTING", "-s", "192.0.2.0/24", "-j", "MASQUERADE");
        ns.run("iptables", "-t", "nat", "-D", "POSTROUTING", "1");
        config("");
        agent("run", "--once");
        AgentProcess.Result first = agent("cleanup");
        assertThat(first.code()).isZero();
        assertThat(first.out()).contains("removed chain IP-MASQ-AGENT (ipv4)", "removed chain IP-MASQ-AGENT (ipv6)");
        assertThat(rules().replaceAll("(?m)^#.*$", "")).isEqualTo(before);
        assertThat(dir.resolve("state").resolve("last-good.json")).doesNotExist();
        AgentProcess.Result second = agent("cleanup");
        assertThat(second.code()).isZero();
        assertThat(second.out()).contains("nothing of ours is there");
    }

    @Test
    void lookingAndWritingNeverCreatesLegacyTables() throws IOException {
        config("");
        agent("plan");
        agent("run", "--once");
        agent("status");
        agent("explain", "8.8.8.8");
        agent("cleanup");
        assertThat(ns.run("cat", "/proc/net/ip_tables_names")).isEmpty();
        assertThat(ns.sh("cat /proc/net/ip6_tables_names 2>/dev/null || true")).isEmpty();
    }

    @Test
    void withoutTheRightItSaysSoAndEndsWithFive() throws IOException {
        config("");
        List<String> unprivileged = List.of("setpriv", "--inh-caps=-net_admin", "--bounding-set=-net_admin");
        for (String command : List.of("plan", "cleanup", "status")) {
            AgentProcess.Result result = agent(Map.of(), unprivileged, command);
            assertThat(result.code()).as(command).isEqualTo(5);
            assertThat(result.out()).as(command).contains("CAP_NET_ADMIN").contains("NET_ADMIN and NET_RAW");
            assertThat(result.out() + result.err()).doesNotContain("\tat ");
        }
        AgentProcess.Result once = agent(Map.of(), unprivileged, "run", "--once");
        assertThat(once.code()).isEqualTo(5);
        assertThat(once.err()).contains("CAP_NET_ADMIN").doesNotContain("\tat ");
    }

    @Test
    void withoutIp6tablesIpv4IsKeptAllTheSame() throws IOException {
        config("");
        Path bin = Files.createDirectory(dir.resolve("bin"));
        for (String tool : List.of("iptables-nft-save", "iptables-nft-restore", "iptables")) {
            Files.createSymbolicLink(
                    bin.resolve(tool), Path.of(ns.sh("command -v " + tool).strip()));
        }
        AgentProcess.Result result = agent(Map.of(), List.of("env", "PATH=" + bin), "run", "--once");
        assertThat(result.code()).isZero();
        assertThat(result.err()).contains("IPv6 is not managed", "ip6tables-nft-save is not on PATH");
        assertThat(ns.run("iptables-save", "-t", "nat")).contains("-j IP-MASQ-AGENT");
    }

    @Test
    void withoutIptablesItSaysWhatToInstallAndEndsWithFour() throws IOException {
        config("");
        Path bin = Files.createDirectory(dir.resolve("empty"));
        AgentProcess.Result result = agent(Map.of(), List.of("/usr/bin/env", "PATH=" + bin), "run", "--once");
        assertThat(result.code()).isEqualTo(4);
        assertThat(result.err())
                .contains("is not on PATH", "install the package iptables")
                .doesNotContain("\tat ");
    }

    @Test
    void explainNamesTheRuleTheOriginAndTheSource() throws IOException {
        ns.sh(
                "ip link add d0 type veth peer name d1; ip link set d1 up; ip link set d0 up; ip addr add 192.0.2.1/24 dev d0;"
                        + " ip route add default via 192.0.2.254");
        config("nonMasqueradeCIDRs: [10.0.0.0/8]\nmasqueradeCIDRs:\n- 10.9.0.0/16\n");
        AgentProcess.Result result =
                agent("explain", "10.1.1.1", "10.9.1.1", "8.8.8.8", "192.0.2.1", "127.0.0.1", "-o", "json");
        assertThat(result.code()).isZero();
        List<?> answers =
                (List<?>) JsonReader.object("{\"a\":" + result.out() + "}").get("a");
        assertThat(answers).extracting("verdict").containsExactly("keep", "masquerade", "masquerade", "local", "local");
        assertThat(answers).extracting("source").containsExactly("pod", "192.0.2.1", "192.0.2.1", "pod", "pod");
        assertThat(answers)
                .extracting("rule")
                .containsExactly("nonMasqueradeCIDRs", "masqueradeCIDRs", "masqOutBound", "local", "local");
        assertThat(answers).extracting("origin").startsWith("config line 1", "config line 3", "built-in");
        assertThat(answers).extracting("cidr").startsWith("10.0.0.0/8", "10.9.0.0/16", "");
    }

    /** A socket of the node's own would have 192.0.2.9 here, and never go by d2. */
    @Test
    void explainNamesTheSourceOfAForwardedPacketWithoutAnyRight() throws IOException {
        ns.sh("""
                echo 1 > /proc/sys/net/ipv4/ip_forward
                ip link add d0 type bridge; ip link add d2 type bridge; ip link add pods type bridge
                for device in d0 d2 pods; do ip link set $device up; done
                ip addr add 192.0.2.1/24 dev d0; ip addr add 192.0.2.9/24 dev d0; ip addr add 198.51.100.1/24 dev d2
                ip addr add 10.7.0.1/24 dev pods
                ip route add default via 192.0.2.254 src 192.0.2.9
                ip route add default via 198.51.100.254 table 7; ip rule add from 10.7.0.0/24 lookup 7
                """);
        config("nonMasqueradeCIDRs: [10.0.0.0/8]");
        AgentProcess.Result own = agent("explain", "8.8.8.8");
        assertThat(own.code()).isZero();
        assertThat(own.out()).contains("8.8.8.8 is masqueraded as 192.0.2.1: masqOutBound", "--from");
        List<String> unprivileged = List.of("setpriv", "--inh-caps=-all", "--bounding-set=-all");
        AgentProcess.Result pod = agent(Map.of(), unprivileged, "explain", "8.8.8.8", "10.1.1.1", "--from", "10.7.0.2");
        assertThat(pod.code()).isZero();
        assertThat(pod.out())
                .contains(
                        "8.8.8.8 is masqueraded as 198.51.100.1: masqOutBound",
                        "10.1.1.1 keeps the pod's address: nonMasqueradeCIDRs 10.0.0.0/8",
                        "IPv4 source: that of packets from 10.7.0.2 on pods");
        ns.sh("ip route replace unreachable default table 7");
        AgentProcess.Result none = agent("explain", "8.8.8.8", "--from", "10.7.0.2", "-o", "json");
        assertThat(none.out()).contains("\"source\" : \"node\"", "\"from\" : \"10.7.0.2\"", "an unreachable route");
        assertThat(agent("explain", "8.8.8.8", "--from", "10.7.0.0/24").code()).isEqualTo(2);
    }

    @Test
    void explainSaysThatIpv6IsNotManagedAndWhy() throws IOException {
        ns.sh("ip link add d0 type bridge; ip link set d0 up; echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6");
        config("");
        for (List<String> wrapper :
                List.of(List.<String>of(), List.of("setpriv", "--inh-caps=-net_admin", "--bounding-set=-net_admin"))) {
            AgentProcess.Result off = agent(Map.of(), wrapper, "explain", "2001:db8::1");
            assertThat(off.code()).isZero();
            assertThat(off.out())
                    .contains("2001:db8::1 keeps the pod's address: IPv6 is not managed here: IPv6 is switched off");
        }
        ns.sh("echo 0 > /proc/sys/net/ipv6/conf/d0/disable_ipv6");
        assertThat(agent("explain", "2001:db8::1").out()).contains("2001:db8::1 is masqueraded");
        assertThat(agent("explain", "2001:db8::1", "--profile", "gke").out())
                .contains("IPv6 is not managed here: switched off by the profile or a flag");
    }

    @Test
    void explainOfAnInvalidTextAnswersFromWhatIsInForce() throws IOException {
        config("masqueradeCIDRs: [10.1.0.0/16]");
        agent("run", "--once");
        config("masqueradeCIDRs: [10.1.0.1/16]");
        AgentProcess.Result result = agent("explain", "10.1.1.1");
        assertThat(result.code()).isEqualTo(3);
        assertThat(result.out()).contains("10.1.1.1 is masqueraded");
        assertThat(result.err()).contains("in force: last-good", "write 10.1.0.0/16");
    }

    @Test
    void explainNamesARuleOfOthersThatComesFirst() throws IOException {
        config("nonMasqueradeCIDRs: [10.0.0.0/8]");
        agent("run", "--once");
        ns.run("iptables", "-t", "nat", "-I", "POSTROUTING", "-j", "MASQUERADE");
        AgentProcess.Result result = agent("explain", "10.1.1.1");
        assertThat(result.code()).isZero();
        assertThat(result.out()).contains("shadowed-by (before our rules): -A POSTROUTING -j MASQUERADE");
    }

    private String nft(String... words) {
        List<String> argv = new java.util.ArrayList<>(List.of("nft"));
        argv.addAll(List.of(words));
        return ns.run(argv.toArray(String[]::new));
    }

    /** The way back before a version is rolled back to that knows no nftables. */
    @Test
    void onceMovesANodeToNftablesAndBack() throws IOException {
        config("nonMasqueradeCIDRs: [10.0.0.0/8]");
        assertThat(agent("run", "--once").code()).isZero();
        AgentProcess.Result plan = agent("plan", "--backend", "nftables");
        assertThat(plan.code()).isEqualTo(1);
        assertThat(plan.out()).contains("backend nftables", "+ fib daddr type != local jump IP-MASQ-AGENT");
        assertThat(agent("run", "--once", "--backend", "nftables").code()).isZero();
        assertThat(rules()).doesNotContain("IP-MASQ-AGENT");
        assertThat(nft("list", "table", "ip", "ip-masq-agent")).contains("10.0.0.0/8", "IP-MASQ-AGENT");
        AgentProcess.Result status = agent("status", "--backend", "nftables");
        assertThat(status.code()).isZero();
        assertThat(status.out()).contains("ipv4: in sync", "ip daddr 10.0.0.0/8 return");
        assertThat(agent("explain", "8.8.8.8", "--backend", "nftables").out()).contains("8.8.8.8");
        assertThat(agent("run", "--once", "--backend", "iptables").code()).isZero();
        assertThat(rules()).contains("-A IP-MASQ-AGENT -d 10.0.0.0/8");
        assertThat(nft("list", "tables")).doesNotContain("ip-masq-agent");
    }

    @Test
    void cleanupFindsOurTablesWhateverTheBackend() throws IOException {
        config("nonMasqueradeCIDRs: [10.0.0.0/8]");
        assertThat(agent("run", "--once", "--backend", "nftables").code()).isZero();
        ns.runWith("table ip theirs {\n}\n", "nft", "-f", "-");
        assertThat(agent("cleanup").code()).isZero();
        assertThat(nft("list", "tables")).doesNotContain("ip-masq-agent").contains("theirs");
        assertThat(agent("cleanup").out()).contains("nothing of ours is there");
    }

    /** What {@code render} prints is what nft takes, and what the agent then finds in place. */
    @Test
    void theRenderedTextLoadsAndIsInSync() throws IOException {
        config("masqueradeCIDRs: [10.10.0.0/16, 10.10.1.0/24]\nnonMasqueradeCIDRs: [10.0.0.0/8, 'fd00::/8']");
        AgentProcess.Result text = agent("render", "--backend", "nftables");
        assertThat(text.code()).isZero();
        ns.runWith(text.out(), "nft", "-f", "-");
        assertThat(agent("plan", "--backend", "nftables").code()).isZero();
    }

    /** Native rules of somebody else in iptables' table: nothing of ours can be there if we never were. */
    @Test
    void cleanupEndsWellBesideATableThatIptablesCannotRead() throws IOException {
        config("nonMasqueradeCIDRs: [10.0.0.0/8]");
        ns.runWith(
                "table ip nat {\nchain POSTROUTING {\ntype nat hook postrouting priority 100; policy accept;\n"
                        + "ip daddr { 192.0.2.1, 192.0.2.9 } masquerade\n}\n}\n",
                "nft",
                "-f",
                "-");
        assertThat(agent("run", "--once", "--backend", "nftables").code()).isZero();
        for (String backend : List.of("nftables", "iptables")) {
            AgentProcess.Result result = agent("cleanup", "--backend", backend);
            assertThat(result.code()).as("%s", result).isZero();
            assertThat(nft("list", "tables")).doesNotContain("ip-masq-agent");
            agent("run", "--once", "--backend", "nftables");
        }
    }
}
