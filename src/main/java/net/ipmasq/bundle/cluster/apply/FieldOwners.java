package net.ipmasq.bundle.cluster.apply;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ManagedFieldsEntry;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.ipmasq.json.JsonText;
import org.jspecify.annotations.Nullable;

/**
 * Takes over fields. An installation by {@code kubectl apply} wrote what the provider wrote, but under kubectl's name: unless these fields are
 * taken over, every field that a new version changes would belong to somebody else. {@code kubectl apply
 * --server-side} does the same when it meets its own former self.
 */
final class FieldOwners {
    static final String TAKEN_OVER = "kubectl-client-side-apply";

    private FieldOwners() {}

    static void takeOver(KubernetesClient client, GenericKubernetesResource object, String manager) {
        GenericKubernetesResource there = client.resource(object).get();
        if (there == null) {
            return;
        }
        List<ManagedFieldsEntry> entries = there.getMetadata().getManagedFields();
        List<ManagedFieldsEntry> kept = new ArrayList<>();
        List<ManagedFieldsEntry> taken = new ArrayList<>();
        for (ManagedFieldsEntry entry : entries) {
            boolean kubectls = TAKEN_OVER.equals(entry.getManager()) && "Update".equals(entry.getOperation());
            (kubectls && isOfWhole(entry) ? taken : kept).add(entry);
        }
        if (taken.isEmpty()) {
            return;
        }
        ManagedFieldsEntry ours = kept.stream()
                .filter(entry ->
                        manager.equals(entry.getManager()) && "Apply".equals(entry.getOperation()) && isOfWhole(entry))
                .findFirst()
                .orElse(null);
        if (ours == null) {
            ours = taken.removeFirst();
            ours.setManager(manager);
            ours.setOperation("Apply");
            kept.add(ours);
        }
        for (ManagedFieldsEntry entry : taken) {
            Map<String, Object> both = union(
                    ours.getFieldsV1().getAdditionalProperties(),
                    entry.getFieldsV1().getAdditionalProperties());
            ours.getFieldsV1().setAdditionalProperties(both);
        }
        List<Object> fields = kept.stream()
                .map(entry -> (Object) client.getKubernetesSerialization().convertValue(entry, Map.class))
                .toList();
        // the version makes it fail if somebody writes meanwhile
        String patch = JsonText.compact(List.of(
                Map.of("op", "replace", "path", "/metadata/managedFields", "value", fields),
                Map.of(
                        "op", "replace",
                        "path", "/metadata/resourceVersion",
                        "value", there.getMetadata().getResourceVersion())));
        client.resource(object).patch(PatchContext.of(PatchType.JSON), patch);
    }

    private static boolean isOfWhole(ManagedFieldsEntry entry) {
        return entry.getSubresource() == null || entry.getSubresource().isEmpty();
    }

    private static Map<String, Object> union(@Nullable Object one, @Nullable Object other) {
        Map<String, Object> both = new HashMap<>();
        for (Object fields : new Object[] {one, other}) {
            if (fields instanceof Map<?, ?> map) {
                map.forEach((key, below) -> both.merge(String.valueOf(key), below, FieldOwners::union));
            }
        }
        return both;
    }
}
