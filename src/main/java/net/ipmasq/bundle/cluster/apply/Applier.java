package net.ipmasq.bundle.cluster.apply;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.StatusCause;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.bundle.archive.HelmHook;
import net.ipmasq.bundle.archive.Tree;

/** Applies manifests as the provider's field manager. */
public final class Applier {
    /** The provider's name as a field manager. */
    public static final String MANAGER = "ip-masq-agent-addon";

    private static final String MODE = "addonmanager.kubernetes.io/mode";
    private static final Pattern WHO = Pattern.compile("conflict with \"([^\"]*)\"");

    /** A conflict can hide others of the same object, but not endlessly many. */
    private static final int ROUNDS = 10;

    private final KubernetesClient client;
    private final Conflicts resolve;
    private final List<ApplyResult> outcomes = new ArrayList<>();

    private Applier(KubernetesClient client, Conflicts resolve) {
        this.client = client;
        this.resolve = resolve;
    }

    /**
     * Applies them in their order.
     *
     * @return what became of each, and every conflict; under {@code NONE} either everything was applied or nothing
     * @throws KubernetesClientException if the cluster does not answer or refuses for another reason
     */
    public static List<ApplyResult> apply(KubernetesClient client, List<Map<String, Object>> all, Conflicts resolve) {
        Applier applier = new Applier(client, resolve);
        List<Map<String, Object>> manifests = all.stream()
                .filter(manifest -> !HelmHook.isOfAnotherTime(manifest))
                .toList();
        if (resolve == Conflicts.NONE) {
            for (Map<String, Object> manifest : manifests) {
                if (!isUsers(manifest)) {
                    applier.conflicts(manifest, false, true).stream()
                            // taken over below, as its writer
                            .filter(conflict -> !FieldOwners.TAKEN_OVER.equals(conflict.manager()))
                            .forEach(applier.outcomes::add);
                }
            }
            if (!applier.outcomes.isEmpty()) {
                return applier.outcomes;
            }
        }
        manifests.forEach(applier::one);
        all.stream()
                .filter(HelmHook::isOfAnotherTime)
                .forEach(hook -> applier.outcomes.add(new ApplyResult.Skipped(name(hook))));
        return applier.outcomes;
    }

    private void one(Map<String, Object> manifest) {
        String name = name(manifest);
        if (isUsers(manifest)) {
            outcomes.add(createOnce(manifest, name));
            return;
        }
        FieldOwners.takeOver(client, resource(manifest), MANAGER);
        List<ApplyResult.ConfigurationConflict> found = conflicts(manifest, false, false);
        for (int round = 0; !found.isEmpty() && round < ROUNDS; round++) {
            outcomes.addAll(found);
            if (resolve == Conflicts.PRESERVE) {
                found.forEach(conflict -> without(manifest, conflict));
            }
            found = conflicts(manifest, resolve == Conflicts.OVERWRITE, false);
        }
        if (!found.isEmpty()) {
            throw new IllegalStateException(name + ": conflicts without an end: " + found);
        }
        outcomes.add(new ApplyResult.Applied(name));
    }

    private static void without(Map<String, Object> manifest, ApplyResult.ConfigurationConflict conflict) {
        if (!FieldPath.remove(manifest, conflict.field())) {
            throw new IllegalStateException(conflict.name()
                    + ": the server names a field that the manifest does not have: " + conflict.field());
        }
    }

    /** An object of the user is created where it is absent; a patch could change it, so none is sent. */
    private ApplyResult createOnce(Map<String, Object> manifest, String name) {
        try {
            client.resource(resource(manifest)).create();
            return new ApplyResult.Created(name);
        } catch (KubernetesClientException e) {
            if (e.getCode() == 409) {
                return new ApplyResult.Kept(name);
            }
            throw e;
        }
    }

    /** Applies one, or tries to. Returns its conflicts, none after success. */
    private List<ApplyResult.ConfigurationConflict> conflicts(
            Map<String, Object> manifest, boolean force, boolean dry) {
        GenericKubernetesResource object = resource(manifest);
        PatchContext.Builder how = new PatchContext.Builder()
                .withPatchType(PatchType.SERVER_SIDE_APPLY)
                .withFieldManager(MANAGER)
                .withForce(force);
        try {
            client.resource(object).patch(dry ? how.withDryRun(List.of("All")).build() : how.build(), object);
            return List.of();
        } catch (KubernetesClientException e) {
            if (e.getCode() != 409 || e.getStatus() == null || e.getStatus().getDetails() == null) {
                throw e;
            }
            List<ApplyResult.ConfigurationConflict> found = new ArrayList<>();
            for (StatusCause cause : e.getStatus().getDetails().getCauses()) {
                Matcher who = WHO.matcher(String.valueOf(cause.getMessage()));
                found.add(new ApplyResult.ConfigurationConflict(
                        name(manifest), cause.getField(), who.find() ? who.group(1) : cause.getMessage(), resolve));
            }
            return found;
        }
    }

    private GenericKubernetesResource resource(Map<String, Object> manifest) {
        return client.getKubernetesSerialization().convertValue(manifest, GenericKubernetesResource.class);
    }

    private static boolean isUsers(Map<String, Object> manifest) {
        return Tree.text(manifest, "metadata", "labels", MODE).equals("EnsureExists");
    }

    private static String name(Map<String, Object> manifest) {
        return Tree.text(manifest, "kind") + "/" + Tree.text(manifest, "metadata", "name");
    }
}
