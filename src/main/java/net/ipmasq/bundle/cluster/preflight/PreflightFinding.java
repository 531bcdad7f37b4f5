package net.ipmasq.bundle.cluster.preflight;

import static net.ipmasq.json.JsonText.object;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * One finding about a cluster, for those who install.
 *
 * @param severity after an error, do not install before it is fixed
 * @param code machine-readable and stable, for example {@code ConflictingAgent}
 * @param message what was found
 * @param fix what to do about it; empty where there is nothing to do
 * @param resources the objects it is about
 */
public record PreflightFinding(Severity severity, String code, String message, String fix, List<Resource> resources) {

    /** The most severe first. */
    public enum Severity {
        ERROR("error"),
        WARNING("warning"),
        INFO("info");

        private final String key;

        Severity(String key) {
            this.key = key;
        }

        PreflightFinding of(String code, String message, String fix) {
            return of(code, message, fix, List.of());
        }

        PreflightFinding of(String code, String message, String fix, List<Resource> resources) {
            return new PreflightFinding(this, code, message, fix, resources);
        }

        /** The name in JSON. */
        public String key() {
            return key;
        }
    }

    /**
     * An object of the cluster.
     *
     * @param namespace empty for what has none
     */
    public record Resource(String kind, String namespace, String name) {
        @Override
        public String toString() {
            return kind + " " + (namespace.isEmpty() ? "" : namespace + "/") + name;
        }
    }

    public PreflightFinding {
        resources = List.copyOf(resources);
    }

    public boolean isError() {
        return severity == Severity.ERROR;
    }

    /** The shape that {@code -o json} has. */
    public Map<String, Object> document() {
        return object(
                "severity", severity.key(),
                "code", code,
                "message", message,
                "fix", fix,
                "resources",
                        resources.stream()
                                .map(one ->
                                        object("kind", one.kind(), "namespace", one.namespace(), "name", one.name()))
                                .toList());
    }

    /** For a terminal. */
    public String text() {
        String about = resources.isEmpty()
                ? ""
                : " (" + resources.stream().limit(5).map(Resource::toString).collect(Collectors.joining(", "))
                        + (resources.size() > 5 ? " and " + (resources.size() - 5) + " more" : "") + ")";
        return severity.key() + ": " + message + about + " [" + code + "]\n" + (fix.isEmpty() ? "" : "  " + fix + "\n");
    }
}
