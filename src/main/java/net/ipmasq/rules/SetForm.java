package net.ipmasq.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSet;
import net.ipmasq.rules.Rule.MasqueradeRest;

/**
 * The same verdicts as a list of rules, for a backend that keeps prefixes in sets, where entries have no order and must
 * not overlap: masqueraded prefixes are asked first, then link-local and kept ones, then the rest.
 *
 * @param masquerade destinations that get the node's address
 * @param randomFully for {@code masquerade}
 * @param linkLocal kept by a separate rule, so that it has separate counters
 * @param keep destinations that keep the pod's address
 * @param rest what happens to all others, first match wins
 */
public record SetForm(
        CidrSet masquerade,
        boolean randomFully,
        Optional<Rule.LinkLocal> linkLocal,
        CidrSet keep,
        List<MasqueradeRest> rest) {

    public SetForm {
        rest = List.copyOf(rest);
    }

    /** The set form of rules in any order, of which the first that matches decides. */
    public static SetForm of(List<Rule> rules) {
        List<Cidr> masquerade = new ArrayList<>();
        List<Cidr> keep = new ArrayList<>();
        List<MasqueradeRest> rest = new ArrayList<>();
        Optional<Rule.LinkLocal> linkLocal = Optional.empty();
        Optional<Boolean> randomFully = Optional.empty();
        for (Rule rule : rules) {
            switch (rule) {
                case Rule.MasqueradeTo to -> {
                    masquerade.addAll(notKeptBefore(to.cidr(), keep, linkLocal));
                    randomFully = randomFully.or(() -> Optional.of(to.randomFully()));
                }
                case Rule.LinkLocal one -> linkLocal = Optional.of(one);
                case Rule.Exempt exempt -> keep.add(exempt.cidr());
                case MasqueradeRest one -> rest.add(one);
            }
            if (rule instanceof MasqueradeRest(var ports, var fully) && ports.isEmpty()) {
                // nothing can pass it
                break;
            }
        }
        linkLocal.map(Rule.LinkLocal::cidr).ifPresent(cidr -> keep.removeIf(cidr::equals));
        return new SetForm(CidrSet.of(masquerade), randomFully.orElse(false), linkLocal, CidrSet.of(keep), rest);
    }

    private static List<Cidr> notKeptBefore(Cidr cidr, List<Cidr> keep, Optional<Rule.LinkLocal> linkLocal) {
        if (keep.isEmpty() && linkLocal.isEmpty()) {
            return List.of(cidr);
        }
        List<Cidr> before = new ArrayList<>(keep);
        linkLocal.map(Rule.LinkLocal::cidr).ifPresent(before::add);
        return new CidrSet(List.of(cidr)).minus(CidrSet.of(before)).prefixes();
    }

    /** As rules again, in the order in which the kernel asks. */
    public List<Rule> rules() {
        List<Rule> rules =
                new ArrayList<>(masquerade.prefixes().size() + keep.prefixes().size() + rest.size() + 1);
        masquerade.prefixes().forEach(cidr -> rules.add(new Rule.MasqueradeTo(cidr, randomFully)));
        linkLocal.ifPresent(rules::add);
        keep.prefixes().forEach(cidr -> rules.add(new Rule.Exempt(cidr)));
        rules.addAll(rest);
        return rules;
    }

    /** Whether the two differ in the entries of their lists only, and no list comes or goes. */
    public boolean hasShapeOf(SetForm other) {
        return masquerade.isEmpty() == other.masquerade.isEmpty()
                && (masquerade.isEmpty() || randomFully == other.randomFully)
                && linkLocal.equals(other.linkLocal)
                && keep.isEmpty() == other.keep.isEmpty()
                && rest.equals(other.rest);
    }
}
