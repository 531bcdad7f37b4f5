package net.ipmasq.dataplane;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Counters;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.Rule;

/**
 * One family's nat table in {@link InMemoryDataplane}.
 *
 * @param base the rules of POSTROUTING in order
 * @param chains lines by user chain
 * @param references texts of rules in chains other than POSTROUTING that lead to a chain, by that chain
 */
public record InMemoryTable(
        List<BaseRule> base, Map<String, List<ObservedChain.Line>> chains, Map<String, List<String>> references) {

    static final InMemoryTable EMPTY = new InMemoryTable(List.of(), Map.of(), Map.of());

    public InMemoryTable {
        base = List.copyOf(base);
        chains = Map.copyOf(chains);
        references = Map.copyOf(references);
    }

    /**
     * A rule of POSTROUTING.
     *
     * @param target the chain it leads to, or empty
     * @param jump how it leads there; empty for a rule that leads to none of ours
     * @param narrowed for a rule of somebody else that changes source addresses; empty for any other
     */
    public record BaseRule(String target, Optional<Jump.Kind> jump, Optional<Boolean> narrowed, String text) {
        public static BaseRule jump(String chain, Jump.Kind kind) {
            Optional<Boolean> narrowed = kind == Jump.Kind.FOREIGN ? Optional.of(true) : Optional.empty();
            return new BaseRule(chain, Optional.of(kind), narrowed, kind + " jump to " + chain);
        }

        /** Somebody else's rule that changes source addresses. */
        public static BaseRule masquerade(String text, boolean narrowed) {
            return new BaseRule("", Optional.empty(), Optional.of(narrowed), text);
        }

        private boolean leadsTo(String chain) {
            return jump.isPresent() && target.equals(chain);
        }

        private boolean isOwnJumpTo(String chain) {
            return leadsTo(chain) && !jump.equals(Optional.of(Jump.Kind.FOREIGN));
        }
    }

    /** A rule as we write it; like iptables, this kernel has no place for where it comes from. */
    public static ObservedChain.Line line(Rule rule) {
        Optional<Rule> held = Optional.of(rule.withoutOrigin());
        return new ObservedChain.Line(held, held, rule.toString(), Counters.ZERO);
    }

    /** A rule in words that only somebody else would use. */
    public static ObservedChain.Line strange(String text) {
        return new ObservedChain.Line(Optional.empty(), Optional.empty(), text, Counters.ZERO);
    }

    public InMemoryTable withBase(List<BaseRule> changed) {
        return new InMemoryTable(changed, chains, references);
    }

    public InMemoryTable withChain(String chain, List<ObservedChain.Line> lines) {
        Map<String, List<ObservedChain.Line>> changed = new HashMap<>(chains);
        changed.put(chain, List.copyOf(lines));
        return new InMemoryTable(base, changed, references);
    }

    public InMemoryTable withReferences(String chain, List<String> texts) {
        Map<String, List<String>> changed = new HashMap<>(references);
        changed.put(chain, List.copyOf(texts));
        return new InMemoryTable(base, chains, changed);
    }

    ObservedChain observed(String chain) {
        List<Jump> jumps = new ArrayList<>();
        for (int i = 0; i < base.size(); i++) {
            BaseRule rule = base.get(i);
            if (rule.leadsTo(chain)) {
                jumps.add(new Jump(rule.jump().orElseThrow(), i + 1, rule.text()));
            }
        }
        return new ObservedChain(
                chain,
                chains.containsKey(chain),
                chains.getOrDefault(chain, List.of()),
                jumps,
                references.getOrDefault(chain, List.of()));
    }

    List<Shadow> shadows(String chain) {
        int own = Integer.MAX_VALUE;
        for (int i = base.size() - 1; i >= 0; i--) {
            own = base.get(i).isOwnJumpTo(chain) ? i : own;
        }
        ShadowList shadows = new ShadowList();
        for (int i = 0; i < base.size(); i++) {
            boolean before = i < own;
            int position = i + 1;
            String text = base.get(i).text();
            base.get(i).narrowed().ifPresent(narrowed -> shadows.add(narrowed, before, position, () -> text));
        }
        return shadows.list();
    }

    /** Without our jumps and rules; the chain itself stays, emptied, while somebody else leads to it. */
    InMemoryTable without(String chain) {
        List<BaseRule> kept =
                base.stream().filter(rule -> !rule.isOwnJumpTo(chain)).toList();
        boolean referred = references.containsKey(chain) || kept.stream().anyMatch(rule -> rule.leadsTo(chain));
        Map<String, List<ObservedChain.Line>> left = new HashMap<>(chains);
        left.remove(chain);
        if (referred) {
            left.put(chain, List.of());
        }
        return new InMemoryTable(kept, left, references);
    }
}
