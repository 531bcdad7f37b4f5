package net.ipmasq.bundle.cluster.uninstall;

import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.apps.DaemonSet;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import net.ipmasq.text.Counted;

/**
 * Which pods have cleaned in this round, and how far it has come. Pods of an earlier round, which are still there and
 * ready while they are replaced, have not.
 */
final class CleanupProgress {
    private long most = -1;

    /** Whether a pod belongs to what the DaemonSet asks for now, and is ready. */
    static boolean hasCleaned(Pod pod, DaemonSet cleaning) {
        boolean ofAnother = pod.getMetadata().getOwnerReferences().stream()
                .anyMatch(owner -> Boolean.TRUE.equals(owner.getController())
                        && !owner.getUid().equals(cleaning.getMetadata().getUid()));
        String round = round(cleaning.getSpec().getTemplate().getMetadata().getAnnotations());
        return !ofAnother && round.equals(round(pod.getMetadata().getAnnotations())) && isReady(pod);
    }

    private static String round(Map<String, String> annotations) {
        return annotations == null ? "" : Objects.requireNonNullElse(annotations.get(CleanupPods.ROUND), "");
    }

    private static boolean isReady(Pod pod) {
        return pod.getStatus() != null
                && pod.getStatus().getConditions().stream()
                        .anyMatch(condition -> condition.getType().equals("Ready")
                                && condition.getStatus().equals("True"));
    }

    /** A line when there are more than ever before; a pod that is not ready for a moment takes nothing back. */
    Optional<String> news(long clean, int nodes) {
        if (clean <= most) {
            return Optional.empty();
        }
        most = clean;
        return Optional.of("clean: " + clean + " of " + Counted.of(nodes, "node"));
    }
}
