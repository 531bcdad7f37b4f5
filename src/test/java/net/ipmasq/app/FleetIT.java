package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.KubeApi;
import net.ipmasq.lab.KubeRequest;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.NetNs;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Fifty agents on one ConfigMap: one edit makes one Event, and what they cost the API server. */
@NeedsKernel
@NeedsKube
@Timeout(240)
class FleetIT {
    private static final String NAME = "cce-ip-masq-agent";
    private static final String USER = "system:serviceaccount:kube-system:" + NAME;
    private static final int AGENTS = 50;

    @TempDir
    private Path directory;

    private NetNs ns;
    private KubeApi api;
    private Process fleet;

    @BeforeEach
    void cluster() {
        ns = NetNs.create();
        api = KubeApi.start(ns);
        api.applyYaml(Rights.YAML);
    }

    @AfterEach
    void gone() throws InterruptedException {
        if (fleet != null) {
            fleet.destroyForcibly().waitFor();
        }
        if (api != null) {
            api.close();
        }
        if (ns != null) {
            ns.close();
        }
    }

    private Path output() {
        return directory.resolve("output");
    }

    private void startFleet() throws IOException {
        ProcessBuilder builder = new ProcessBuilder(ns.enter(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-Xmx256m",
                        "-cp",
                        System.getProperty("java.class.path"),
                        FleetAgents.class.getName(),
                        api.serviceAccountKubeconfig("kube-system", NAME).toString(),
                        directory.resolve("states").toString(),
                        String.valueOf(AGENTS))))
                .redirectErrorStream(true)
                .redirectOutput(output().toFile());
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("JAVA_TOOL")
                        || name.startsWith("JDK_JAVA")
                        || name.toLowerCase(java.util.Locale.ROOT).endsWith("_proxy"));
        fleet = builder.start();
    }

    /** The resource version that an edit made. */
    private String configure(String text) {
        api.applyYaml("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: " + NAME
                + ", namespace: kube-system}\ndata:\n  config: |\n" + text.indent(4));
        return api.kubectl("-n", "kube-system", "get", "configmap", NAME, "-o", "jsonpath={.metadata.resourceVersion}");
    }

    private String printed() {
        try {
            return Files.readString(output());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void everyAgentJudged(String outcome, String version) {
        try {
            Eventually.holds(
                    outcome,
                    () -> printed()
                            .lines()
                            .filter(line -> line.endsWith(" " + outcome + " " + version))
                            .distinct()
                            .count(),
                    value -> value == AGENTS);
        } catch (AssertionError e) {
            throw new AssertionError(printed(), e);
        }
    }

    private List<KubeRequest> requests() {
        return api.requests().stream()
                .filter(request -> request.user().equals(USER))
                .toList();
    }

    private long count(String verb, String resource, int code) {
        return requests().stream()
                .filter(request -> request.verb().equals(verb)
                        && request.resource().equals(resource)
                        && (code == 0 || request.code() == code))
                .count();
    }

    /** Open watches of ConfigMaps, the server's own with them; the log has those on web sockets when they end. */
    private double watchers() {
        return api.metric("apiserver_registered_watchers", "kind=\"ConfigMap\"");
    }

    /** Each of them has looked, and each that found nothing has tried to write. */
    private void everyAgentHasAnswered(int answers) {
        Eventually.passes("all looked for " + answers + " answers", () -> {
            assertThat(count("get", "events", 0)).isEqualTo((long) answers * AGENTS);
            assertThat(count("create", "events", 0)).isEqualTo(count("get", "events", 404));
        });
    }

    private List<String> events() {
        return api.kubectl(
                        "-n",
                        "kube-system",
                        "get",
                        "events.v1.events.k8s.io",
                        "-o",
                        "jsonpath={range .items[*]}{.reason}{\" \"}{.regarding.resourceVersion}{\"\\n\"}{end}")
                .lines()
                .toList();
    }

    private static Map<String, Long> load(List<KubeRequest> requests) {
        return requests.stream()
                .collect(Collectors.groupingBy(
                        request -> request.verb() + " " + request.resource() + " " + request.code(),
                        TreeMap::new,
                        Collectors.counting()));
    }

    private static void print(String what, List<KubeRequest> requests) {
        System.out.printf(
                "fleet of %d, %s: %d requests, %.2f an agent: %s%n",
                AGENTS, what, requests.size(), (double) requests.size() / AGENTS, load(requests));
    }

    @Test
    void oneEditOneEvent() throws IOException {
        String good = configure("nonMasqueradeCIDRs: [10.0.0.0/8]\n");
        double before = watchers();
        startFleet();
        everyAgentJudged("Loaded", good);
        Eventually.holds("all watch", () -> watchers(), value -> value >= before + 2.0 * AGENTS);
        Eventually.holds("all asked for their node", () -> count("get", "nodes", 0), value -> value >= AGENTS);
        assertThat(events()).isEmpty();
        List<KubeRequest> start = requests();
        print("start", start);
        assertThat(load(start).keySet()).doesNotContain("list configmaps 403", "watch configmaps 403");

        String bad = configure("nonMasqueradeCIDRs: [10.1.2.3/8]\n");
        everyAgentJudged("Invalid", bad);
        everyAgentHasAnswered(1);
        assertThat(events()).containsExactly("ConfigInvalid " + bad);
        List<KubeRequest> afterBad = requests();
        print("a bad edit", afterBad.subList(start.size(), afterBad.size()));

        String again = configure("nonMasqueradeCIDRs: [10.0.0.0/8]\n");
        everyAgentJudged("Loaded", again);
        everyAgentHasAnswered(2);
        assertThat(events()).containsExactlyInAnyOrder("ConfigInvalid " + bad, "ConfigRecovered " + again);
        List<KubeRequest> all = requests();
        print("a good edit", all.subList(afterBad.size(), all.size()));
        assertThat(count("create", "events", 201)).isEqualTo(2);
        assertThat(watchers()).as("no watch more than at the start").isEqualTo(before + 2.0 * AGENTS);
        System.out.printf(
                "API server %d MiB, etcd %d MiB%n",
                api.residentMiB("apiserver").orElseThrow(),
                api.residentMiB("etcd").orElseThrow());
        fleet.destroyForcibly();
        Eventually.holds(
                "all watches are in the log", () -> count("watch", "configmaps", 0), value -> value >= 2L * AGENTS);
        print("in all, ended watches too", requests());
    }
}
