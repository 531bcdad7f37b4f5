package net.ipmasq.config;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.ipmasq.net.Cidr;

/**
 * The keys that a configuration text holds; a key that the text does not hold is empty here and takes the profile's
 * value.
 *
 * @param resyncInterval within 1 s to 1 h
 */
public record AgentConfig(
        Optional<Located<List<Item>>> nonMasqueradeCidrs,
        Optional<Located<List<Item>>> masqueradeCidrs,
        Optional<Located<Boolean>> masqOutBound,
        Optional<Located<Boolean>> masqOutBoundIpv6,
        Optional<Located<Boolean>> masqLinkLocal,
        Optional<Located<Boolean>> masqLinkLocalIpv6,
        Optional<Located<Duration>> resyncInterval,
        Optional<Located<Integer>> cidrLimit) {

    /** A text without any key: zero bytes, comments only, {@code {}} or {@code null}. */
    public static final AgentConfig EMPTY = new AgentConfig(
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty(),
            Optional.empty());

    /** A value and where the text has it. */
    public record Located<T>(T value, Position at) {}

    /**
     * One entry of a list.
     *
     * @param index its 0-based place in the list as written
     */
    public record Item(Cidr cidr, int index, Position at) {}

    public boolean isEmpty() {
        return equals(EMPTY);
    }
}
