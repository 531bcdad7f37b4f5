package net.ipmasq.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.agent.Profiles;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.dataplane.iptables.IptablesParser;
import net.ipmasq.dataplane.nftables.NftRenderer;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.EffectiveConfig;
import net.ipmasq.policy.MasqPolicy;
import net.ipmasq.rules.Rule.Exempt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A rule for the link-local range says whether masqLinkLocal or the list brings it, whatever the kernel can hold of that. */
class RuleOriginTest {
    private static final String CHAIN = "IP-MASQ-AGENT";

    private static FamilyRules rules(String text, IpFamily family) {
        ConfigOutcome.Loaded loaded = (ConfigOutcome.Loaded) ConfigReader.read(text);
        EffectiveConfig config = EffectiveConfig.of(loaded.config(), Profiles.named("cce"));
        return Ruleset.of(MasqPolicy.of(config, Set.of(family)), CHAIN)
                .families()
                .get(family);
    }

    /** A configuration that keeps a range of each family beside the link-local ones. */
    private static FamilyRules listed(boolean masqLinkLocal, IpFamily family) {
        return rules(
                "masqLinkLocal: " + masqLinkLocal + "\nmasqLinkLocalIPv6: " + masqLinkLocal
                        + "\nnonMasqueradeCIDRs: [10.0.0.0/8, 169.254.0.0/16, fd00::/8, \"fe80::/10\"]\n",
                family);
    }

    private static List<String> lists(FamilyRules rules) {
        return rules.ordered().stream().map(Rule::list).toList();
    }

    @ParameterizedTest
    @EnumSource
    void aListedRangeIsOfTheListAndTheExemptionIsOfItsKey(IpFamily family) {
        assertThat(lists(listed(true, family)))
                .containsExactly("nonMasqueradeCIDRs", "nonMasqueradeCIDRs", "masqOutBound");
        assertThat(lists(listed(false, family)))
                .containsExactly("linkLocal", "nonMasqueradeCIDRs", "nonMasqueradeCIDRs", "masqOutBound");
    }

    @ParameterizedTest
    @EnumSource
    void nftSaysTheListThatARangeIsIn(IpFamily family) {
        String text = NftRenderer.render(listed(true, family), family);
        assertThat(text).doesNotContain("masqLinkLocal").contains("      " + family.linkLocal());
        assertThat(NftRenderer.render(listed(false, family), family))
                .contains("daddr " + family.linkLocal() + " counter return comment")
                .contains("(masqLinkLocal)")
                .doesNotContain("      " + family.linkLocal());
    }

    /** What was written before for such a text stays to the byte: the exemption decides, the listed range never does. */
    @ParameterizedTest
    @EnumSource
    void theExemptionAloneIsWrittenWhereBothAreThere(IpFamily family) {
        FamilyRules without = rules("nonMasqueradeCIDRs: [10.0.0.0/8, fd00::/8]\n", family);
        assertThat(NftRenderer.render(listed(false, family), family)).isEqualTo(NftRenderer.render(without, family));
    }

    private static ObservedChain saved(FamilyRules rules, IpFamily family) {
        String save = net.ipmasq.dataplane.iptables.IptablesRenderer.render(rules) + "# end\n";
        return ((IptablesParser.Understood) IptablesParser.parse(save, family, CHAIN)).chain();
    }

    @ParameterizedTest
    @EnumSource
    void iptablesCannotTellAndIsInSyncWithEither(IpFamily family) {
        FamilyRules exemption = rules("nonMasqueradeCIDRs: [10.0.0.0/8, fd00::/8]\n", family);
        List<Rule> reversed = new ArrayList<>(exemption.ordered());
        reversed.set(0, new Exempt(family.linkLocal()));
        FamilyRules list = new FamilyRules.Listed(CHAIN, reversed);
        for (FamilyRules held : List.of(exemption, list)) {
            for (FamilyRules desired : List.of(exemption, list)) {
                assertThat(Drift.between(desired, saved(held, family))).isEmpty();
                assertThat(saved(held, family).attributed(desired).lines().stream()
                                .map(ObservedChain.Line::rule)
                                .flatMap(Optional::stream))
                        .isEqualTo(desired.ordered());
            }
        }
    }

    @Test
    void theFirstOfTwoEqualLinesIsTheExemption() {
        FamilyRules both = listed(false, IpFamily.IPV4);
        assertThat(saved(both, IpFamily.IPV4).attributed(both).lines().stream()
                        .map(line -> line.rule().orElseThrow().list()))
                .containsExactly("linkLocal", "nonMasqueradeCIDRs", "nonMasqueradeCIDRs", "masqOutBound");
    }

    /** Without a configuration, rules of a kernel that does not tell are in force: agents write the exemption first. */
    @Test
    void aFoundChainsFirstExemptionIsTakenForLinkLocal() {
        Exempt ten = new Exempt(Cidr.of("10.0.0.0/8"));
        Exempt range = new Exempt(IpFamily.IPV4.linkLocal());
        Rule linkLocal = new Rule.LinkLocal(IpFamily.IPV4);
        Rule first = new Rule.MasqueradeTo(Cidr.of("10.1.0.0/16"), false);
        assertThat(FamilyRules.found(CHAIN, List.of(first, range, ten)).ordered())
                .containsExactly(first, linkLocal, ten);
        assertThat(FamilyRules.found(CHAIN, List.of(ten, range)).ordered()).containsExactly(ten, range);
    }

    /** The revision says what rules do; on upgrade it must not change for rules that stay as they are. */
    @Test
    void theRevisionIsThatOfEarlierVersions() {
        assertThat(Ruleset.of(CHAIN, Map.of(IpFamily.IPV4, listed(false, IpFamily.IPV4)))
                        .revision())
                .isEqualTo(Ruleset.of(
                                CHAIN,
                                Map.of(
                                        IpFamily.IPV4,
                                        new FamilyRules.Listed(
                                                CHAIN,
                                                listed(false, IpFamily.IPV4).ordered().stream()
                                                        .map(Rule::withoutOrigin)
                                                        .toList())))
                        .revision());
    }
}
