package net.ipmasq.generator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import net.ipmasq.generator.Draws.Span;

/** Looks for simpler values that fail with an error of the same class: lists with fewer elements, then smaller choices. */
final class Shrinker {
    private static final int MOST_RUNS = 3000;

    private final Function<Draws, Optional<Property.Failed>> property;
    private int runs;

    Shrinker(Function<Draws, Optional<Property.Failed>> property) {
        this.property = property;
    }

    Property.Failed simplest(Property.Failed first) {
        Property.Failed best = first;
        Property.Failed before;
        do {
            before = best;
            best = smaller(shorter(best));
        } while (best != before && runs < MOST_RUNS);
        return best;
    }

    private Property.Failed shorter(Property.Failed first) {
        Property.Failed best = first;
        for (int i = best.draws().elements().size() - 1; i >= 0; i--) {
            List<Span> elements = best.draws().elements();
            if (i < elements.size()) {
                List<Long> choices = new ArrayList<>(best.draws().choices());
                choices.subList(elements.get(i).from(), elements.get(i).to()).clear();
                best = better(choices, best);
            }
        }
        return best;
    }

    private Property.Failed smaller(Property.Failed first) {
        Property.Failed best = first;
        for (int i = 0; i < best.draws().choices().size(); i++) {
            best = with(i, 0, best);
            // powers of two: an even number stays even for long
            for (long step = Long.MIN_VALUE; step != 0; step >>>= 1) {
                Property.Failed next;
                while ((next = lowered(i, step, best)) != best) {
                    best = next;
                }
            }
        }
        return best;
    }

    private Property.Failed lowered(int index, long step, Property.Failed best) {
        List<Long> choices = best.draws().choices();
        boolean possible = index < choices.size() && Long.compareUnsigned(choices.get(index), step) >= 0;
        return possible ? with(index, choices.get(index) - step, best) : best;
    }

    private Property.Failed with(int index, long choice, Property.Failed best) {
        List<Long> choices = new ArrayList<>(best.draws().choices());
        choices.set(index, choice);
        return better(choices, best);
    }

    private Property.Failed better(List<Long> choices, Property.Failed best) {
        if (runs++ >= MOST_RUNS) {
            return best;
        }
        Draws draws = Draws.replay(choices);
        Optional<Property.Failed> failed;
        try {
            failed = property.apply(draws);
        } catch (IllegalStateException e) {
            return best; // no value can be made of these choices
        }
        return failed.filter(f -> f.error().getClass() == best.error().getClass())
                .filter(f -> simpler(draws.choices(), best.draws().choices()))
                .orElse(best);
    }

    private static boolean simpler(List<Long> one, List<Long> other) {
        if (one.size() != other.size()) {
            return one.size() < other.size();
        }
        for (int i = 0; i < one.size(); i++) {
            int order = Long.compareUnsigned(one.get(i), other.get(i));
            if (order != 0) {
                return order < 0;
            }
        }
        return false;
    }
}
