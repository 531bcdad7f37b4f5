package net.ipmasq.config;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.net.Cidr;

/**
 * The keys that a configuration text holds; a key that it does not hold takes the profile's value.
 *
 * @param given by key; {@link #get} gives them with their type
 */
public record AgentConfig(Map<ConfigKey<?>, Located<?>> given) {

    /** A text without any key: zero bytes, comments only, {@code {}} or {@code null}. */
    public static final AgentConfig EMPTY = new AgentConfig(Map.of());

    public AgentConfig {
        given = Map.copyOf(given);
    }

    /** A value and where the text has it. */
    public record Located<T>(T value, Position at) {}

    /**
     * One entry of a list.
     *
     * @param index its 0-based place in the list as written
     */
    public record Item(Cidr cidr, int index, Position at) {}

    /** What the text gives for a key; empty if it does not hold the key. */
    @SuppressWarnings("unchecked") // with() is what puts values in, each under a key of its type
    public <T> Optional<Located<T>> get(ConfigKey<T> key) {
        return Optional.ofNullable((Located<T>) given.get(key));
    }

    /** The entries of a list; none if the text does not hold the key. */
    public List<Item> items(ConfigKey.CidrList key) {
        return get(key).map(Located::value).orElse(List.of());
    }

    /** The same with one more key, or another value for it. */
    public <T> AgentConfig with(ConfigKey<T> key, Located<T> value) {
        Map<ConfigKey<?>, Located<?>> more = new HashMap<>(given);
        more.put(key, value);
        return new AgentConfig(more);
    }

    public boolean isEmpty() {
        return given.isEmpty();
    }
}
