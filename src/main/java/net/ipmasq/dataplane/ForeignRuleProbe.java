package net.ipmasq.dataplane;

import java.util.Optional;
import net.ipmasq.text.Visible;

/**
 * Whether others have rules in a place.
 *
 * @param rule one of them, as the tool shows it; empty if there is none
 * @param issue why that is not known; empty if it is
 * @param closed whether the reason is that the tool cannot work with the place at all
 */
public record ForeignRuleProbe(Optional<String> rule, Optional<String> issue, boolean closed) {
    public static final ForeignRuleProbe NONE = new ForeignRuleProbe(Optional.empty(), Optional.empty(), false);

    public static ForeignRuleProbe found(String text) {
        return new ForeignRuleProbe(Optional.of(Visible.line(text)), Optional.empty(), false);
    }

    public static ForeignRuleProbe unknown(String why) {
        return new ForeignRuleProbe(Optional.empty(), Optional.of(why), false);
    }

    public static ForeignRuleProbe closed(String why) {
        return new ForeignRuleProbe(Optional.empty(), Optional.of(why), true);
    }
}
