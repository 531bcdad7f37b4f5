package net.ipmasq.dataplane.iptables;

import net.ipmasq.dataplane.RuleSyntax;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Ruleset;

/** Rules as {@code iptables-restore} takes them; both variants take the same. */
public final class IptablesSyntax implements RuleSyntax {
    @Override
    public String command(IpFamily family) {
        return Variant.base(family) + "-restore --noflush -w 5";
    }

    @Override
    public String whole(FamilyRules rules, IpFamily family) {
        return IptablesRenderer.render(rules);
    }

    @Override
    public String revision(Ruleset ruleset, IpFamily family) {
        return ruleset.revision();
    }

    @Override
    public String chain(String chain) {
        return ":" + chain + " - [0:0]";
    }

    @Override
    public String jump(FamilyRules rules, IpFamily family) {
        return IptablesRenderer.jump(rules.chain());
    }

    @Override
    public String rule(String chain, Rule rule, IpFamily family) {
        return IptablesRenderer.line(chain, rule);
    }
}
