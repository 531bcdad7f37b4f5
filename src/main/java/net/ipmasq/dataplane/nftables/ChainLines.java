package net.ipmasq.dataplane.nftables;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;
import net.ipmasq.dataplane.nftables.NftRule.EachOf;
import net.ipmasq.dataplane.nftables.NftRule.Meaning;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Counters;
import net.ipmasq.rules.Rule;

/** Reads the rules of our chain as lines: a rule over a set is one line for each entry of the set. */
final class ChainLines {
    private final IpFamily family;
    private final Map<String, NftSet> sets;
    private final LongFunction<String> texts;

    ChainLines(IpFamily family, Map<String, NftSet> sets, LongFunction<String> texts) {
        this.family = family;
        this.sets = sets;
        this.texts = texts;
    }

    private String text(NftRule rule) {
        return texts.apply(rule.handle());
    }

    /** The lines of these rules, in order. */
    List<ObservedChain.Line> of(List<NftRule> rules) {
        List<ObservedChain.Line> lines = new ArrayList<>();
        for (NftRule rule : rules) {
            Optional<Meaning> meaning = rule.meaning(family);
            switch (meaning.orElse(null)) {
                case null -> lines.add(unknown(rule));
                case NftRule.Single(Rule one) -> lines.add(line(rule, one));
                case EachOf each -> each(rule, each, lines);
            }
        }
        return lines;
    }

    private ObservedChain.Line unknown(NftRule rule) {
        return new ObservedChain.Line(
                Optional.empty(), Optional.empty(), text(rule), rule.counters().orElse(Counters.ZERO));
    }

    private ObservedChain.Line line(NftRule rule, Rule one) {
        boolean own = hasRuleOfItsOwn(one) && isAsWritten(rule, one);
        return new ObservedChain.Line(
                own ? Optional.of(one) : Optional.empty(),
                Optional.of(one),
                own ? NftRenderer.line(one, family) : text(rule),
                rule.counters().orElse(Counters.ZERO));
    }

    /** The others are entries of a set. */
    private static boolean hasRuleOfItsOwn(Rule rule) {
        return switch (rule) {
            case Rule.MasqueradeRest rest -> true;
            case Rule.LinkLocal linkLocal -> true;
            case Rule.Exempt exempt -> false;
            case Rule.MasqueradeTo to -> false;
        };
    }

    private boolean isAsWritten(NftRule rule, Rule meaning) {
        return rule.comment().equals(NftNames.comment(meaning, family))
                && rule.counters().isPresent();
    }

    private void each(NftRule rule, EachOf each, List<ObservedChain.Line> lines) {
        NftSet set = sets.get(each.set());
        if (set == null) {
            lines.add(unknown(rule));
            return;
        }
        boolean ownSet =
                set.asOurs() && each.set().equals(each.masquerade() ? NftNames.MASQUERADE_SET : NftNames.KEEP_SET);
        for (NftSet.Entry entry : set.entries()) {
            Optional<Rule> meaning = entry.cidr().map(each::rule);
            boolean own = ownSet && meaning.filter(one -> ofSet(rule, one)).isPresent();
            lines.add(new ObservedChain.Line(
                    own ? meaning : Optional.empty(),
                    meaning,
                    own
                            ? meaning.map(one -> NftRenderer.line(one, family)).orElse("")
                            : entry.cidr().map(Cidr::toString).orElse(entry.text()) + " in " + text(rule),
                    entry.counters()));
        }
    }

    private boolean ofSet(NftRule rule, Rule meaning) {
        return rule.comment().equals(NftNames.comment(meaning, family));
    }
}
