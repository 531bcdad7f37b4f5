package net.ipmasq.app;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.KubeApi;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NeedsKube;
import net.ipmasq.lab.NetNs;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The service account can do what the agent must, and is refused anything else. */
@NeedsKernel
@NeedsKube
@Timeout(120)
class RightsIT {
    private static final String NAME = "cce-ip-masq-agent";
    private static final String MAPS = "/api/v1/namespaces/kube-system/configmaps";
    private static final String EVENTS = "/apis/events.k8s.io/v1/namespaces/kube-system/events";

    private static NetNs ns;
    private static KubeApi api;
    private static Path agent;

    @BeforeAll
    static void cluster() {
        ns = NetNs.create();
        api = KubeApi.start(ns);
        api.applyYaml(Rights.YAML);
        for (String name : new String[] {NAME, NAME + "-profile", "other"}) {
            api.kubectl("-n", "kube-system", "create", "configmap", name, "--from-literal=config=of-" + name);
        }
        api.applyYaml("apiVersion: v1\nkind: Node\nmetadata: {name: node-1}\n");
        agent = api.serviceAccountKubeconfig("kube-system", NAME);
        Eventually.holds("the Role is known", () -> code("GET", MAPS + "/" + NAME, ""), value -> value == 200);
        Eventually.holds(
                "the ClusterRole is known", () -> code("GET", "/api/v1/nodes/node-1", ""), value -> value == 200);
    }

    @AfterAll
    static void gone() {
        if (api != null) {
            api.close();
        }
        if (ns != null) {
            ns.close();
        }
    }

    private static int code(String method, String path, String body) {
        return api.call(agent, method, path, body).code();
    }

    private static String only(String name) {
        return MAPS + "?fieldSelector=metadata.name%3D" + name;
    }

    private static boolean canI(String... question) {
        String[] args = new String[question.length + 3];
        args[0] = "auth";
        args[1] = "can-i";
        args[2] = "--as=system:serviceaccount:kube-system:" + NAME;
        System.arraycopy(question, 0, args, 3, question.length);
        // no is exit code 1
        return api.tryKubectl(api.adminKubeconfig(), Map.of(), "", args) instanceof Exited exited
                && exited.stdout().strip().equals("yes");
    }

    private static String event(String name, String note) {
        return """
                {"apiVersion": "events.k8s.io/v1", "kind": "Event",
                 "metadata": {"name": "%s", "namespace": "kube-system"},
                 "eventTime": "2026-01-01T00:00:00.000000Z", "reportingController": "ip-masq-agent",
                 "reportingInstance": "node-1", "action": "Validate", "reason": "ConfigInvalid", "type": "Warning",
                 "note": "%s",
                 "regarding": {"apiVersion": "v1", "kind": "ConfigMap", "namespace": "kube-system",
                               "name": "cce-ip-masq-agent"}}""".formatted(name, note);
    }

    @ParameterizedTest
    @ValueSource(strings = {NAME, NAME + "-profile"})
    void itReadsListsAndWatchesItsConfigMaps(String name) {
        assertThat(code("GET", MAPS + "/" + name, "")).isEqualTo(200);
        assertThat(api.call(agent, "GET", only(name), ""))
                .satisfies(answer -> assertThat(answer.code()).isEqualTo(200))
                .satisfies(answer ->
                        assertThat(answer.body()).contains("of-" + name + "\"").doesNotContain("of-other"));
        // a watch that the server ends after a second
        assertThat(api.call(agent, "GET", only(name) + "&watch=1&timeoutSeconds=1", ""))
                .satisfies(answer -> assertThat(answer.code()).isEqualTo(200))
                .satisfies(answer -> assertThat(answer.body()).contains("of-" + name + "\""));
        for (String verb : new String[] {"get", "list", "watch"}) {
            assertThat(canI(verb, "configmaps/" + name, "-n", "kube-system"))
                    .as(verb)
                    .isTrue();
        }
    }

    @Test
    void itWritesAndReadsEventsAndReadsItsNode() {
        assertThat(code("POST", EVENTS, event("mine", "wrong"))).isEqualTo(201);
        assertThat(code("POST", EVENTS, event("mine", "wrong"))).isEqualTo(409);
        assertThat(code("GET", EVENTS + "/mine", "")).isEqualTo(200);
        assertThat(code("GET", EVENTS + "/none", "")).isEqualTo(404);
        assertThat(code("GET", "/api/v1/nodes/node-1", "")).isEqualTo(200);
        assertThat(canI("create", "events.events.k8s.io", "-n", "kube-system")).isTrue();
        assertThat(canI("get", "events.events.k8s.io", "-n", "kube-system")).isTrue();
        assertThat(canI("get", "nodes/node-1")).isTrue();
    }

    /** What cuts the notes relies on it. */
    @Test
    void theServerCountsANoteInBytes() {
        assertThat(code("POST", EVENTS, event("bytes-1024", "ü".repeat(512)))).isEqualTo(201);
        assertThat(code("POST", EVENTS, event("bytes-1026", "ü".repeat(513)))).isEqualTo(422);
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /api/v1/namespaces/kube-system/configmaps/other",
        "GET, /api/v1/namespaces/kube-system/configmaps",
        "GET, /api/v1/namespaces/kube-system/configmaps?watch=1&timeoutSeconds=1",
        "GET, /api/v1/namespaces/kube-system/configmaps?fieldSelector=metadata.name%3Dother",
        "GET, /api/v1/namespaces/kube-system/configmaps?labelSelector=a%3Db",
        "GET, /api/v1/configmaps",
        "GET, /api/v1/configmaps?fieldSelector=metadata.name%3Dcce-ip-masq-agent",
        "GET, /api/v1/namespaces/default/configmaps/cce-ip-masq-agent",
        "GET, /api/v1/namespaces/default/configmaps?fieldSelector=metadata.name%3Dcce-ip-masq-agent",
        "POST, /api/v1/namespaces/kube-system/configmaps",
        "PUT, /api/v1/namespaces/kube-system/configmaps/cce-ip-masq-agent",
        "PATCH, /api/v1/namespaces/kube-system/configmaps/cce-ip-masq-agent",
        "DELETE, /api/v1/namespaces/kube-system/configmaps/cce-ip-masq-agent",
        "DELETE, /api/v1/namespaces/kube-system/configmaps",
        "PUT, /api/v1/namespaces/kube-system/configmaps/cce-ip-masq-agent-profile",
        "DELETE, /api/v1/namespaces/kube-system/configmaps/cce-ip-masq-agent-profile",
        "GET, /api/v1/namespaces/kube-system/secrets",
        "GET, /api/v1/namespaces/kube-system/secrets/any",
        "GET, /api/v1/secrets",
        "GET, /apis/events.k8s.io/v1/namespaces/kube-system/events",
        "PUT, /apis/events.k8s.io/v1/namespaces/kube-system/events/any",
        "DELETE, /apis/events.k8s.io/v1/namespaces/kube-system/events/any",
        "DELETE, /apis/events.k8s.io/v1/namespaces/kube-system/events",
        "POST, /apis/events.k8s.io/v1/namespaces/default/events",
        "GET, /apis/events.k8s.io/v1/namespaces/default/events/any",
        "POST, /api/v1/namespaces/kube-system/events",
        "GET, /api/v1/nodes",
        "PATCH, /api/v1/nodes/node-1",
        "DELETE, /api/v1/nodes/node-1",
        "GET, /api/v1/nodes/node-1/proxy/",
        "GET, /api/v1/namespaces/kube-system/pods",
        "GET, /api/v1/pods",
        "GET, /api/v1/namespaces",
        "GET, /apis/rbac.authorization.k8s.io/v1/namespaces/kube-system/roles",
        "POST, /api/v1/namespaces/kube-system/serviceaccounts/cce-ip-masq-agent/token",
    })
    void anythingElseIsRefused(String method, String path) {
        // refused for who asks, before anybody reads the body
        String body = method.equals("GET") || method.equals("DELETE") ? "" : "{}";
        assertThat(code(method, path, body)).isEqualTo(403);
    }

    @ParameterizedTest
    @CsvSource({
        "get, configmaps/other, kube-system",
        "list, configmaps, kube-system",
        "watch, configmaps, kube-system",
        "create, configmaps, kube-system",
        "update, configmaps/cce-ip-masq-agent, kube-system",
        "patch, configmaps/cce-ip-masq-agent, kube-system",
        "delete, configmaps/cce-ip-masq-agent, kube-system",
        "get, configmaps/cce-ip-masq-agent, default",
        "get, secrets, kube-system",
        "list, secrets, kube-system",
        "list, events.events.k8s.io, kube-system",
        "delete, events.events.k8s.io, kube-system",
        "create, events.events.k8s.io, default",
        "create, events, kube-system",
        "list, nodes, kube-system",
        "update, nodes/node-1, kube-system",
        "get, pods, kube-system",
        "*, *, kube-system",
    })
    void canISaysTheSame(String verb, String what, String namespace) {
        assertThat(canI(verb, what, "-n", namespace)).isFalse();
    }

    @Test
    void noRuleHasAWildcard() {
        for (String kind : new String[] {"role", "clusterrole"}) {
            String name = kind.equals("role") ? NAME : NAME + "-node";
            String rules = api.kubectl("-n", "kube-system", "get", kind, name, "-o", "jsonpath={.rules}");
            assertThat(rules).contains("verbs").doesNotContain("*");
        }
    }
}
