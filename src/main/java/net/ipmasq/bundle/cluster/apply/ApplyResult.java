package net.ipmasq.bundle.cluster.apply;

import static net.ipmasq.json.JsonText.object;

import java.util.Map;

/** What became of an object. */
public sealed interface ApplyResult {

    /** The object, {@code kind/name}. */
    String name();

    /** It is now as the manifest says, except for preserved fields. */
    record Applied(String name) implements ApplyResult {}

    /** It is the user's and was absent. */
    record Created(String name) implements ApplyResult {}

    /** It is the user's and was there; nothing was compared. */
    record Kept(String name) implements ApplyResult {}

    /** It is for another time, such as an uninstall: Helm would run it then, and applied now it would run now. */
    record Skipped(String name) implements ApplyResult {}

    /**
     * Somebody else wrote a field of it.
     *
     * @param field such as {@code .data.profile}
     * @param manager who wrote it
     * @param settledBy what was done about it; {@code NONE}: nothing
     */
    record ConfigurationConflict(String name, String field, String manager, Conflicts settledBy)
            implements ApplyResult {}

    /** For a terminal. */
    default String text() {
        return name() + ": "
                + switch (this) {
                    case Applied applied -> "applied";
                    case Created created -> "created; it is the user's from now on";
                    case Kept kept -> "kept, it is the user's";
                    case Skipped skipped -> "skipped, a Helm hook that no install runs";
                    case ConfigurationConflict(String name, String field, String manager, Conflicts settledBy) ->
                        field + " was written by '" + manager + "'"
                                + (settledBy == Conflicts.NONE ? " [ConfigurationConflict]" : "; " + result());
                };
    }

    /** The shape that {@code -o json} has. */
    default Map<String, Object> document() {
        return this instanceof ConfigurationConflict(String name, String field, String manager, Conflicts settledBy)
                ? object(
                        "object", name,
                        "result", result(),
                        "code", "ConfigurationConflict",
                        "field", field,
                        "manager", manager)
                : object("object", name(), "result", result());
    }

    private String result() {
        return switch (this) {
            case Applied applied -> "applied";
            case Created created -> "created";
            case Kept kept -> "kept";
            case Skipped skipped -> "skipped";
            case ConfigurationConflict conflict ->
                switch (conflict.settledBy()) {
                    case NONE -> "conflict";
                    case OVERWRITE -> "overwritten";
                    case PRESERVE -> "preserved";
                };
        };
    }
}
