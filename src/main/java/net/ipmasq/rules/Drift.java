package net.ipmasq.rules;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import net.ipmasq.rules.ObservedChain.Jump;

/** Every difference between what the kernel must hold and what it shows. */
public final class Drift {
    private Drift() {}

    /** The kinds of difference; names in JSON and metrics are the lower-case form with dashes. */
    public enum Kind {
        CHAIN_MISSING,
        JUMP_MISSING,
        JUMP_DUPLICATE,
        JUMP_VARIANT,
        RULE_MISSING,
        RULE_UNEXPECTED,
        RULE_ORDER;

        public String key() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * One difference.
     *
     * @param rule the desired rule that is missing
     * @param text what the kernel shows, or empty
     */
    public record Difference(Kind kind, Optional<Rule> rule, String text) {
        static Difference of(Kind kind, String text) {
            return new Difference(kind, Optional.empty(), text);
        }
    }

    /** All differences, jumps first; empty means in sync. */
    public static List<Difference> between(FamilyRules desired, ObservedChain observed) {
        List<Difference> found = new ArrayList<>();
        jumps(observed, found);
        if (!observed.present()) {
            found.add(Difference.of(Kind.CHAIN_MISSING, desired.chain()));
        } else if (observed.sets()) {
            rules(desired.setForm().rules(), observed.lines(), UnaryOperator.identity(), found);
        } else {
            rules(desired.ordered(), observed.lines(), Rule::withoutOrigin, found);
        }
        return found;
    }

    /** The common case, without counting anything. */
    private static boolean same(List<Rule> desired, List<ObservedChain.Line> lines, UnaryOperator<Rule> held) {
        if (desired.size() != lines.size()) {
            return false;
        }
        for (int i = 0; i < desired.size(); i++) {
            Rule rule = lines.get(i).rule().orElse(null);
            Rule wanted = desired.get(i);
            // nearly always equal as they are
            if (rule == null || !wanted.equals(rule) && !held.apply(wanted).equals(held.apply(rule))) {
                return false;
            }
        }
        return true;
    }

    private static void jumps(ObservedChain observed, List<Difference> found) {
        List<Jump> canonical = observed.jumps(Jump.Kind.CANONICAL);
        List<Jump> variants = observed.jumps(Jump.Kind.VARIANT);
        if (canonical.isEmpty() && variants.isEmpty()) {
            found.add(Difference.of(Kind.JUMP_MISSING, observed.chain()));
        }
        variants.forEach(jump -> found.add(Difference.of(Kind.JUMP_VARIANT, jump.text())));
        canonical.stream().skip(1).forEach(jump -> found.add(Difference.of(Kind.JUMP_DUPLICATE, jump.text())));
    }

    /**
     * @param held what a kernel of this backend can hold of a rule; two rules are the same if that is
     */
    private static void rules(
            List<Rule> desired, List<ObservedChain.Line> lines, UnaryOperator<Rule> held, List<Difference> found) {
        if (same(desired, lines, held)) {
            return;
        }
        Map<Rule, Integer> wanted = new HashMap<>();
        desired.forEach(rule -> wanted.merge(held.apply(rule), 1, Integer::sum));
        List<Rule> shared = new ArrayList<>();
        for (ObservedChain.Line line : lines) {
            Rule rule = line.rule().map(held).orElse(null);
            if (rule != null && wanted.getOrDefault(rule, 0) > 0) {
                wanted.merge(rule, -1, Integer::sum);
                shared.add(rule);
            } else {
                found.add(Difference.of(Kind.RULE_UNEXPECTED, line.text()));
            }
        }
        List<Rule> sharedInOrder = new ArrayList<>();
        Map<Rule, Integer> there = new HashMap<>();
        shared.forEach(rule -> there.merge(rule, 1, Integer::sum));
        for (Rule rule : desired) {
            Rule key = held.apply(rule);
            if (there.getOrDefault(key, 0) > 0) {
                there.merge(key, -1, Integer::sum);
                sharedInOrder.add(key);
            } else {
                found.add(new Difference(Kind.RULE_MISSING, Optional.of(rule), ""));
            }
        }
        if (!shared.equals(sharedInOrder)) {
            found.add(Difference.of(Kind.RULE_ORDER, shared.size() + " rules are there in another order"));
        }
    }
}
