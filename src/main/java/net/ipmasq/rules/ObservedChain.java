package net.ipmasq.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the kernel shows of our chain in one family.
 *
 * @param present whether the chain exists
 * @param lines its rules in order
 * @param jumps rules of the base chain that lead to our chain, in order
 * @param references other rules that lead to our chain, as text
 * @param sets whether prefixes are kept in sets, so that the lines are those of a {@link SetForm}
 */
public record ObservedChain(
        String chain, boolean present, List<Line> lines, List<Jump> jumps, List<String> references, boolean sets) {

    public ObservedChain {
        lines = List.copyOf(lines);
        jumps = List.copyOf(jumps);
        references = List.copyOf(references);
    }

    /** What a backend shows that has one rule for each prefix. */
    public ObservedChain(String chain, boolean present, List<Line> lines, List<Jump> jumps, List<String> references) {
        this(chain, present, lines, jumps, references, false);
    }

    /**
     * This chain with the origin of its rules as {@code desired} has it, where the kernel does not hold that: the first rule
     * for the link-local range is the exemption of it, if one is desired.
     */
    public ObservedChain attributed(FamilyRules desired) {
        Rule.LinkLocal linkLocal = desired.linkLocal().orElse(null);
        if (sets || linkLocal == null) {
            return this;
        }
        Optional<Rule> held = Optional.of(linkLocal.withoutOrigin());
        Optional<Rule> origin = Optional.of(linkLocal);
        for (int i = 0; i < lines.size(); i++) {
            Line line = lines.get(i);
            if (line.rule().equals(held)) {
                List<Line> attributed = new ArrayList<>(lines);
                attributed.set(i, new Line(origin, origin, line.text(), line.counters()));
                return new ObservedChain(chain, present, attributed, jumps, references, false);
            }
        }
        return this;
    }

    public static ObservedChain absent(String chain) {
        return new ObservedChain(chain, false, List.of(), List.of(), List.of());
    }

    /**
     * One rule of the chain.
     *
     * @param rule the rule, when the kernel holds exactly what we would write
     * @param meaning the rule that does the same, also when comment or redundant matches differ (classic agents)
     * @param text as the tool shows it
     */
    public record Line(Optional<Rule> rule, Optional<Rule> meaning, String text, Counters counters) {}

    /** Packets and bytes that a rule has matched; zero when they were not asked for. */
    public record Counters(long packets, long bytes) {
        public static final Counters ZERO = new Counters(0, 0);
    }

    /**
     * A rule that leads to our chain.
     *
     * @param position 1-based place in the base chain
     */
    public record Jump(Kind kind, int position, String text) {
        /** How a jump relates to the one we write. */
        public enum Kind {
            /** Exactly as we write it. */
            CANONICAL,
            /** Ours in an older or hand-written form; replaced. */
            VARIANT,
            /** Not ours: it has further matches; kept. */
            FOREIGN
        }
    }

    public List<Jump> jumps(Jump.Kind kind) {
        return jumps.stream().filter(jump -> jump.kind() == kind).toList();
    }

    /** Rules of others that lead to our chain, as text; while there are any, the chain cannot be removed. */
    public List<String> othersRules() {
        List<String> texts = new ArrayList<>(references);
        jumps(Jump.Kind.FOREIGN).forEach(jump -> texts.add(jump.text()));
        return texts;
    }

    public boolean anythingOfOurs() {
        return present || jumps.stream().anyMatch(jump -> jump.kind() != Jump.Kind.FOREIGN);
    }
}
