package net.ipmasq.bundle.archive;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The rights in the cluster that objects grant. */
final class ApiRights {
    /** Kinds of objects whose rights are all judged here or in {@link PodRights}. */
    private static final Set<String> JUDGED = Set.of(
            "v1/ServiceAccount",
            "v1/ConfigMap",
            "apps/v1/DaemonSet",
            "batch/v1/Job",
            "rbac.authorization.k8s.io/v1/Role",
            "rbac.authorization.k8s.io/v1/RoleBinding",
            "rbac.authorization.k8s.io/v1/ClusterRole",
            "rbac.authorization.k8s.io/v1/ClusterRoleBinding",
            "monitoring.coreos.com/v1/PodMonitor",
            "monitoring.coreos.com/v1/PrometheusRule");

    private final Set<Right> found = new HashSet<>();
    private final Set<String> own = new HashSet<>();

    private ApiRights() {}

    static Set<Right> of(List<Map<String, Object>> documents) {
        ApiRights rights = new ApiRights();
        documents.forEach(document -> rights.own.add(name(document)));
        documents.forEach(rights::document);
        return rights.found;
    }

    private static String name(Map<String, Object> document) {
        return Tree.text(document, "kind") + "/" + Tree.text(document, "metadata", "name");
    }

    private void document(Map<String, Object> document) {
        String type = Tree.text(document, "apiVersion") + "/" + Tree.text(document, "kind");
        if (!JUDGED.contains(type)) {
            found.add(Right.of("object", type));
        }
        String namespace = Tree.text(document, "metadata", "namespace");
        if (!namespace.isEmpty() && !namespace.equals(HelmEngine.NAMESPACE)) {
            found.add(Right.of("object", type + " in namespace " + namespace));
        }
        switch (Tree.text(document, "kind")) {
            case "Role" -> rules(Right.NAMESPACE, document);
            case "ClusterRole" -> {
                rules(Right.CLUSTER, document);
                aggregation(document);
            }
            case "RoleBinding", "ClusterRoleBinding" -> binding(document);
            default -> {}
        }
    }

    private void rules(String scope, Map<String, Object> role) {
        for (Object rule : Tree.list(role, "rules")) {
            List<String> verbs = Tree.texts(rule, "verbs");
            found.addAll(of(
                    scope,
                    Tree.texts(rule, "apiGroups"),
                    Tree.texts(rule, "resources"),
                    Tree.texts(rule, "resourceNames"),
                    verbs));
            for (String url : Tree.texts(rule, "nonResourceURLs")) {
                verbs.forEach(verb -> found.add(Right.of(scope, verb + " " + url)));
            }
        }
    }

    /** Every combination is a right of its own, as in RBAC. */
    static List<Right> of(
            String scope, List<String> groups, List<String> resources, List<String> names, List<String> verbs) {
        List<Right> rights = new ArrayList<>();
        for (String group : groups) {
            for (String resource : resources) {
                for (String verb : verbs) {
                    String what = verb + " " + resource + (group.isEmpty() ? "" : "." + group);
                    for (String name : names.isEmpty() ? List.of("") : names) {
                        rights.add(new Right(scope, what, name));
                    }
                }
            }
        }
        return rights;
    }

    /** A role that aggregates others, or that others aggregate: what it then allows cannot be told from the bundle. */
    private void aggregation(Map<String, Object> role) {
        if (Tree.at(role, "aggregationRule").isPresent()) {
            found.add(Right.of("aggregation", "of other roles into " + name(role)));
        }
        Tree.map(role, "metadata", "labels").keySet().stream()
                .filter(label -> label.startsWith("rbac.authorization.k8s.io/aggregate-to-"))
                .forEach(label -> found.add(Right.of("aggregation", label)));
    }

    private void binding(Map<String, Object> binding) {
        String role = Tree.text(binding, "roleRef", "kind") + "/" + Tree.text(binding, "roleRef", "name");
        if (!own.contains(role)) {
            found.add(Right.of("binding", role));
        }
        for (Object subject : Tree.list(binding, "subjects")) {
            String who = Tree.text(subject, "kind") + "/" + Tree.text(subject, "name");
            if (!own.contains(who) || !Tree.text(subject, "namespace").equals(HelmEngine.NAMESPACE)) {
                found.add(Right.of("subject", who));
            }
        }
    }
}
