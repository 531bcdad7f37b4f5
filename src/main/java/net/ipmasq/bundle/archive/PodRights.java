package net.ipmasq.bundle.archive;

import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The rights on the node that pods have. What a manifest leaves out is judged by the cluster's default: without a seccomp profile it is
 * Unconfined, without allowPrivilegeEscalation that is allowed.
 */
final class PodRights {
    private static final List<String> HARMLESS =
            List.of("configMap", "emptyDir", "downwardAPI", "projected", "hostPath", "secret", "name");

    private final Set<Right> found = new HashSet<>();

    private PodRights() {}

    static Set<Right> of(List<Map<String, Object>> documents) {
        PodRights rights = new PodRights();
        Set<String> accounts = new HashSet<>();
        for (Map<String, Object> document : documents) {
            if (Tree.text(document, "kind").equals("ServiceAccount")) {
                accounts.add(Tree.text(document, "metadata", "name"));
            }
        }
        documents.forEach(document -> rights.search(document, accounts));
        return rights.found;
    }

    /** Whatever has containers is a pod's specification, in whichever kind of object it is. */
    private void search(@Nullable Object node, Set<String> accounts) {
        if (node instanceof Map<?, ?> map) {
            if (map.get("containers") instanceof List<?>) {
                pod(Tree.map(map), accounts);
            }
            map.values().forEach(value -> search(value, accounts));
        } else if (node instanceof List<?> list) {
            list.forEach(item -> search(item, accounts));
        }
    }

    /** The containers of a pod, of all kinds. */
    static Stream<Object> containers(Map<String, Object> pod) {
        return Stream.of("initContainers", "containers", "ephemeralContainers")
                .flatMap(key -> Tree.list(pod, key).stream());
    }

    private void pod(Map<String, Object> pod, Set<String> accounts) {
        for (String flag : List.of("hostNetwork", "hostPID", "hostIPC")) {
            if (Tree.isTrue(pod, flag)) {
                found.add(Right.of(flag, ""));
            }
        }
        String account = Tree.text(pod, "serviceAccountName");
        if (!account.isEmpty() && !accounts.contains(account)) {
            found.add(Right.of("serviceAccount", account));
        }
        for (Object sysctl : Tree.list(pod, "securityContext", "sysctls")) {
            found.add(Right.of("sysctl", Tree.text(sysctl, "name")));
        }
        Tree.list(pod, "volumes").forEach(volume -> volume(pod, Tree.map(volume)));
        containers(pod).forEach(container -> container(Tree.map(pod), Tree.map(container)));
    }

    private void volume(Map<String, Object> pod, Map<String, Object> volume) {
        String path = Tree.text(volume, "hostPath", "path");
        if (!path.isEmpty()) {
            found.add(new Right("hostPath", path, writable(pod, Tree.text(volume, "name")) ? "" : Right.READ_ONLY));
        }
        Stream.concat(
                        Stream.of(Tree.text(volume, "secret", "secretName")),
                        Tree.list(volume, "projected", "sources").stream()
                                .map(source -> Tree.text(source, "secret", "name")))
                .filter(secret -> !secret.isEmpty())
                .forEach(secret -> found.add(Right.of("secret", secret)));
        volume.keySet().stream()
                .filter(key -> !HARMLESS.contains(key))
                .forEach(key -> found.add(Right.of("volume", key)));
    }

    private static boolean writable(Map<String, Object> pod, String volume) {
        return containers(pod)
                .flatMap(container -> Tree.list(container, "volumeMounts").stream())
                .filter(mount -> Tree.text(mount, "name").equals(volume))
                .anyMatch(mount -> !Tree.isTrue(mount, "readOnly"));
    }

    private void container(Map<String, Object> pod, Map<String, Object> container) {
        // the container's setting overrides the pod's
        Map<String, Object> context =
                Tree.over(Tree.map(pod, "securityContext"), Tree.map(container, "securityContext"));
        if (Tree.isTrue(context, "privileged")) {
            found.add(Right.of("privileged", ""));
        }
        if (!Tree.text(context, "allowPrivilegeEscalation").equals("false")) {
            found.add(Right.of("privilegeEscalation", ""));
        }
        capabilities(context);
        user(context);
        confinement(context);
        secretsInEnvironment(container);
        if (!Tree.isTrue(pod, "hostNetwork")) {
            for (Object port : Tree.list(container, "ports")) {
                Tree.at(port, "hostPort").ifPresent(number -> found.add(Right.of("hostPort", String.valueOf(number))));
            }
        }
    }

    private void capabilities(Map<String, Object> context) {
        for (String name : Tree.texts(context, "capabilities", "add")) {
            found.add(Right.of("capability", name.toUpperCase(Locale.ROOT).replaceFirst("^CAP_", "")));
        }
        if (Tree.texts(context, "capabilities", "drop").stream().noneMatch("ALL"::equalsIgnoreCase)) {
            found.add(Right.of("capability", "the runtime's default set"));
        }
    }

    private void user(Map<String, Object> context) {
        String user = Tree.text(context, "runAsUser");
        if (user.isEmpty() && !Tree.isTrue(context, "runAsNonRoot")) {
            found.add(Right.of("user", "the image's"));
        } else if (user.equals("0")) {
            found.add(Right.of("user", user));
        }
    }

    private void confinement(Map<String, Object> context) {
        String seccomp = Tree.text(context, "seccompProfile", "type");
        if (!seccomp.equals("RuntimeDefault")) {
            found.add(Right.of("seccomp", seccomp.isEmpty() ? "Unconfined" : seccomp));
        }
        String appArmor = Tree.text(context, "appArmorProfile", "type");
        if (appArmor.equals("Unconfined")) {
            found.add(Right.of("appArmor", appArmor));
        }
        for (String key : List.of("procMount", "seLinuxOptions", "windowsOptions")) {
            Tree.at(context, key).ifPresent(value -> found.add(Right.of(key, String.valueOf(value))));
        }
    }

    private void secretsInEnvironment(Map<String, Object> container) {
        Stream.concat(
                        Tree.list(container, "env").stream()
                                .map(one -> Tree.text(one, "valueFrom", "secretKeyRef", "name")),
                        Tree.list(container, "envFrom").stream().map(one -> Tree.text(one, "secretRef", "name")))
                .filter(secret -> !secret.isEmpty())
                .forEach(secret -> found.add(Right.of("secret", secret)));
    }
}
