package net.ipmasq.rules;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.net.IpFamily;

/**
 * The rules of one family, in order of evaluation.
 *
 * @param chain the nat chain that holds them
 */
public record FamilyRules(String chain, List<Rule> rules) {
    public FamilyRules {
        rules = List.copyOf(rules);
    }

    /**
     * Rules as a kernel shows them that does not say where they come from. Every agent writes the exemption of link-local
     * before the others, so a first one of that range is taken for it.
     */
    public static FamilyRules found(String chain, List<Rule> rules) {
        List<Rule> guessed = new ArrayList<>(rules);
        for (int i = 0; i < rules.size(); i++) {
            if (rules.get(i) instanceof Rule.Exempt exempt) {
                IpFamily family = exempt.cidr().family();
                if (exempt.cidr().equals(family.linkLocal())) {
                    guessed.set(i, Rule.Exempt.linkLocal(family));
                }
                break;
            }
        }
        return new FamilyRules(chain, guessed);
    }

    /** The exemption of the link-local range, where there is one. */
    Optional<Rule> linkLocal() {
        return rules.stream()
                .filter(rule -> rule instanceof Rule.Exempt exempt && exempt.linkLocal())
                .findFirst();
    }
}
