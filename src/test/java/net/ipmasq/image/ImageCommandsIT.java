package net.ipmasq.image;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The image's launcher: the names that start the agent, and commands beside it within the pod's limit of memory. */
@NeedsKernel(tools = {"ip", "iptables-nft", "nft", "curl", "setpriv", "unshare", "mount", "chroot"})
class ImageCommandsIT {
    private static final String LAUNCHER = "/opt/ip-masq-agent/ip-masq-agent";
    private static final int AT_ONCE = 10;
    private static final int KILLED = 137;

    @TempDir
    static Path unpacked;

    private static OciImage image;
    private static Path root;

    @TempDir
    Path dir;

    private NetNs ns;
    private ImagePod pod;

    @BeforeAll
    static void build() throws IOException {
        Shell.run("./dev", "image", "--packaged");
        image = OciImage.read(
                Path.of("target/image-jvm/ip-masq-agent.oci.tar"), Files.createDirectory(unpacked.resolve("layout")));
        root = unpacked.resolve("root");
        image.unpack(root);
    }

    @BeforeEach
    void namespace() throws IOException {
        ns = NetNs.create();
        pod = new ImagePod(image, root, dir);
        Files.writeString(pod.config().resolve("ip-masq-agent"), "nonMasqueradeCIDRs: [10.77.0.0/16]\n");
    }

    @AfterEach
    void remove() {
        ns.close();
    }

    private List<String> line(String... words) {
        return pod.commandOf(ns.lockFile(), words);
    }

    private AgentProcess.Result run(List<String> argv) {
        return AgentProcess.runCommand(ns, Map.of(), argv);
    }

    private AgentProcess startAgent(MemoryGroup group) {
        AgentProcess agent =
                AgentProcess.startCommand(ns, Map.of(), group.enter(pod.command(ns.lockFile(), List.of(), "run")));
        agent.awaitLine("rules in place");
        Eventually.holds(
                "ready",
                () -> ns.sh("curl -s http://127.0.0.1:19180/q/health/ready || true"),
                value -> value.contains("\"UP\""));
        return agent;
    }

    private static long limitOfTheBundle() throws IOException {
        Matcher limit = Pattern.compile("limits:\\s+memory: (\\d+)Mi")
                .matcher(Files.readString(Path.of("addon-bundle/chart/values.yaml")));
        assertThat(limit.find()).isTrue();
        return Long.parseLong(limit.group(1)) << 20;
    }

    /** Each was a whole agent of its own; the third ended the one that serves. */
    @Test
    void statusTenTimesAtOnceLeavesTheAgentAlone() throws IOException {
        try (MemoryGroup group = MemoryGroup.create(limitOfTheBundle());
                AgentProcess agent = startAgent(group);
                ExecutorService people = Executors.newFixedThreadPool(AT_ONCE)) {
            List<CompletableFuture<AgentProcess.Result>> asked = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                asked.add(CompletableFuture.supplyAsync(() -> run(group.enter(line(LAUNCHER, "status"))), people));
            }
            List<AgentProcess.Result> results =
                    asked.stream().map(CompletableFuture::join).toList();
            assertThat(agent.isAlive()).as("%s", agent.lines()).isTrue();
            assertThat(ns.sh("curl -s http://127.0.0.1:19180/status")).contains("\"inSync\" : true");
            assertThat(results).allSatisfy(result -> assertThat(result.code()).isIn(0, KILLED));
            assertThat(results)
                    .anySatisfy(result -> assertThat(result.out()).contains("in sync         true", "10.77.0.0/16"));
            System.out.printf(
                    "%d status at once: %d answered, %d were ended, most in use %d MiB%n",
                    AT_ONCE,
                    results.stream().filter(result -> result.code() == 0).count(),
                    group.killed(),
                    group.peak() >> 20);
        }
    }

    @Test
    void statusCostsAFractionAndSaysTheSame() throws IOException {
        try (MemoryGroup group = MemoryGroup.create(limitOfTheBundle());
                AgentProcess agent = startAgent(group)) {
            AgentProcess.Result answer = run(line(LAUNCHER, "status"));
            for (int i = 0; i < 3; i++) {
                assertThat(run(group.enter(line(LAUNCHER, "status"))).code()).isZero();
            }
            long whole = peakOf(pod.command(ns.lockFile(), List.of(), "status", "--backend", "iptables"));
            long quick = peakOf(line(LAUNCHER, "status"));
            long plan = peakOf(line(LAUNCHER, "plan"));
            System.out.printf(
                    "MiB at most: status %d, plan %d, status with the agent's own flags %d%n",
                    quick >> 20, plan >> 20, whole >> 20);
            assertThat(quick).isLessThan(whole / 3);
            assertThat(plan).isLessThan(whole * 3 / 4);
            // an option makes it take the long way: it parses and prints what the agent has only copied above
            AgentProcess.Result parsed = run(line(LAUNCHER, "status", "--backend", "iptables"));
            assertThat(answer.out().lines().toList())
                    .isEqualTo(parsed.out().lines().toList());
            for (String format : List.of("json", "yaml")) {
                assertThat(stable(run(line(LAUNCHER, "status", "-o", format)).out()))
                        .isEqualTo(stable(run(line(LAUNCHER, "status", "-o", format, "--backend", "iptables"))
                                .out()));
            }
            assertThat(agent.isAlive()).isTrue();
        }
    }

    private long peakOf(List<String> argv) throws IOException {
        try (MemoryGroup own = MemoryGroup.create(limitOfTheBundle())) {
            assertThat(run(own.enter(argv)).code()).isZero();
            return own.peak();
        }
    }

    /** Without what a pass in between changes. */
    private static List<String> stable(String document) {
        return document.lines()
                .filter(text -> !text.matches("\\W*(count|interval|timer|last\\w*)\\b.*"))
                .toList();
    }

    /** The kernel ends the process with the highest score first; a command's is the highest there is, an agent's its pod's. */
    @Test
    void commandsAreTheFirstToBeEndedAndTheAgentIsNot() throws IOException {
        String own = Files.readString(Path.of("/proc/self/oom_score_adj")).strip();
        try (AgentProcess command = AgentProcess.startCommand(ns, Map.of(), line(LAUNCHER, "cleanup", "--then-wait"));
                AgentProcess agent = AgentProcess.startCommand(ns, Map.of(), line(LAUNCHER, "run"))) {
            agent.awaitLine("rules in place");
            Eventually.holds("the command is java", () -> program(command), value -> value.endsWith("/java"));
            assertThat(score(command)).isEqualTo("1000");
            assertThat(score(agent)).isEqualTo(own);
        }
    }

    private static String score(AgentProcess process) throws IOException {
        return Files.readString(Path.of("/proc", Long.toString(process.pid()), "oom_score_adj"))
                .strip();
    }

    private static String program(AgentProcess process) {
        return ProcessHandle.of(process.pid())
                .flatMap(handle -> handle.info().command())
                .orElse("");
    }

    /** As DaemonSets of the Go agents start theirs. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "/ip-masq-agent",
                "/ip-masq-agent --masq-chain=IP-MASQ -v=2",
                "/bin/cce-ip-masq-agent",
                "/bin/cce-ip-masq-agent --v 4",
                LAUNCHER + " --logtostderr --enable-ipv6=false",
            })
    void everyNameStartsTheAgent(String words) {
        try (AgentProcess agent = AgentProcess.startCommand(ns, Map.of(), line(words.split(" ")))) {
            agent.awaitLine("rules in place");
            assertThat(ns.run("iptables-nft-save", "-t", "nat")).contains("10.77.0.0/16");
            assertThat(agent.terminate()).isEqualTo(143);
        }
    }

    /** With the arguments of GKE's DaemonSet. */
    @Test
    void theLogGoesToStandardOutputWhereTheLineSaysSo() throws IOException {
        Path err = dir.resolve("err");
        List<String> argv = new ArrayList<>(List.of("sh", "-c", "exec \"$@\" 2>\"$0\"", err.toString()));
        argv.addAll(pod.command(
                ns.lockFile(),
                List.of(),
                "--v=2",
                "--logtostderr=false",
                "--log_file=/dev/stdout",
                "--log_file_max_size=0",
                "--masq-chain=IP-MASQ",
                "--random-fully=false"));
        try (AgentProcess agent = AgentProcess.startCommand(ns, Map.of(), argv)) {
            agent.awaitLine("rules in place");
            assertThat(ns.run("iptables-nft-save", "-t", "nat")).contains(":IP-MASQ ");
            assertThat(agent.terminate()).isEqualTo(143);
        }
        assertThat(err).isEmptyFile();
    }

    @Test
    void aLogFileIsNotWrittenAndTheLogSaysSo() {
        try (AgentProcess agent = AgentProcess.startCommand(
                ns, Map.of(), line("/bin/cce-ip-masq-agent", "--logtostderr=false", "--log_dir=/var/log"))) {
            assertThat(agent.awaitLine("--log_dir=/var/log")).contains("WARN", "no log files");
        }
    }

    /** From the path and without a word it is a person, who does not want a second agent. */
    @ParameterizedTest
    @ValueSource(strings = {"", "--help", "--version", "run --help"})
    void aPersonGetsHelp(String words) {
        AgentProcess.Result result = run(line((LAUNCHER + " " + words).strip().split(" ")));
        assertThat(result.out() + result.err()).contains("ip-masq-agent");
        assertThat(ns.run("iptables-nft-save", "-t", "nat")).doesNotContain("10.77.0.0/16");
    }

    @Test
    void onePassThroughTheLauncherIsACommand() {
        AgentProcess.Result result = run(line(LAUNCHER, "run", "--once", "--log_file=/dev/stdout", "-o", "json"));
        assertThat(result.code()).as("%s", result).isZero();
        // standard output is the result, whatever the flags say of the log
        assertThat(result.out()).startsWith("{");
        assertThat(result.err()).contains("rules in place");
    }
}
