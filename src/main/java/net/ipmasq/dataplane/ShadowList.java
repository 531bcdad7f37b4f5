package net.ipmasq.dataplane;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.ipmasq.dataplane.FamilyState.Shadow;

/** Rules of others that can shadow ours: the first hundred one by one, the others counted by their kind. */
public final class ShadowList {
    public static final int MOST = 100;

    private final List<Shadow> told = new ArrayList<>();
    private final Map<Rest, Shadow.More> rest = new EnumMap<>(Rest.class);

    private enum Rest {
        WIDE_BEFORE,
        NARROWED_BEFORE,
        WIDE_AFTER,
        NARROWED_AFTER;

        static Rest of(boolean narrowed, boolean before) {
            if (before) {
                return narrowed ? NARROWED_BEFORE : WIDE_BEFORE;
            }
            return narrowed ? NARROWED_AFTER : WIDE_AFTER;
        }
    }

    /** Adds one rule; its text is only asked for where it is listed. */
    public void add(boolean narrowed, boolean before, int position, Supplier<String> text) {
        if (told.size() < MOST) {
            told.add(new Shadow.OneRule(narrowed, before, position, text.get()));
        } else {
            count(narrowed, before, position, 1);
        }
    }

    /** Adds what another list holds. */
    public void addAll(List<Shadow> others) {
        for (Shadow other : others) {
            switch (other) {
                case Shadow.OneRule rule -> add(rule.narrowed(), rule.before(), rule.position(), rule::text);
                case Shadow.More more -> count(more.narrowed(), more.before(), more.position(), more.count());
                case Shadow.Untold untold -> told.add(untold);
            }
        }
    }

    private void count(boolean narrowed, boolean before, int position, int count) {
        rest.merge(
                Rest.of(narrowed, before),
                new Shadow.More(narrowed, before, position, count),
                (sum, one) -> new Shadow.More(narrowed, before, sum.position(), sum.count() + one.count()));
    }

    public List<Shadow> list() {
        List<Shadow> all = new ArrayList<>(told);
        all.addAll(rest.values());
        return all;
    }
}
