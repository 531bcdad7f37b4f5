package net.ipmasq.rules;

import java.util.List;

/**
 * The rules of one family, in order of evaluation.
 *
 * @param chain the nat chain that holds them
 */
public record FamilyRules(String chain, List<Rule> rules) {
    public FamilyRules {
        rules = List.copyOf(rules);
    }
}
