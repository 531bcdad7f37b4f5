package net.ipmasq.dataplane.iptables;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.iptables.SaveText.RawRule;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSyntax;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.ObservedChain.Line;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Rule.PortShare;
import net.ipmasq.rules.Rule.Transport;

/** Reads what {@code iptables-save -t nat} shows into the records that the renderer writes from. Pure. */
public final class Parser {
    private Parser() {}

    /** What a save text says about our chain. */
    public sealed interface Result {}

    /** Understood. */
    public record Understood(ObservedChain chain, List<Shadow> shadows) implements Result {}

    /** To be reported, never to be taken for an empty table. */
    public record NotUnderstood(String why) implements Result {}

    /** Reads one family's table. */
    public static Result parse(String save, IpFamily family, String chain) {
        return switch (SaveText.parse(save)) {
            case SaveText.Incomplete incomplete -> new NotUnderstood(incomplete.why());
            case SaveText.Complete complete -> {
                ObservedChain observed = observed(complete.table(), family, chain);
                yield new Understood(observed, ShadowFinder.find(complete.table(), observed));
            }
        };
    }

    private static ObservedChain observed(SaveText table, IpFamily family, String chain) {
        boolean present = table.chains().containsKey(chain);
        List<Line> lines = new ArrayList<>();
        for (RawRule raw : table.rules(chain)) {
            lines.add(line(raw, family));
        }
        return new ObservedChain(chain, present, lines, jumps(table, chain), references(table, chain));
    }

    private static List<Jump> jumps(SaveText table, String chain) {
        List<Jump> jumps = new ArrayList<>();
        List<RawRule> base = table.rules(Texts.BASE_CHAIN);
        for (int i = 0; i < base.size(); i++) {
            String text = base.get(i).text();
            if (text.contains(chain)) {
                RuleSpec spec = RuleSpec.parse(base.get(i).spec());
                if (chain.equals(spec.jump)) {
                    jumps.add(new Jump(kind(spec, text, chain), i + 1, text));
                }
            }
        }
        return jumps;
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
        boolean canonical = spec.notLocalDestination && Texts.jump(chain).equals(spec.comment);
        return canonical ? Jump.Kind.CANONICAL : Jump.Kind.VARIANT;
    }

    private static List<String> references(SaveText table, String chain) {
        List<String> references = new ArrayList<>();
        table.chains().forEach((name, rules) -> {
            if (!name.equals(Texts.BASE_CHAIN)) {
                for (RawRule raw : rules) {
                    if (raw.spec().contains(chain) && chain.equals(RuleSpec.parse(raw.spec()).jump)) {
                        references.add(raw.text());
                    }
                }
            }
        });
        return references;
    }

    private static Line line(RawRule raw, IpFamily family) {
        Optional<Rule> quick = OwnLine.read(raw.spec(), family);
        if (quick.isPresent()) {
            return new Line(quick, quick, raw.text(), raw.counters());
        }
        RuleSpec spec = RuleSpec.parse(raw.spec());
        Optional<Rule> meaning = meaning(spec, family);
        Optional<Rule> exact = spec.notLocalDestination ? Optional.empty() : exact(spec, family, meaning);
        return new Line(exact, meaning, raw.text(), raw.counters());
    }

    /** The rule that we would have written; the comment tells {@code -d 0.0.0.0/0} from no destination. */
    private static Optional<Rule> exact(RuleSpec spec, IpFamily family, Optional<Rule> meaning) {
        boolean everywhere = meaning.equals(Optional.of(new Rule.MasqueradeRest(Optional.empty(), spec.randomFully)));
        if (everywhere && Texts.MASQUERADE_TO.equals(spec.comment)) {
            return Optional.of(new Rule.MasqueradeTo(family.everything(), spec.randomFully));
        }
        return meaning.filter(rule -> Texts.comment(rule).equals(spec.comment));
    }

    /** The rule that does the same; a jump that skips LOCAL destinations makes the same match on a rule redundant. */
    private static Optional<Rule> meaning(RuleSpec spec, IpFamily family) {
        if (!spec.others.isEmpty() || spec.isGoto || spec.jump == null) {
            return Optional.empty();
        }
        boolean plain = spec.protocol == null && spec.probability == null && spec.toPorts == null;
        Optional<Cidr> destination = spec.destination == null ? Optional.empty() : cidr(spec.destination, family);
        if (spec.destination != null && destination.isEmpty()) {
            return Optional.empty();
        }
        if (spec.jump.equals("RETURN") && plain && !spec.randomFully) {
            return Optional.of(new Rule.Exempt(destination.orElse(family.everything())));
        }
        if (!spec.jump.equals("MASQUERADE")) {
            return Optional.empty();
        }
        if (plain) {
            return Optional.of(
                    destination.isPresent()
                            ? new Rule.MasqueradeTo(destination.get(), spec.randomFully)
                            : new Rule.MasqueradeRest(Optional.empty(), spec.randomFully));
        }
        return destination.isPresent() ? Optional.empty() : share(spec);
    }

    private static Optional<Rule> share(RuleSpec spec) {
        Optional<Transport> transport = spec.protocol == null ? Optional.empty() : Transport.of(spec.protocol);
        if (transport.isEmpty() || spec.toPorts == null) {
            return Optional.empty();
        }
        try {
            PortShare share = new PortShare(transport.get(), probability(spec.probability), PortRange.of(spec.toPorts));
            return Optional.of(new Rule.MasqueradeRest(Optional.of(share), spec.randomFully));
        } catch (IllegalArgumentException e) {
            // a range or probability that we never write: somebody else's rule
            return Optional.empty();
        }
    }

    private static OptionalInt probability(@org.jspecify.annotations.Nullable String text) {
        if (text == null) {
            return OptionalInt.empty();
        }
        double units = Double.parseDouble(text) * 0x8000_0000L;
        if (!(units >= 0 && units < 0x8000_0000L)) {
            throw new IllegalArgumentException("not a probability: " + text);
        }
        return OptionalInt.of((int) Math.min(Integer.MAX_VALUE, Math.round(units)));
    }

    private static Optional<Cidr> cidr(String text, IpFamily family) {
        // the tools leave out a full-length prefix only in listings, not in saves; be lenient all the same
        String full = text.indexOf('/') < 0 ? text + "/" + family.bits() : text;
        return CidrSyntax.parse(full) instanceof CidrSyntax.Good(Cidr cidr) && cidr.family() == family
                ? Optional.of(cidr)
                : Optional.empty();
    }
}
