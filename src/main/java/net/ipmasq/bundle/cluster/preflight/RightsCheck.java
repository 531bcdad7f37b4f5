package net.ipmasq.bundle.cluster.preflight;

import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributesBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.bundle.cluster.preflight.Requirements.Grant;

/** Whether the caller may create the objects of the bundle. */
record RightsCheck(Requirements requirements, String namespace) implements Check {
    private static final String RBAC = "rbac.authorization.k8s.io";

    /** A kind of object of the bundle. */
    private record Kind(String group, String plural, boolean namespaced) {}

    private static final List<Kind> KINDS = List.of(
            new Kind("", "serviceaccounts", true),
            new Kind("", "configmaps", true),
            new Kind("apps", "daemonsets", true),
            new Kind(RBAC, "roles", true),
            new Kind(RBAC, "rolebindings", true),
            new Kind(RBAC, "clusterroles", false),
            new Kind(RBAC, "clusterrolebindings", false));

    private static final List<String> VERBS = List.of("get", "create", "patch", "delete");

    @Override
    public List<PreflightFinding> look(ClusterReader cluster) {
        List<String> missing = new ArrayList<>();
        for (Kind kind : KINDS) {
            for (String verb : VERBS) {
                ask(cluster, kind, verb, "").ifPresent(missing::add);
            }
        }
        List<PreflightFinding> findings = new ArrayList<>();
        if (!missing.isEmpty()) {
            findings.add(PreflightFinding.Severity.ERROR.of(
                    "MissingRight",
                    "you may not: " + String.join(", ", missing),
                    "install as somebody who may, such as cluster-admin"));
        }
        grants(cluster).ifPresent(findings::add);
        helm(cluster).ifPresent(findings::add);
        return findings;
    }

    /** The API server lets nobody give away a right that they do not have, unless they may escalate and bind. */
    private Optional<PreflightFinding> grants(ClusterReader cluster) {
        List<String> lacking = new ArrayList<>();
        for (Grant grant : requirements.grants()) {
            Kind kind = new Kind(grant.apiGroup(), grant.resource(), !grant.clusterWide());
            List<String> names = grant.names().isEmpty() ? List.of("") : grant.names();
            for (String verb : grant.verbs()) {
                for (String name : names) {
                    ask(cluster, kind, verb, name).ifPresent(lacking::add);
                }
            }
        }
        if (lacking.isEmpty() || mayGiveAway(cluster)) {
            return Optional.empty();
        }
        return Optional.of(PreflightFinding.Severity.ERROR.of(
                "MissingRightToGive",
                "the agent's account needs rights that you do not have, so you cannot give them: "
                        + String.join(", ", lacking),
                "install as somebody who has them, or who may escalate and bind roles and clusterroles"));
    }

    private boolean mayGiveAway(ClusterReader cluster) {
        for (Kind kind : List.of(new Kind(RBAC, "roles", true), new Kind(RBAC, "clusterroles", false))) {
            if (ask(cluster, kind, "escalate", "").isPresent()
                    || ask(cluster, kind, "bind", "").isPresent()) {
                return false;
            }
        }
        return true;
    }

    /** Helm stores a release in a Secret; applying manifests needs none. */
    private Optional<PreflightFinding> helm(ClusterReader cluster) {
        List<String> missing = new ArrayList<>();
        for (String verb : List.of("get", "list", "create", "update", "delete")) {
            ask(cluster, new Kind("", "secrets", true), verb, "").ifPresent(missing::add);
        }
        return missing.isEmpty()
                ? Optional.empty()
                : Optional.of(PreflightFinding.Severity.WARNING.of(
                        "MissingRightForHelm",
                        "Helm keeps its releases in Secrets, and you may not: " + String.join(", ", missing),
                        "get these rights, or install without Helm: ip-masq-fleet bundle apply"));
    }

    /** The right in words if it is missing. */
    private Optional<String> ask(ClusterReader cluster, Kind kind, String verb, String name) {
        ResourceAttributes what = new ResourceAttributesBuilder()
                .withGroup(kind.group())
                .withResource(kind.plural())
                .withNamespace(kind.namespaced() ? namespace : "")
                .withVerb(verb)
                .withName(name)
                .build();
        return cluster.allowed(what)
                ? Optional.empty()
                : Optional.of(verb + " " + kind.plural()
                        + (kind.group().isEmpty() ? "" : "." + kind.group())
                        + (name.isEmpty() ? "" : "/" + name));
    }
}
