package net.ipmasq.bundle.cluster.apply;

import static net.ipmasq.text.JsonText.object;

import java.util.Map;

/** What became of an object. */
public sealed interface Outcome {

    /** For a terminal. */
    String text();

    /** The shape that {@code -o json} has. */
    Map<String, Object> document();

    /** Whose object; {@code kind/name}. */
    String name();

    /** It is as the manifest says now, but for what was preserved. */
    record Applied(String name) implements Outcome {
        @Override
        public String text() {
            return name + ": applied";
        }

        @Override
        public Map<String, Object> document() {
            return object("object", name, "result", "applied");
        }
    }

    /** It is the user's and was not there. */
    record Created(String name) implements Outcome {
        @Override
        public String text() {
            return name + ": created; it is the user's from now on";
        }

        @Override
        public Map<String, Object> document() {
            return object("object", name, "result", "created");
        }
    }

    /** It is the user's and was there: not even looked into. */
    record Kept(String name) implements Outcome {
        @Override
        public String text() {
            return name + ": kept, it is the user's";
        }

        @Override
        public Map<String, Object> document() {
            return object("object", name, "result", "kept");
        }
    }

    /** It is for another time, such as an uninstall: Helm would run it then, and applied now it would run now. */
    record Skipped(String name) implements Outcome {
        @Override
        public String text() {
            return name + ": skipped, a Helm hook that no install runs";
        }

        @Override
        public Map<String, Object> document() {
            return object("object", name, "result", "skipped");
        }
    }

    /**
     * A field of it is somebody else's.
     *
     * @param field such as {@code .data.profile}
     * @param manager who wrote it
     * @param settledBy what was done about it; {@code NONE}: nothing
     */
    record ConfigurationConflict(String name, String field, String manager, Conflicts settledBy) implements Outcome {
        @Override
        public String text() {
            return name + ": " + field + " was written by '" + manager + "'"
                    + switch (settledBy) {
                        case NONE -> " [ConfigurationConflict]";
                        case OVERWRITE -> "; overwritten";
                        case PRESERVE -> "; preserved";
                    };
        }

        @Override
        public Map<String, Object> document() {
            return object(
                    "object",
                    name,
                    "result",
                    settledBy == Conflicts.NONE
                            ? "conflict"
                            : settledBy == Conflicts.OVERWRITE ? "overwritten" : "preserved",
                    "code",
                    "ConfigurationConflict",
                    "field",
                    field,
                    "manager",
                    manager);
        }
    }
}
