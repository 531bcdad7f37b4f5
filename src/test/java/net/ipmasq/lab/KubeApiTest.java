package net.ipmasq.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import net.ipmasq.dataplane.CommandRunner.Exited;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the tests of the agent rely on: a real server, rights that are enforced, stops, starts and lost history. */
@NeedsKube
@Timeout(60)
class KubeApiTest {
    private static final String MAPS = "/api/v1/namespaces/kube-system/configmaps";
    private static final String MINE = MAPS + "?fieldSelector=metadata.name%3Dmine";

    private static NetNs ns;
    private static KubeApi api;

    @TempDir
    Path directory;

    @BeforeAll
    static void start() {
        ns = NetNs.create();
        long began = System.nanoTime();
        api = KubeApi.start(ns);
        System.out.printf(
                "API server: ready in %.1f s, resident %d MiB, etcd %d MiB%n",
                (System.nanoTime() - began) / 1e9,
                api.residentMiB("apiserver").orElseThrow(),
                api.residentMiB("etcd").orElseThrow());
    }

    @AfterAll
    static void stop() {
        try (NetNs last = ns) {
            if (api != null) {
                api.close();
                assertThat(api.adminKubeconfig().getParent()).doesNotExist();
                assertThat(last.run("ss", "-Hltn")).isEmpty();
            }
        }
    }

    private static void configMap(String name, String text) {
        api.applyYaml("""
                apiVersion: v1
                kind: ConfigMap
                metadata: {name: %s, namespace: kube-system}
                data: {config: "%s"}
                """.formatted(name, text));
    }

    private static String text(String name) {
        return api.kubectl("get", "configmap", name, "--namespace=kube-system", "--output=jsonpath={.data.config}");
    }

    private static String version(String name) {
        return api.kubectl(
                "get", "configmap", name, "--namespace=kube-system", "--output=jsonpath={.metadata.resourceVersion}");
    }

    @Test
    void itListensInItsNamespaceOnly() {
        assertThat(ns.run("ss", "-Hltn"))
                .contains("127.0.0.1:16443")
                .doesNotContain("0.0.0.0:16443")
                .doesNotContain("*:16443");
        assertThat(api.kubectl("version")).contains("v1.20.2");
        assertThatThrownBy(() -> KubeApi.start(ns)).hasMessageContaining("is taken");
        try (NetNs other = NetNs.create()) {
            assertThat(other.run("ss", "-Hltn")).isEmpty();
        }
    }

    @Test
    void aPersonEdits() {
        configMap("edited", "before");
        assertThat(api.edit("s/before/after/", "configmap", "edited", "--namespace=kube-system"))
                .contains("edited");
        assertThat(text("edited")).isEqualTo("after");
    }

    @Test
    void aServiceAccountMayWhatItsRoleNamesAndNothingElse() {
        configMap("mine", "one");
        configMap("other", "secret");
        Path agent = api.serviceAccountKubeconfig("kube-system", "reader");
        assertThat(api.call(agent, "GET", MAPS + "/mine", "").code()).isEqualTo(403);
        api.applyYaml("""
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: reader, namespace: kube-system}
                rules:
                - {apiGroups: [""], resources: [configmaps], resourceNames: [mine], verbs: [get, list, watch]}
                ---
                apiVersion: rbac.authorization.k8s.io/v1
                kind: RoleBinding
                metadata: {name: reader, namespace: kube-system}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: Role, name: reader}
                subjects: [{kind: ServiceAccount, name: reader, namespace: kube-system}]
                """);
        Eventually.holds(
                "the role is known",
                () -> api.call(agent, "GET", MAPS + "/mine", "").code(),
                value -> value == 200);

        assertThat(api.call(agent, "GET", MINE, "").body()).contains("\"one\"").doesNotContain("secret");
        try (Watch watch = watch(agent, MINE + "&watch=1")) {
            watch.await("\"ADDED\"");
            configMap("other", "changed");
            configMap("mine", "two");
            watch.await("\"two\"");
            assertThat(watch.text()).doesNotContain("changed");
            assertThat(api.metric("apiserver_registered_watchers", "kind=\"ConfigMap\""))
                    .isPositive();
        }
        for (String path : List.of(
                MAPS,
                MAPS + "/other",
                MAPS + "?fieldSelector=metadata.name%3Dother",
                MAPS + "?watch=1",
                "/api/v1/namespaces/kube-system/secrets",
                "/api/v1/namespaces/default/configmaps/mine",
                "/api/v1/nodes")) {
            assertThat(api.call(agent, "GET", path, "").code()).as(path).isEqualTo(403);
        }
        assertThat(api.call(agent, "DELETE", MAPS + "/mine", "").code()).isEqualTo(403);
        assertThat(api.call(agent, "POST", MAPS, "{\"metadata\":{\"name\":\"new\"}}")
                        .code())
                .isEqualTo(403);
        assertThat(canI(agent, "watch", "configmaps/mine")).isTrue();
        assertThat(canI(agent, "update", "configmaps/mine")).isFalse();
        assertThat(canI(agent, "get", "configmaps/other")).isFalse();
        assertThat(canI(agent, "get", "secrets")).isFalse();

        Path nobody = api.kubeconfig("nobody", "kube-system", "wrong");
        assertThat(api.call(nobody, "GET", MAPS + "/mine", "").code()).isEqualTo(401);
    }

    private static boolean canI(Path who, String verb, String what) {
        return api.tryKubectl(who, Map.of(), "", "auth", "can-i", verb, what, "--namespace=kube-system", "--quiet")
                        instanceof Exited exited
                && exited.code() == 0;
    }

    @Test
    void stoppedAndStartedItHasItsDataAndHonoursTokens() {
        configMap("kept", "kept");
        Path agent = api.serviceAccountKubeconfig("kube-system", "stays");
        api.stopApiServer();
        assertThat(ns.run("ss", "-Hltn")).doesNotContain(":16443");
        assertThat(api.residentMiB("apiserver")).isEmpty();
        assertThatThrownBy(() -> text("kept")).hasMessageContaining("refused");
        api.startApiServer();
        assertThat(text("kept")).isEqualTo("kept");
        // known to it, and without a role
        assertThat(api.call(agent, "GET", MAPS + "/kept", "").code()).isEqualTo(403);
    }

    @Test
    void whatIsCompactedIsGone() {
        configMap("old", "one");
        String first = version("old");
        configMap("old", "two");
        String past = MAPS + "?watch=1&timeoutSeconds=1&resourceVersion=" + first;
        assertThat(api.call(api.adminKubeconfig(), "GET", past, "").body()).contains("\"two\"");
        api.compact();
        assertThat(api.call(api.adminKubeconfig(), "GET", past, "").body())
                .as("the server still has it in memory")
                .contains("\"two\"");
        api.stopApiServer();
        api.startApiServer();
        KubeApi.Answer gone = api.call(api.adminKubeconfig(), "GET", past, "");
        assertThat(gone.code()).isEqualTo(200);
        assertThat(gone.body()).contains("\"ERROR\"", "\"code\":410", "\"Expired\"");
        // a list of an exact past version goes to etcd itself
        String exact = MAPS + "?limit=500&resourceVersionMatch=Exact&resourceVersion=" + first;
        assertThat(api.call(api.adminKubeconfig(), "GET", exact, "").code()).isEqualTo(410);
    }

    @Test
    void requestsAreCounted() {
        configMap("counted", "one");
        String get = "apiserver_request_total";
        String[] labels = {"resource=\"configmaps\"", "verb=\"GET\"", "code=\"404\""};
        double before = api.metric(get, labels);
        Path admin = api.adminKubeconfig();
        assertThat(api.call(admin, "GET", MAPS + "/counted-not", "").code()).isEqualTo(404);
        assertThat(api.call(admin, "GET", MAPS + "/counted-not", "").code()).isEqualTo(404);
        assertThat(api.metric(get, labels) - before).isEqualTo(2);
        Eventually.holds(
                "both are in the log",
                () -> api.requests().stream()
                        .filter(request -> request.name().equals("counted-not"))
                        .filter(request -> request.agent().startsWith("curl/"))
                        .filter(request -> request.user().equals("admin"))
                        .filter(request -> request.verb().equals("get"))
                        .filter(request -> request.resource().equals("configmaps"))
                        .filter(request -> request.code() == 404)
                        .filter(request -> !request.answered().isBefore(request.received()))
                        .count(),
                value -> value == 2);
        assertThat(api.requests())
                .anyMatch(request -> request.agent().startsWith("kubectl")
                        && request.name().equals("counted")
                        && request.code() == 201);
    }

    @Test
    void whatIsMissingFailsInCiAndSkipsElsewhere() {
        List<String> missing = List.of("kube: no etcd");
        assertThat(KubeCondition.judge(missing, false).isDisabled()).isTrue();
        assertThat(KubeCondition.judge(List.of(), true).isDisabled()).isFalse();
        assertThatThrownBy(() -> KubeCondition.judge(missing, true)).hasMessageContaining("no etcd");
    }

    private Watch watch(Path who, String path) {
        Path out = directory.resolve("watch");
        try {
            return new Watch(
                    new ProcessBuilder(ns.enter(api.curl(who, path)))
                            .redirectErrorStream(true)
                            .redirectOutput(out.toFile())
                            .start(),
                    out);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** A watch by curl, whose events go to a file. */
    private record Watch(Process curl, Path out) implements AutoCloseable {
        String text() {
            return read(out);
        }

        void await(String part) {
            Eventually.holds(part + " in the watch", () -> text(), value -> value.contains(part));
        }

        @Override
        public void close() {
            curl.destroyForcibly();
            try {
                assertThat(curl.waitFor(10, TimeUnit.SECONDS)).isTrue();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
