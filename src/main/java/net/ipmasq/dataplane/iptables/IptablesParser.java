package net.ipmasq.dataplane.iptables;

import java.io.IOException;
import java.io.Reader;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.iptables.SaveText.RawRule;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Counters;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.Rule;

/** Reads what {@code iptables-save -t nat} shows into the records that the renderer writes from. Pure. */
public final class IptablesParser {
    /** More lines than any configuration can ask for; beyond them and for strange ones no text is kept. */
    private static final int MOST_OWN_LINES = 100_000;

    private static final int MOST_STRANGE_LINES = 1_000;
    private static final int MOST_JUMPS = 1_000;
    private static final int MOST_REFERENCES = 100;

    /** Stands for each line of our chain that is only counted. */
    private static final ObservedChain.Line COUNTED = new ObservedChain.Line(
            Optional.empty(), Optional.empty(), "(one of more rules than can be shown)", Counters.ZERO);

    private final IpFamily family;
    private final String chain;
    private final List<ObservedChain.Line> before;
    private final ShadowFinder shadows;
    private final List<ObservedChain.Line> lines = new ArrayList<>();
    private final List<Jump> jumps = new ArrayList<>();
    private final List<String> references = new ArrayList<>();
    private final Map<Jump.Kind, Integer> kinds = new EnumMap<>(Jump.Kind.class);
    private boolean present;
    private boolean jumpSeen;
    private int strange;
    private int position;
    private int moreReferences;

    private IptablesParser(IpFamily family, String chain, List<ObservedChain.Line> before) {
        this.family = family;
        this.chain = chain;
        this.before = before;
        this.shadows = new ShadowFinder(chain);
    }

    /** What a save text holds of our chain. */
    public sealed interface Result {}

    public record Understood(ObservedChain chain, List<Shadow> shadows) implements Result {}

    /** To be reported, never to be taken for an empty table. */
    public record NotUnderstood(String why) implements Result {}

    public static Result parse(String save, IpFamily family, String chain) {
        try {
            return parse(new StringReader(save), family, chain, List.of());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Reads one family's table to its end; what is held meanwhile does not grow with the rules of others, but for the
     * names of their chains.
     *
     * @param before lines of our chain from an earlier reading, which are taken again where the text is the same
     */
    static Result parse(Reader save, IpFamily family, String chain, List<ObservedChain.Line> before)
            throws IOException {
        IptablesParser parser = new IptablesParser(family, chain, before);
        Optional<String> wrong = SaveText.read(save, parser.receiver());
        return wrong.<Result>map(NotUnderstood::new).orElseGet(parser::understood);
    }

    private Understood understood() {
        if (moreReferences > 0) {
            references.add("(and " + moreReferences + " more rules that lead to it)");
        }
        return new Understood(new ObservedChain(chain, present, lines, jumps, references), shadows.shadows());
    }

    private SaveText.Receiver receiver() {
        return new SaveText.Receiver() {
            @Override
            public void chain(String name) {
                present |= name.equals(chain);
            }

            @Override
            public void rule(RawRule rule) {
                if (rule.chain().equals(chain)) {
                    present = true;
                    own(rule);
                } else if (rule.chain().equals(IptablesNames.BASE_CHAIN)) {
                    position++;
                    base(rule);
                } else {
                    other(rule, RuleFacts.of(rule.spec()));
                }
            }
        };
    }

    private void own(RawRule raw) {
        ObservedChain.Line line = lines.size() >= MOST_OWN_LINES ? COUNTED : line(raw);
        if (line.rule().isEmpty() && ++strange > MOST_STRANGE_LINES) {
            line = COUNTED;
        }
        lines.add(line);
        // as a rule of any chain, it can lead to ours
        if (raw.text().indexOf(chain, "-A ".length() + chain.length()) >= 0
                && chain.equals(RuleFacts.of(raw.spec()).target())) {
            reference(raw);
        }
    }

    private void other(RawRule raw, RuleFacts facts) {
        if (facts.target().equals(chain)) {
            reference(raw);
        }
        shadows.rule(raw, facts);
    }

    private void reference(RawRule raw) {
        if (references.size() < MOST_REFERENCES) {
            references.add(raw.text());
        } else {
            moreReferences++;
        }
    }

    private void base(RawRule raw) {
        RuleFacts facts = RuleFacts.of(raw.spec());
        if (facts.target().equals(chain)) {
            Jump jump = new Jump(kind(RuleSpec.parse(raw.spec()), raw.text(), chain), position, raw.text());
            jump(jump);
            if (jump.kind() != Jump.Kind.FOREIGN) {
                jumpSeen = true;
                return;
            }
        }
        shadows.base(raw, facts, position, !jumpSeen);
    }

    /** What is left out because there are too many is healed or reported by a later pass, when these are gone. */
    private void jump(Jump jump) {
        boolean first = kinds.merge(jump.kind(), 1, Integer::sum) == 1;
        int most = jump.kind() == Jump.Kind.FOREIGN ? MOST_REFERENCES : MOST_JUMPS;
        if (first || jumps.size() < most) {
            jumps.add(jump);
        }
    }

    private static Jump.Kind kind(RuleSpec spec, String text, String chain) {
        boolean others = spec.isGoto
                || !spec.others.isEmpty()
                || spec.destination != null
                || spec.protocol != null
                || spec.probability != null;
        // a rule with a line feed in its comment cannot be deleted by text, which iptables-restore reads by lines
        if (others || text.indexOf('\n') >= 0) {
            return Jump.Kind.FOREIGN;
        }
        boolean canonical =
                spec.notLocalDestination && IptablesNames.jump(chain).equals(spec.comment);
        return canonical ? Jump.Kind.CANONICAL : Jump.Kind.VARIANT;
    }

    private ObservedChain.Line line(RawRule raw) {
        ObservedChain.Line same = lines.size() < before.size() ? before.get(lines.size()) : COUNTED;
        if (same.text().equals(raw.text())) {
            return same.counters().equals(raw.counters())
                    ? same
                    : new ObservedChain.Line(same.rule(), same.meaning(), same.text(), raw.counters());
        }
        Optional<Rule> quick = FastRuleParser.read(raw.spec(), family);
        if (quick.isPresent()) {
            return new ObservedChain.Line(quick, quick, raw.text(), raw.counters());
        }
        RuleSpec spec = RuleSpec.parse(raw.spec());
        return new ObservedChain.Line(
                RuleInterpreter.exact(spec, family), RuleInterpreter.of(spec, family), raw.text(), raw.counters());
    }
}
