package net.ipmasq.image;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import net.ipmasq.app.Rights;
import net.ipmasq.lab.AgentProcess;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.KubeApi;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.NetNs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The container image: what is in it, and the agent at work from it under the pod's rights on a real kernel. */
@NeedsKernel(tools = {"ip", "iptables-nft", "iptables-legacy", "nft", "curl", "setpriv", "unshare", "mount", "chroot"})
class ImageIT {
    /** A start-up cache that this runtime, these jars or these flags do not fit is an error then, not only slow. */
    private static final List<String> CACHE_OR_NOTHING = List.of("-XX:AOTMode=on");

    private static final Path BUILT = Path.of("target", "image-jvm");

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
        build(Map.of(), "--packaged");
        image = OciImage.read(
                BUILT.resolve("ip-masq-agent.oci.tar"), Files.createDirectory(unpacked.resolve("layout")));
        root = unpacked.resolve("root");
        image.unpack(root);
    }

    private static String build(Map<String, String> environment, String... how) {
        return Shell.run(
                environment,
                Stream.concat(Stream.of("./dev", "image"), Stream.of(how)).toList());
    }

    @BeforeEach
    void namespace() throws IOException {
        ns = NetNs.create();
        pod = new ImagePod(image, root, dir);
        Files.writeString(
                pod.config().resolve("ip-masq-agent"), "nonMasqueradeCIDRs: [10.77.0.0/16]\nresyncInterval: 1s\n");
    }

    @AfterEach
    void remove() {
        ns.close();
    }

    private AgentProcess.Result runOnce(ImagePod pod, List<String> flags, String... args) {
        return AgentProcess.runCommand(ns, Map.of(), pod.command(ns.lockFile(), flags, args));
    }

    private AgentProcess start() {
        return AgentProcess.startCommand(ns, Map.of(), pod.command(ns.lockFile(), CACHE_OR_NOTHING, "run"));
    }

    private String get(String path) {
        return ns.sh("curl -s http://127.0.0.1:19180" + path + " || true");
    }

    @Test
    void saysWhatItIs() throws IOException {
        assertThat(image.digest())
                .isEqualTo(Files.readString(BUILT.resolve("digest")).strip());
        assertThat(image.manifest().path("layers")).hasSize(3);
        assertThat(image.label("title")).isEqualTo("ip-masq-agent");
        assertThat(image.label("version")).matches("\\d+\\.\\d+\\.\\d+.*");
        assertThat(image.label("licenses")).isEqualTo("Apache-2.0");
        assertThat(image.label("description")).isNotEmpty();
        // the pod gives arguments only, and there is no shell to take a line apart
        assertThat(image.entrypoint()).startsWith("/opt/jre/bin/java").endsWith("/opt/ip-masq-agent/quarkus-run.jar");
        assertThat(image.config().path("config").path("Cmd").path(0).asText()).isEqualTo("run");
        assertThat(image.config().path("config").path("User").asText()).isEqualTo("0:0");
        assertThat(image.config().path("config").path("ExposedPorts").has("19180/tcp"))
                .isTrue();
    }

    @Test
    void holdsThePacketFiltersProgramsJavaAndNothingElseThatRuns() throws IOException {
        try (Stream<Path> files = Files.walk(root)) {
            List<String> programs = files.filter(
                            file -> Files.isRegularFile(file, NOFOLLOW_LINKS) && Files.isExecutable(file))
                    .map(file -> root.relativize(file).toString())
                    .filter(file -> !file.matches(".*\\.so(\\.\\d+)*"))
                    .toList();
            assertThat(programs)
                    .containsExactlyInAnyOrder(
                            "usr/bin/dash",
                            "usr/sbin/nft",
                            "usr/sbin/xtables-legacy-multi",
                            "usr/sbin/xtables-nft-multi",
                            "opt/ip-masq-agent/ip-masq-agent",
                            "opt/jre/bin/java",
                            "opt/jre/lib/jspawnhelper");
        }
        assertThat(Shell.run("find", root.toString(), "-perm", "/6000", "-o", "!", "-uid", "0", "-o", "!", "-gid", "0"))
                .as("set-user-ID files, and files that are not root's")
                .isEmpty();
        // the launcher names its shell; whoever else asks for one finds none
        assertThat(root.resolve("usr/bin/sh")).doesNotExist();
        assertThat(root.resolve("opt/ip-masq-agent/lib/main"))
                .isDirectoryNotContaining("glob:**{helm-java,jna,json-schema,commons-compress,java-semver}**");
    }

    @Test
    void namesItsPackagesWhereScannersLook() throws IOException {
        assertThat(root.resolve("etc/os-release")).content().contains("VERSION_ID=\"12\"");
        List<String> status = Files.readAllLines(root.resolve("var/lib/dpkg/status"));
        List<String> listed = Files.readAllLines(BUILT.resolve("packages.txt"));
        assertThat(listed).anyMatch(line -> line.startsWith("nftables 1."));
        assertThat(listed)
                .allSatisfy(line -> assertThat(status)
                        .contains("Package: " + line.split(" ")[0], "Version: " + line.split(" ")[1]));
        assertThat(listed)
                .allSatisfy(line -> assertThat(root.resolve("usr/share/doc/" + line.split(" ")[0] + "/copyright"))
                        .exists());
    }

    /** Not what the machine trusts that linked the runtime. */
    @Test
    void trustsWhatDebianTrusts() throws Exception {
        String pem = Files.readString(root.resolve("etc/ssl/certs/ca-certificates.crt"));
        KeyStore store = KeyStore.getInstance(
                root.resolve("opt/jre/lib/security/cacerts").toFile(), (char[]) null);
        assertThat(store.size()).isGreaterThan(100).isEqualTo(pem.split("BEGIN CERTIFICATE").length - 1);
    }

    @ParameterizedTest
    @CsvSource({
        "iptables-nft, iptables-nft-save -t nat",
        "iptables-legacy, iptables-legacy-save -t nat",
        "nftables, nft list ruleset"
    })
    void putsRulesIntoTheKernel(String backend, String shows) {
        AgentProcess.Result result = runOnce(pod, CACHE_OR_NOTHING, "run", "--once", "--backend", backend);
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(ns.sh(shows)).contains("10.77.0.0/16");
        assertThat(pod.state()).isNotEmptyDirectory();
    }

    /** What the uninstall's Job runs works without the jars that are left out; the rest is not here. */
    @Test
    void hasOneCommandOfBundle() {
        AgentProcess.Result noCluster = runOnce(pod, CACHE_OR_NOTHING, "bundle", "cleanup-nodes");
        assertThat(noCluster.code()).as("%s", noCluster).isEqualTo(2);
        assertThat(noCluster.err()).startsWith("ip-masq-agent: no kubeconfig was found (");
        AgentProcess.Result build = runOnce(pod, CACHE_OR_NOTHING, "bundle", "build", "--out", "/tmp");
        assertThat(build.code()).as("%s", build).isEqualTo(2);
        assertThat(build.err()).startsWith("ip-masq-agent: 'bundle build'").contains("ip-masq-fleet");
    }

    /** As somebody who looks into a pod types it. */
    @Test
    void hasTheAgentOnItsPath() {
        assertThat(image.environment().get("PATH").split(":")).contains("/opt/ip-masq-agent");
        AgentProcess.Result result = AgentProcess.runCommand(
                ns, Map.of(), pod.commandOf(ns.lockFile(), "/opt/ip-masq-agent/ip-masq-agent", "explain", "10.77.1.1"));
        assertThat(result.code()).as("%s", result).isZero();
        assertThat(result.out()).contains("10.77.0.0/16");
    }

    @Test
    void serves() {
        try (AgentProcess agent = start()) {
            agent.awaitLine("rules in place");
            Eventually.holds("ready", () -> get("/q/health/ready"), value -> value.contains("\"UP\""));
            assertThat(get("/q/metrics")).contains("ip_masq_agent_config_valid");
            assertThat(get("/status")).contains("\"iptables-nft\"");
            assertConfined(Path.of("/proc", Long.toString(agent.pid())));
            ns.run("iptables-nft", "-t", "nat", "-F");
            Eventually.holds(
                    "healed", () -> ns.run("iptables-nft-save", "-t", "nat"), value -> value.contains("10.77.0.0/16"));
            assertThat(agent.terminate()).isEqualTo(143);
            assertThat(agent.lines()).noneMatch(line -> line.contains("WARN") && !line.contains("drift"));
        }
    }

    /** What shows that the agent had a pod's rights here: NET_ADMIN is bit 12, NET_RAW bit 13. */
    private static void assertConfined(Path process) {
        assertThat(process.resolve("status"))
                .content()
                .contains("CapEff:\t0000000000003000", "CapBnd:\t0000000000003000", "NoNewPrivs:\t1");
        assertThatThrownBy(() -> Files.createFile(process.resolve("root/etc/new")))
                .hasMessageContaining("Read-only");
    }

    @Test
    void answersOtherCommandsInUtf8() {
        AgentProcess.Result check = runOnce(pod.with("IP_MASQ_PROFILE", "无"), CACHE_OR_NOTHING, "plan");
        assertThat(check.code()).as("%s", check).isEqualTo(2);
        assertThat(check.err()).contains("无");
        assertThat(runOnce(pod, List.of(), "profile", "list").out()).contains("upstream");
    }

    /** What shows that the tests above would notice. */
    @Test
    void aCacheThatDoesNotFitIsAnErrorInThatMode() throws IOException {
        Path jar = root.resolve("opt/ip-masq-agent/quarkus-run.jar");
        FileTime age = Files.getLastModifiedTime(jar);
        Files.setLastModifiedTime(jar, FileTime.from(2, TimeUnit.SECONDS));
        try {
            assertThat(runOnce(pod, CACHE_OR_NOTHING, "profile", "list").code()).isNotZero();
            assertThat(runOnce(pod, List.of(), "profile", "list").code()).isZero();
        } finally {
            Files.setLastModifiedTime(jar, age);
        }
    }

    /** TLS and the client's reflection need modules that no other test here loads. */
    @Test
    @NeedsKube
    void followsTheApi() throws IOException {
        try (KubeApi api = KubeApi.start(ns)) {
            api.applyYaml(Rights.YAML);
            api.applyYaml("""
                    apiVersion: v1
                    kind: ConfigMap
                    metadata: {name: cce-ip-masq-agent, namespace: kube-system}
                    data: {config: "nonMasqueradeCIDRs: [10.88.0.0/16]"}
                    """);
            Path access = api.serviceAccountKubeconfig("kube-system", "cce-ip-masq-agent");
            Files.copy(access, pod.config().resolve("kubeconfig"));
            pod.with("KUBECONFIG", "/etc/config/kubeconfig").with("IP_MASQ_SOURCE", "kubernetes");
            try (AgentProcess agent = start()) {
                agent.awaitLine("rules in place");
                Eventually.holds(
                        "the ConfigMap's range",
                        () -> ns.run("iptables-nft-save", "-t", "nat"),
                        value -> value.contains("10.88.0.0/16"));
                assertThat(agent.terminate()).isEqualTo(143);
            }
        }
    }

    /** Lower layers that differed by the day would be fetched again by every node at every upgrade. */
    @Test
    void lowerLayersAreTheSameBytesWhenBuiltAgain() throws IOException {
        String said = build(Map.of("IP_MASQ_IMAGE_CACHE", dir.resolve("cache").toString()), "--packaged");
        assertThat(said).contains("linking a Java runtime", "up to date");
        try (Stream<Path> files = Files.find(
                dir.resolve("cache"), 2, (file, attributes) -> file.toString().endsWith(".tar.gz"))) {
            List<String> digests = new ArrayList<>();
            for (Path file : files.toList()) {
                digests.add("sha256:" + OciImage.sha256(Files.newInputStream(file)));
            }
            assertThat(digests)
                    .containsExactlyInAnyOrderElementsOf(image.layerDigests().subList(0, 2));
        }
    }

    @Test
    void aNativeBinaryTakesThePlaceOfJava() throws IOException {
        Path binary = StandIn.write(dir.resolve("agent"));
        build(Map.of(), "--native", binary.toString());
        Path layout = Files.createDirectory(dir.resolve("layout"));
        OciImage small = OciImage.read(Path.of("target", "image", "ip-masq-agent.oci.tar"), layout);
        assertThat(small.layerDigests())
                .hasSize(2)
                .startsWith(image.layerDigests().getFirst());
        assertThat(small.entrypoint()).containsExactly("/opt/ip-masq-agent/ip-masq-agent");
        Path smallRoot = dir.resolve("root");
        small.unpack(smallRoot);
        assertThat(smallRoot.resolve("opt/jre")).doesNotExist();
        for (String name : List.of("ip-masq-agent", "usr/bin/cce-ip-masq-agent")) {
            assertThat(smallRoot.resolve(name).toRealPath())
                    .isEqualTo(smallRoot.toRealPath().resolve("opt/ip-masq-agent/ip-masq-agent"));
        }
        AgentProcess.Result result = runOnce(new ImagePod(small, smallRoot, dir.resolve("volumes")), List.of(), "run");
        assertThat(result.code()).as("%s", result).isEqualTo(StandIn.EXIT_CODE);
    }
}
