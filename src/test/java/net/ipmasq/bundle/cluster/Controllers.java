package net.ipmasq.bundle.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import net.ipmasq.bundle.Schema;
import net.ipmasq.lab.KubeApi;

/** What a cluster's controllers and kubelets would do, by the test's own hand: the API server alone does none of it. */
final class Controllers {
    private static final String NAMESPACE = "/namespaces/kube-system/";

    private final KubeApi api;

    Controllers(KubeApi api) {
        this.api = api;
    }

    private ObjectNode get(String path) {
        return (ObjectNode)
                Schema.json(api.call(api.adminKubeconfig(), "GET", path, "").body());
    }

    private void putStatus(String path, ObjectNode object) {
        assertThat(api.call(api.adminKubeconfig(), "PUT", path + "/status", object.toString())
                        .code())
                .isEqualTo(200);
    }

    /** The DaemonSet controller has seen the newest generation and counts its pods. */
    void counted(String daemonSet, int desired, int ready) {
        String path = "/apis/apps/v1" + NAMESPACE + "daemonsets/" + daemonSet;
        ObjectNode object = get(path);
        object.putObject("status")
                .put("desiredNumberScheduled", desired)
                .put("currentNumberScheduled", desired)
                .put("updatedNumberScheduled", desired)
                .put("numberMisscheduled", 0)
                .put("numberReady", ready)
                .put("observedGeneration", object.at("/metadata/generation").asLong());
        putStatus(path, object);
    }

    void completed(String job) {
        String path = "/apis/batch/v1" + NAMESPACE + "jobs/" + job;
        ObjectNode object = get(path);
        ArrayNode conditions = object.putObject("status").put("succeeded", 1).putArray("conditions");
        conditions.addObject().put("type", "Complete").put("status", "True");
        putStatus(path, object);
    }

    /** A pod of a DaemonSet on a node, as its template says now. */
    void pod(String daemonSet, String node, boolean ready) {
        String name = daemonSet + "-" + node;
        ObjectNode made = get("/apis/apps/v1" + NAMESPACE + "daemonsets/" + daemonSet);
        var annotations = made.at("/spec/template/metadata/annotations");
        api.applyYaml("""
                apiVersion: v1
                kind: Pod
                metadata:
                  name: %s
                  namespace: kube-system
                  labels: {app.kubernetes.io/name: ip-masq-agent, app.kubernetes.io/instance: %s}
                  annotations: %s
                spec:
                  nodeName: %s
                  serviceAccountName: cce-ip-masq-agent
                  automountServiceAccountToken: false
                  containers: [{name: a, image: a}]
                """.formatted(name, daemonSet, annotations.isObject() ? annotations : "{}", node));
        String path = "/api/v1" + NAMESPACE + "pods/" + name;
        ObjectNode object = get(path);
        ArrayNode conditions =
                object.putObject("status").put("phase", "Running").putArray("conditions");
        conditions.addObject().put("type", "Ready").put("status", ready ? "True" : "False");
        putStatus(path, object);
    }

    void podGone(String daemonSet, String node) {
        api.kubectl(
                "-n",
                "kube-system",
                "delete",
                "pod",
                daemonSet + "-" + node,
                "--force",
                "--grace-period=0",
                "--wait=false");
    }

    /** The garbage collector lets an object go whose dependents are gone. */
    void collected(String daemonSet) {
        api.kubectl(
                "-n",
                "kube-system",
                "patch",
                "daemonset",
                daemonSet,
                "--type=merge",
                "-p",
                "{\"metadata\":{\"finalizers\":null}}");
    }
}
