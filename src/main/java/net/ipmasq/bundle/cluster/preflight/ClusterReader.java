package net.ipmasq.bundle.cluster.preflight;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import io.fabric8.kubernetes.api.model.authorization.v1.ResourceAttributes;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReview;
import io.fabric8.kubernetes.api.model.authorization.v1.SelfSubjectAccessReviewBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.MixedOperation;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import net.ipmasq.bundle.cluster.preflight.PreflightFinding.Resource;
import org.jspecify.annotations.Nullable;

/** Reads a cluster. What the caller may not read is a finding, and is treated as absent otherwise. */
final class ClusterReader {
    private final KubernetesClient client;
    private final List<PreflightFinding> unread = new ArrayList<>();
    private @Nullable List<DaemonSet> daemonSets;
    private @Nullable List<Node> nodes;

    ClusterReader(KubernetesClient client) {
        this.client = client;
    }

    /** What could not be read so far. */
    List<PreflightFinding> unread() {
        return unread;
    }

    /** The API server's version, such as {@code v1.28.3-gke.1}; this also finds out whether it answers. */
    String version() {
        String version = client.getKubernetesVersion().getGitVersion();
        return version == null ? "" : version;
    }

    List<Node> nodes() {
        List<Node> known = nodes;
        if (known == null) {
            known = read(
                            new Resource("Node", "", "*"),
                            () -> client.nodes().list().getItems())
                    .orElse(List.of());
            nodes = known;
        }
        return known;
    }

    /** Those of all namespaces; where that is refused, those of {@code namespace}. */
    List<DaemonSet> daemonSets(String namespace) {
        List<DaemonSet> known = daemonSets;
        if (known == null) {
            known = read(
                            new Resource("DaemonSet", "", "*"),
                            () -> client.apps()
                                    .daemonSets()
                                    .inAnyNamespace()
                                    .list()
                                    .getItems())
                    .or(() -> read(
                            new Resource("DaemonSet", namespace, "*"),
                            () -> client.apps()
                                    .daemonSets()
                                    .inNamespace(namespace)
                                    .list()
                                    .getItems()))
                    .orElse(List.of());
            daemonSets = known;
        }
        return known;
    }

    Optional<ConfigMap> configMap(String namespace, String name) {
        return read(
                new Resource("ConfigMap", namespace, name),
                () -> client.configMaps().inNamespace(namespace).withName(name).get());
    }

    /** Those objects of an install that exist. */
    List<HasMetadata> ofOurNames(String namespace) {
        String node = Preflight.NAME + "-node";
        List<HasMetadata> found = new ArrayList<>();
        in(namespace, "DaemonSet", Preflight.NAME, client.apps().daemonSets()).ifPresent(found::add);
        in(namespace, "ServiceAccount", Preflight.NAME, client.serviceAccounts())
                .ifPresent(found::add);
        in(namespace, "ConfigMap", Preflight.NAME + "-profile", client.configMaps())
                .ifPresent(found::add);
        in(namespace, "Role", Preflight.NAME, client.rbac().roles()).ifPresent(found::add);
        in(namespace, "RoleBinding", Preflight.NAME, client.rbac().roleBindings())
                .ifPresent(found::add);
        read(
                        new Resource("ClusterRole", "", node),
                        () -> client.rbac().clusterRoles().withName(node).get())
                .ifPresent(found::add);
        read(
                        new Resource("ClusterRoleBinding", "", node),
                        () -> client.rbac().clusterRoleBindings().withName(node).get())
                .ifPresent(found::add);
        return found;
    }

    private <T extends HasMetadata> Optional<T> in(
            String namespace,
            String kind,
            String name,
            MixedOperation<T, ?, ? extends io.fabric8.kubernetes.client.dsl.Resource<T>> all) {
        return read(
                new Resource(kind, namespace, name),
                () -> all.inNamespace(namespace).withName(name).get());
    }

    /** Objects of a kind that need not exist in the cluster. */
    List<GenericKubernetesResource> custom(ResourceDefinitionContext kind) {
        return read(
                        new Resource(kind.getKind(), "", "*"),
                        () -> client.genericKubernetesResources(kind).list().getItems())
                .orElse(List.of());
    }

    boolean allowed(ResourceAttributes what) {
        SelfSubjectAccessReview question = new SelfSubjectAccessReviewBuilder()
                .withNewSpec()
                .withResourceAttributes(what)
                .endSpec()
                .build();
        SelfSubjectAccessReview answer = client.resource(question).create();
        return answer.getStatus() != null
                && Boolean.TRUE.equals(answer.getStatus().getAllowed());
    }

    private <T> Optional<T> read(Resource what, Supplier<@Nullable T> look) {
        try {
            return Optional.ofNullable(look.get());
        } catch (KubernetesClientException e) {
            if (e.getCode() == 404) {
                return Optional.empty();
            }
            if (e.getCode() != 403) {
                throw e;
            }
            unread.add(PreflightFinding.Severity.WARNING.of(
                    "CannotRead",
                    "you may not read " + what + ", so nothing is known about it",
                    "run this as somebody who may " + (what.name().equals("*") ? "list" : "get") + " it",
                    List.of(what)));
            return Optional.empty();
        }
    }
}
