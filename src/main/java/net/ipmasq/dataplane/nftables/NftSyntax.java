package net.ipmasq.dataplane.nftables;

import net.ipmasq.dataplane.RuleSyntax;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;

/** Rules as {@code nft} takes them. */
public final class NftSyntax implements RuleSyntax {
    @Override
    public String command(IpFamily family) {
        return "nft -f -";
    }

    @Override
    public String whole(FamilyRules rules, IpFamily family) {
        return NftRenderer.render(rules, family);
    }

    @Override
    public String revision(Ruleset ruleset, IpFamily family) {
        FamilyRules rules = ruleset.families().get(family);
        return rules == null ? ruleset.revision() : NftRenderer.revision(rules, family);
    }

    @Override
    public String chain(String chain) {
        return "chain " + chain;
    }

    @Override
    public String jump(FamilyRules rules, IpFamily family) {
        return NftRenderer.jump(rules, family);
    }

    @Override
    public String rule(String chain, Rule rule, IpFamily family) {
        return NftRenderer.line(rule, family);
    }
}
