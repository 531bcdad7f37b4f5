package net.ipmasq.dataplane;

import java.util.Optional;

/**
 * Whether somebody else holds rules in a place.
 *
 * @param rule one of them, as the tool shows it; empty if there is none
 * @param trouble why it cannot be told; empty if it can
 */
public record OthersRule(Optional<String> rule, Optional<String> trouble) {
    public static final OthersRule NONE = new OthersRule(Optional.empty(), Optional.empty());

    public static OthersRule found(String text) {
        return new OthersRule(Optional.of(text), Optional.empty());
    }

    public static OthersRule unknown(String why) {
        return new OthersRule(Optional.empty(), Optional.of(why));
    }
}
