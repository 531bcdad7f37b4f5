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

    /** The source reports that there is no configuration: every key has the profile's value. */
    record Absent() implements ConfigOutcome {}

    /**
     * A usable text.
     *
     * @param findings warnings and notes
     */
    record Loaded(AgentConfig config, Problems findings) implements ConfigOutcome {
        /** Takes any number of findings; those over the limit are only counted. */
        public Loaded(AgentConfig config, List<Problem> warnings) {
            this(config, Problems.of(warnings));
        }

        /** In text order; those that are kept. */
        public List<Problem> warnings() {
            return findings.shown();
        }
    }

    /**
     * An unusable text.
     *
     * @param findings at least one of them an error
     */
    record Invalid(Problems findings) implements ConfigOutcome {
        /** Takes any number of findings; those over the limit are only counted. */
        public Invalid(List<Problem> problems) {
            this(Problems.of(problems));
        }
    }

    /** Whether the source has decided what is to be in force: by a usable text, or by saying that there is none. */
    default boolean isUsable() {
        return this instanceof Loaded || this instanceof Absent;
    }

    /** What was found; a long list is cut, and what is cut is counted. */
    default Problems findings() {
        return switch (this) {
            case Unknown unknown -> Problems.NONE;
            case Absent absent -> Problems.NONE;
            case Loaded loaded -> loaded.findings;
            case Invalid invalid -> invalid.findings;
        };
    }

    /** The findings that are kept, in text order. */
    default List<Problem> problems() {
        return findings().shown();
    }
}
