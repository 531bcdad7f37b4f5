package net.ipmasq.config;

import java.util.List;

/** What is known about the configuration. Only a source that has answered gives anything but {@link Unknown}. */
public sealed interface ConfigOutcome {

    /**
     * The source has not answered yet; nothing may change because of that.
     *
     * @param why for status, for example a read error
     */
    record Unknown(String why) implements ConfigOutcome {}

    /** The source says that there is no configuration: the profile, all keys. */
    record Absent() implements ConfigOutcome {}

    /**
     * A usable text.
     *
     * @param warnings and notes, in text order
     */
    record Loaded(AgentConfig config, List<Problem> warnings) implements ConfigOutcome {
        public Loaded {
            warnings = List.copyOf(warnings);
        }
    }

    /**
     * An unusable text.
     *
     * @param problems in text order, at least one of them an error
     */
    record Invalid(List<Problem> problems) implements ConfigOutcome {
        public Invalid {
            problems = List.copyOf(problems);
        }
    }

    /** Whether the source has decided what is to be in force: by a usable text, or by saying that there is none. */
    default boolean isUsable() {
        return this instanceof Loaded || this instanceof Absent;
    }

    /** All findings, in text order. */
    default List<Problem> problems() {
        return switch (this) {
            case Unknown unknown -> List.of();
            case Absent absent -> List.of();
            case Loaded loaded -> loaded.warnings();
            case Invalid invalid -> invalid.problems();
        };
    }
}
