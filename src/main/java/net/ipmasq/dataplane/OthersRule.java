package net.ipmasq.dataplane;

import java.util.Optional;
import net.ipmasq.text.Visible;

/**
 * Whether somebody else holds rules in a place.
 *
 * @param rule one of them, as the tool shows it; empty if there is none
 * @param trouble why that is not known; empty if it is
 * @param closed whether the reason is that the tool cannot work with the place at all
 */
public record OthersRule(Optional<String> rule, Optional<String> trouble, boolean closed) {
    public static final OthersRule NONE = new OthersRule(Optional.empty(), Optional.empty(), false);

    public static OthersRule found(String text) {
        return new OthersRule(Optional.of(Visible.line(text)), Optional.empty(), false);
    }

    public static OthersRule unknown(String why) {
        return new OthersRule(Optional.empty(), Optional.of(why), false);
    }

    public static OthersRule closed(String why) {
        return new OthersRule(Optional.empty(), Optional.of(why), true);
    }
}
