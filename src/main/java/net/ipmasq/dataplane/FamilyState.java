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

    /** Rules of others that can give a packet another source address than ours would. */
    sealed interface Shadow {
        /** Whether it only sees packets of some sources or interfaces. */
        boolean narrowed();

        /** Whether it stands before our jump, where it hides all our rules; behind it, it hides exemptions. */
        boolean before();

        /** 1-based place in the base chain: of the rule, of the jump that leads to it, or of the first of several. */
        int position();

        /** For people, on one line. */
        String text();

        /** How many rules this entry stands for. */
        default int count() {
            return 1;
        }

        /** {@code shadowed-by} or {@code may-shadow}. */
        default String kind() {
            return narrowed() ? "may-shadow" : "shadowed-by";
        }

        /**
         * One rule.
         *
         * @param text the rule as the tool shows it
         */
        record OneRule(boolean narrowed, boolean before, int position, String text) implements Shadow {
            public OneRule {
                text = Visible.line(text);
            }
        }

        /** The rules of one kind beyond those that are listed one by one. */
        record More(boolean narrowed, boolean before, int position, int count) implements Shadow {
            @Override
            public String text() {
                return "(and " + count + " more " + Counted.noun(count, "rule") + " of others)";
            }
        }

        /** Stands for all rules of others where they cannot be read. */
        record Untold(Failure failure) implements Shadow {
            @Override
            public boolean narrowed() {
                return true;
            }

            @Override
            public boolean before() {
                return true;
            }

            @Override
            public int position() {
                return 1;
            }

            @Override
            public String text() {
                return Visible.line("(rules of others cannot be read: " + failure.message() + ")");
            }
        }
    }
}
