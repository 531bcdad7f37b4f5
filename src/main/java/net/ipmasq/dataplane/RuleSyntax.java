package net.ipmasq.dataplane;

import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;

/** How a backend writes rules: what {@code render} and {@code plan} show. Pure. */
public interface RuleSyntax {
    /** The command that takes {@link #whole}. */
    String command(IpFamily family);

    /** All of one family as if nothing were there: the exact text that is written. */
    String whole(FamilyRules rules, IpFamily family);

    /** The revision that the kernel holds with these rules, or that of the whole ruleset where it holds none. */
    String revision(Ruleset ruleset, IpFamily family);

    /** The chain, without its rules. */
    String chain(String chain);

    /** The rule that leads to the chain. */
    String jump(FamilyRules rules, IpFamily family);

    /** One rule of the chain. */
    String rule(String chain, Rule rule, IpFamily family);
}
