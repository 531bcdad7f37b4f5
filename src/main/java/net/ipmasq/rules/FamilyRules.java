package net.ipmasq.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import net.ipmasq.net.CidrSet;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Rule.Exempt;
import net.ipmasq.rules.Rule.MasqueradeRest;
import net.ipmasq.rules.Rule.MasqueradeTo;

/** The rules of one family: compiled from a policy, or as they were found in a kernel. */
public sealed interface FamilyRules {
    /** The nat chain that holds the rules. */
    String chain();

    /** All rules in order of evaluation; the first that matches decides. */
    List<Rule> ordered();

    /** The exemption of the link-local range, where there is one. */
    default Optional<Rule.LinkLocal> linkLocal() {
        return ordered().stream()
                .flatMap(rule -> rule instanceof Rule.LinkLocal one ? Stream.of(one) : Stream.empty())
                .findFirst();
    }

    /** The same verdicts for a backend that keeps prefixes in sets. */
    default SetForm setForm() {
        return SetForm.of(ordered());
    }

    /** Whether both ask a kernel for the same. */
    default boolean sameAs(FamilyRules other) {
        return chain().equals(other.chain()) && ordered().equals(other.ordered());
    }

    /**
     * The rules of a policy, by the list that each comes from.
     *
     * @param masquerade the entries of masqueradeCIDRs
     * @param linkLocal the exemption that masqLinkLocal takes away
     * @param keep the entries of nonMasqueradeCIDRs and of the profile's enforced list
     * @param rest what happens to all other destinations; empty if they keep the pod's address
     */
    record Compiled(
            String chain,
            List<MasqueradeTo> masquerade,
            Optional<Rule.LinkLocal> linkLocal,
            List<Exempt> keep,
            List<MasqueradeRest> rest)
            implements FamilyRules {
        public Compiled {
            masquerade = List.copyOf(masquerade);
            keep = List.copyOf(keep);
            rest = List.copyOf(rest);
        }

        @Override
        public List<Rule> ordered() {
            List<Rule> rules = new ArrayList<>(masquerade.size() + 1 + keep.size() + rest.size());
            rules.addAll(masquerade);
            linkLocal.ifPresent(rules::add);
            rules.addAll(keep);
            rules.addAll(rest);
            return rules;
        }

        @Override
        public SetForm setForm() {
            return new SetForm(
                    CidrSet.of(masquerade.stream().map(MasqueradeTo::cidr).toList()),
                    !masquerade.isEmpty() && masquerade.getFirst().randomFully(),
                    linkLocal,
                    // the rule for link-local comes first, so the same range in the list never decides
                    CidrSet.of(keep.stream()
                            .map(Exempt::cidr)
                            .filter(cidr -> linkLocal.isEmpty()
                                    || !cidr.equals(linkLocal.get().cidr()))
                            .toList()),
                    rest);
        }
    }

    /** Rules in any order: a kernel can hold them so, and as long as no configuration is known they stay so. */
    record Listed(String chain, List<Rule> ordered) implements FamilyRules {
        public Listed {
            ordered = List.copyOf(ordered);
        }
    }

    /**
     * Rules as a kernel shows them that does not hold where they come from. Every agent writes the exemption of link-local
     * before the others, so a first one of that range is taken for it.
     */
    static FamilyRules found(String chain, List<Rule> rules) {
        List<Rule> attributed = new ArrayList<>(rules);
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i) instanceof Exempt exempt) {
                IpFamily family = exempt.cidr().family();
                if (exempt.cidr().equals(family.linkLocal())) {
                    attributed.set(i, new Rule.LinkLocal(family));
                }
                break;
            }
        }
        return new Listed(chain, attributed);
    }
}
