package net.ipmasq.dataplane;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;
import net.ipmasq.dataplane.FamilyState.Shadow;

/** Rules of others that can shadow ours: the first hundred one by one, the rest counted by kind. */
public final class ShadowList {
    public static final int MOST = 100;

    private final List<Shadow> told = new ArrayList<>();

    /** By kind: those before our jump come first, and of these the wide ones. */
    private final Map<Integer, Shadow.More> rest = new TreeMap<>();

    /** Adds one rule; its text is only asked for where it is listed. */
    public void add(boolean narrowed, boolean before, int position, Supplier<String> text) {
        if (told.size() < MOST) {
            told.add(new Shadow.OneRule(narrowed, before, position, text.get()));
        } else {
            count(narrowed, before, position, 1);
        }
    }

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
                (before ? 0 : 2) + (narrowed ? 1 : 0),
                new Shadow.More(narrowed, before, position, count),
                (sum, one) -> new Shadow.More(narrowed, before, sum.position(), sum.count() + one.count()));
    }

    public List<Shadow> list() {
        List<Shadow> all = new ArrayList<>(told);
        all.addAll(rest.values());
        return all;
    }
}
