package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import net.ipmasq.json.JsonReader;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.PackagedAgent;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The service as a process: probes, metrics, edits, healing, a taken port, a clean end. */
@PackagedAgent
@NeedsKernel(tools = {"ip", "iptables", "ip6tables", "iptables-nft", "ip6tables-nft", "curl"})
class ServiceIT {
    @TempDir
    Path dir;

    private NetNs ns;
    private Path config;

    @BeforeEach
    void namespace() throws IOException {
        ns = NetNs.create();
        config = dir.resolve("config");
        write("nonMasqueradeCIDRs: [10.0.0.0/8]\nresyncInterval: 1s\n");
    }

    @AfterEach
    void remove() {
        ns.close();
    }

    private void write(String text) throws IOException {
        Files.writeString(config, text);
    }

    private AgentProcess start(String... more) {
        return start(Map.of(), more);
    }

    private AgentProcess start(Map<String, String> env, String... more) {
        List<String> args = new java.util.ArrayList<>(List.of(
                "run",
                "--config",
                config.toString(),
                "--state-dir",
                dir.resolve("state").toString()));
        args.addAll(List.of(more));
        return AgentProcess.start(ns, env, args.toArray(String[]::new));
    }

    private String get(String path) {
        return ns.run("curl", "-s", "http://127.0.0.1:19180" + path);
    }

    private String code(String path) {
        return ns.sh("curl -s -o /dev/null -w '%{http_code}' http://127.0.0.1:19180" + path + " || true");
    }

    private boolean isUp(String path) {
        return code(path).equals("200");
    }

    private void awaitReady() {
        Eventually.holds("ready", () -> code("/q/health/ready"), code -> code.equals("200"));
    }

    private String chain() {
        return ns.run("iptables", "-t", "nat", "-S", "IP-MASQ-AGENT");
    }

    private String rules() {
        return ns.run("iptables-save", "-t", "nat");
    }

    private boolean has(String part) {
        return rules().contains(part);
    }

    @Test
    void rulesComeFirstThenProbesMetricsAndStatus() throws IOException {
        try (AgentProcess agent = start()) {
            assertThat(agent.awaitLine("rules in place")).containsPattern("rules in place \\d+ ms after process start");
            awaitReady();
            assertThat(get("/q/health/live")).contains("\"UP\"", "lastPass");
            assertThat(get("/q/health/started")).contains("\"UP\"");
            assertThat(get("/q/health/ready")).contains("\"ipv4\": \"in sync\"", "\"ipv6\": \"in sync\"");
            assertThat(get("/q/metrics"))
                    .contains("ip_masq_agent_sync_duration_seconds_bucket")
                    .contains("ip_masq_agent_config_valid 1.0")
                    .contains("ip_masq_agent_degraded 0.0")
                    .contains("ip_masq_agent_rules{action=\"keep\",family=\"ipv4\"} 2.0")
                    .contains(
                            "ip_masq_agent_packets_total{action=\"masquerade\",family=\"ipv4\",list=\"masqOutBound\"}")
                    .containsPattern("ip_masq_agent_info\\{.*profile=\"cce\",revision=\"[0-9a-f]{12}\"");
            Map<String, Object> status = JsonReader.object(get("/status"));
            assertThat(status).containsEntry("inSync", true).containsEntry("profile", "cce");
            assertThat((Long) status.get("rulesInPlaceMillis")).isPositive();
            AgentProcess.Result shown = AgentProcess.run(ns, "status");
            assertThat(shown.code()).isZero();
            assertThat(shown.out()).contains("Available       True InSync", "-d 10.0.0.0/8");
            agent.terminate();
            agent.awaitLine("stopping; the rules stay");
            assertThat(has("-j IP-MASQ-AGENT")).isTrue();
        }
    }

    @Test
    void anEditLandsAndABadOneComesBackWithLineAndFix() throws IOException {
        // an interval that no test waits for: only the watch can bring the edit
        write("nonMasqueradeCIDRs: [10.0.0.0/8]\nresyncInterval: 1h\n");
        try (AgentProcess agent = start()) {
            agent.awaitLine("rules in place");
            write("nonMasqueradeCIDRs: [10.77.0.0/16]\nresyncInterval: 1h\n");
            Eventually.holds("edit landed", this::rules, rules -> rules.contains("-d 10.77.0.0/16"));
            awaitReady();
            write("nonMasqueradeCIDRs:\n  - 10.77.0.1/16\n");
            assertThat(agent.awaitLine("cidr-host-bits")).contains("line 2, column 5", "write 10.77.0.0/16");
            assertThat(has("-d 10.77.0.0/16")).isTrue();
            Eventually.holds(
                    "degraded", () -> get("/q/metrics"), value -> value.contains("ip_masq_agent_degraded 1.0"));
            assertThat(isUp("/q/health/ready"))
                    .as("a bad edit must not halt roll-outs")
                    .isTrue();
            assertThat(get("/q/health/ready")).contains("\"degraded\":");
            assertThat(get("/q/metrics")).contains("ip_masq_agent_config_valid 0.0");
            write("nonMasqueradeCIDRs: [10.78.0.0/16]\n");
            Eventually.holds("recovered", this::rules, rules -> rules.contains("-d 10.78.0.0/16"));
            Eventually.holds(
                    "not degraded", () -> get("/q/metrics"), value -> value.contains("ip_masq_agent_degraded 0.0"));
        }
    }

    @Test
    void aMountedConfigMapsSymlinkSwapIsSeen() throws IOException {
        Path mount = Files.createDirectory(dir.resolve("mount"));
        version(mount, "..1", "nonMasqueradeCIDRs: [10.0.0.0/8]\nresyncInterval: 1h\n");
        Files.createSymbolicLink(mount.resolve("..data"), Path.of("..1"));
        Files.createSymbolicLink(mount.resolve("ip-masq-agent"), Path.of("..data/ip-masq-agent"));
        config = mount.resolve("ip-masq-agent");
        try (AgentProcess agent = start()) {
            agent.awaitLine("rules in place");
            version(mount, "..2", "nonMasqueradeCIDRs: [10.66.0.0/16]\nresyncInterval: 1h\n");
            Files.createSymbolicLink(mount.resolve("..data_tmp"), Path.of("..2"));
            Files.move(mount.resolve("..data_tmp"), mount.resolve("..data"), StandardCopyOption.ATOMIC_MOVE);
            Eventually.holds("swap landed", this::rules, rules -> rules.contains("-d 10.66.0.0/16"));
            Files.delete(mount.resolve("ip-masq-agent"));
            agent.awaitLine("does not exist: profile in use");
            Eventually.holds("profile", this::rules, rules -> rules.contains("-d 100.64.230.0/24"));
        }
    }

    private static void version(Path mount, String name, String text) throws IOException {
        Path directory = Files.createDirectory(mount.resolve(name));
        Files.writeString(directory.resolve("ip-masq-agent"), text);
    }

    @Test
    void driftIsHealedAndCountedOnce() {
        try (AgentProcess agent = start()) {
            agent.awaitLine("rules in place");
            awaitReady();
            ns.run("iptables", "-t", "nat", "-D", "IP-MASQ-AGENT", "2");
            assertThat(agent.awaitLine("drift healed")).contains("IPv4", "rule-missing=1");
            assertThat(chain()).contains("-d 10.0.0.0/8");
            assertThat(get("/q/metrics"))
                    .contains("ip_masq_agent_drift_total{family=\"ipv4\",kind=\"rule-missing\"} 1.0")
                    .contains("ip_masq_agent_drift_total{family=\"ipv4\",kind=\"jump-missing\"} 0.0");
        }
    }

    @Test
    void driftIsHealedAtTheKernelsWordWithTheNameOfWhoDidIt() throws IOException {
        // an interval that no test waits for: only the kernel can bring the pass
        write("nonMasqueradeCIDRs: [10.0.0.0/8]\nresyncInterval: 1h\n");
        try (AgentProcess agent = start(Map.of("IP_MASQ_BACKEND", "iptables-nft"))) {
            agent.awaitLine("rules in place");
            awaitReady();
            Eventually.holds(
                    "listening",
                    () -> get("/q/metrics"),
                    value -> value.contains("ip_masq_agent_passes_total{trigger=\"event\"} 1.0"));
            ns.run("iptables-nft", "-t", "nat", "-F");
            assertThat(agent.awaitLine("drift healed"))
                    .containsPattern("changed by \\S*(nft|iptables)\\S*\\[\\d+], \\d+ ms ago");
            assertThat(get("/q/metrics"))
                    .contains("ip_masq_agent_heal_duration_seconds_count 1")
                    .contains("ip_masq_agent_passes_total{trigger=\"schedule\"} 0.0");
            Map<?, ?> heal = (Map<?, ?>) JsonReader.object(get("/status")).get("lastHeal");
            assertThat(heal.keySet()).map(String::valueOf).contains("at", "millis", "by");
            assertThat(agent.lines()).noneMatch(line -> line.startsWith("WARNING"));
        }
    }

    @Test
    void aChangedIntervalTakesEffectAtOnce() throws IOException {
        write("resyncInterval: 1h\n");
        try (AgentProcess agent = start()) {
            agent.awaitLine("rules in place");
            awaitReady();
            write("resyncInterval: 1s\n");
            Eventually.holds("interval", () -> get("/status"), value -> value.contains("\"interval\" : \"1s\""));
            ns.run("iptables", "-t", "nat", "-F");
            agent.awaitLine("drift healed");
        }
    }

    @Test
    void aTakenPortNeverStopsTheHealing() throws IOException {
        try (AgentProcess first = start()) {
            first.awaitLine("rules in place");
            awaitReady();
            try (AgentProcess second = start()) {
                second.awaitLine("cannot listen on 127.0.0.1:19180");
                first.terminate();
                second.awaitLine("no longer: PortTaken");
                awaitReady();
                int seen = second.lines().size();
                ns.run("iptables", "-t", "nat", "-F");
                second.awaitLine(seen, line -> line.contains("drift healed"), "drift healed");
            }
        }
    }

    @Test
    void anotherPortAndJsonLogsByEnvironment() throws IOException {
        try (AgentProcess agent = start(Map.of("IP_MASQ_PORT", "19555", "IP_MASQ_LOG_FORMAT", "json"))) {
            Map<String, Object> line = JsonReader.object(agent.awaitLine("rules in place"));
            assertThat(line).containsEntry("level", "INFO").containsKeys("time", "revision", "profile");
            Eventually.holds(
                    "other port",
                    () -> ns.sh("curl -s http://127.0.0.1:19555/status || true"),
                    value -> value.contains("families"));
        }
    }

    /** Requests that no router likes, and bytes that are no request. */
    @Test
    void everyLineIsJsonWhereJsonIsAskedFor() throws IOException {
        try (AgentProcess agent = start(Map.of("IP_MASQ_LOG_FORMAT", "json"))) {
            awaitReady();
            for (String bytes : List.of(
                    "GET /status HTTP/1.1\\r\\n\\r\\n",
                    "GET /status HTTP/1.0\\r\\n\\r\\n",
                    "GET /status HTTP/1.1\\r\\nHost: a b:c\\r\\n\\r\\n",
                    "GET /%zz HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n",
                    "GET http:// HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n",
                    "\\026\\003\\001\\002\\000\\001\\000\\001\\374\\003\\003",
                    "no request at all\\r\\n\\r\\n",
                    "GET /" + "x".repeat(9_000) + " HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n",
                    "POST /status HTTP/1.1\\r\\nHost: x\\r\\nContent-Length: -1\\r\\n\\r\\n")) {
                ns.sh("printf '" + bytes.replace("%", "%%")
                        + "' | timeout 2 curl -s -m 1 telnet://127.0.0.1:19180 >/dev/null || true");
            }
            assertThat(isUp("/q/health/ready")).isTrue();
            agent.terminate();
            agent.awaitLine("stopping; the rules stay");
            assertThat(agent.lines()).noneMatch(line -> line.contains("Exception"));
            assertThat(agent.lines())
                    .isNotEmpty()
                    .allSatisfy(line -> assertThat(JsonReader.object(line)).containsKeys("time", "level", "message"));
        }
    }

    @Test
    void anEmptyVariableIsNotGiven() throws IOException {
        Map<String, String> empty = new java.util.HashMap<>();
        for (String name : List.of("PORT", "HOST", "PROFILE", "BACKEND", "PATIENCE", "LOG_FORMAT", "NODE_NAME")) {
            empty.put("IP_MASQ_" + name, "");
        }
        try (AgentProcess agent = start(empty)) {
            agent.awaitLine("rules in place");
            awaitReady();
            assertThat(get("/status")).contains("\"profile\" : \"cce\"");
        }
    }

    @Test
    void anUnusableStateDirectoryIsSaidOnceAndNothingElse() throws IOException {
        Files.writeString(dir.resolve("state"), "a file where the directory belongs", StandardCharsets.UTF_8);
        try (AgentProcess agent = start()) {
            agent.awaitLine("rules in place");
            awaitReady();
            long passes = (Long) ((Map<?, ?>) JsonReader.object(get("/status")).get("passes")).get("count");
            Eventually.holds(
                    "more passes", () -> get("/status"), value -> !value.contains("\"count\" : " + passes + ","));
            assertThat(agent.lines().stream()
                            .filter(line -> line.contains("state directory"))
                            .count())
                    .isEqualTo(1);
        }
    }
}
