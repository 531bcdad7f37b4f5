package net.ipmasq.dataplane;

import java.util.List;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.text.Counted;
import net.ipmasq.text.Visible;

/** What the kernel shows of one family. Unreadable is not empty. */
public sealed interface FamilyState {

    /** Nothing of ours is there. */
    record Absent(List<Shadow> shadows) implements FamilyState {
        public Absent {
            shadows = List.copyOf(shadows);
        }
    }

    /** Chain, jump or both are there. */
    record Present(ObservedChain chain, List<Shadow> shadows) implements FamilyState {
        public Present {
            shadows = List.copyOf(shadows);
        }
    }

    /** The state is unknown, so nothing may be written. */
    record Unreadable(Failure failure) implements FamilyState {}

    /**
     * Somebody else's rule that can give a packet another source address than our rules would.
     *
     * @param narrowed whether it only sees packets of some sources or interfaces
     * @param before whether it stands before our jump, where it hides all our rules; behind it, it hides exemptions
     * @param position 1-based place in the base chain of the rule or of the jump that leads to it
     * @param text the rule as the tool shows it, on one line
     * @param count 1; more for an entry that stands for as many rules, of which the first is at {@code position}
     */
    record Shadow(boolean narrowed, boolean before, int position, String text, int count) {
        private static final String MORE = "(and ";
        private static final String UNTOLD = "(rules of others cannot be read: ";

        public Shadow {
            text = Visible.line(text);
        }

        /** One rule. */
        public Shadow(boolean narrowed, boolean before, int position, String text) {
            this(narrowed, before, position, text, 1);
        }

        /** Stands for rules beyond those that are listed one by one. */
        public static Shadow more(boolean narrowed, boolean before, int position, int count) {
            String rules = Counted.noun(count, "rule");
            return new Shadow(narrowed, before, position, MORE + count + " more " + rules + " of others)", count);
        }

        /** Whether it is of {@link #more}. */
        public boolean isMore() {
            return text.startsWith(MORE);
        }

        /** Stands for the rules of others where reading them failed. */
        public static Shadow untold(Failure failure) {
            return new Shadow(true, true, 1, UNTOLD + failure.message() + ")");
        }

        /** Whether it is of {@link #untold}. */
        public boolean isUntold() {
            return text.startsWith(UNTOLD);
        }

        /** {@code shadowed-by} or {@code may-shadow}. */
        public String kind() {
            return narrowed ? "may-shadow" : "shadowed-by";
        }
    }
}
