package net.ipmasq.rules;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import net.ipmasq.dataplane.iptables.RandomRules;
import net.ipmasq.lab.RandomConfig;
import net.ipmasq.lab.Seeds;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.net.PortRange;
import net.ipmasq.rules.Rule.Exempt;
import net.ipmasq.rules.Rule.MasqueradeRest;
import net.ipmasq.rules.Rule.MasqueradeTo;
import org.junit.jupiter.api.Test;

/** Sets say the same as the list of rules that they stand for. */
class SetFormTest {
    private static final Cidr TEN = Cidr.of("10.0.0.0/8");
    private static final Cidr TEN_ONE = Cidr.of("10.1.0.0/16");
    private static final MasqueradeRest REST = new MasqueradeRest(Optional.empty(), false);

    @Test
    void overlapsInOneListAreResolvedAndTheOrderIsThatOfAddresses() {
        SetForm form = SetForm.of(List.of(
                new MasqueradeTo(Cidr.of("10.9.0.0/16"), true),
                new Rule.LinkLocal(IpFamily.IPV4),
                new Exempt(Cidr.of("192.168.0.0/16")),
                new Exempt(TEN_ONE),
                new Exempt(TEN),
                REST));
        assertThat(form.rules())
                .containsExactly(
                        new MasqueradeTo(Cidr.of("10.9.0.0/16"), true),
                        new Rule.LinkLocal(IpFamily.IPV4),
                        new Exempt(TEN),
                        new Exempt(Cidr.of("192.168.0.0/16")),
                        REST);
    }

    @Test
    void aListThatComesAfterAnotherLosesWhatThatOneHasDecided() {
        SetForm form = SetForm.of(List.of(new Exempt(TEN_ONE), new MasqueradeTo(TEN, false)));
        assertThat(form.masquerade().contains(IpAddress.of("10.1.2.3"))).isFalse();
        assertThat(form.masquerade().contains(IpAddress.of("10.2.0.0"))).isTrue();
        assertThat(form.keep().prefixes()).containsExactly(TEN_ONE);
    }

    @Test
    void nothingComesAfterARuleThatTakesAll() {
        assertThat(SetForm.of(List.of(REST, new Exempt(TEN), REST)).rules()).containsExactly(REST);
    }

    @Test
    void shapesDifferWhenAListComesOrGoesOrAnOptionChanges() {
        SetForm both = SetForm.of(List.of(new MasqueradeTo(TEN_ONE, false), new Exempt(TEN), REST));
        assertThat(both.hasShapeOf(
                        SetForm.of(List.of(new MasqueradeTo(TEN, false), new Exempt(TEN_ONE), new Exempt(TEN), REST))))
                .isTrue();
        for (List<Rule> other : List.of(
                List.<Rule>of(new Exempt(TEN), REST),
                List.<Rule>of(new MasqueradeTo(TEN_ONE, false), REST),
                List.<Rule>of(new MasqueradeTo(TEN_ONE, true), new Exempt(TEN), REST),
                List.<Rule>of(new MasqueradeTo(TEN_ONE, false), new Exempt(TEN)),
                List.<Rule>of(
                        new MasqueradeTo(TEN_ONE, false), new Rule.LinkLocal(IpFamily.IPV4), new Exempt(TEN), REST))) {
            assertThat(both.hasShapeOf(SetForm.of(other))).as("%s", other).isFalse();
        }
    }

    /** For any rules: the first match in the list is the first match in the set form, for every address that matters. */
    @Test
    void anyListAndItsSetFormDecideAlike() {
        long start = Seeds.next();
        for (long seed = start; seed < start + 2000; seed++) {
            for (IpFamily family : IpFamily.values()) {
                List<Rule> rules = RandomRules.of(seed, family).ordered();
                List<Rule> form = SetForm.of(rules).rules();
                assertThat(SetForm.of(form).rules()).isEqualTo(form);
                for (Rule rule : rules) {
                    for (IpAddress address : edges(rule)) {
                        assertThat(action(form, address))
                                .as("%s of %s, seed %d", address, rules, seed)
                                .isEqualTo(action(rules, address));
                    }
                }
            }
        }
    }

    /** What a policy is compiled to says the same as its list of rules, whose form is made from nothing but their order. */
    @Test
    void theFormOfAPolicyIsThatOfItsRulesInOrder() {
        long start = Seeds.next();
        for (long seed = start; seed < start + 2000; seed++) {
            for (FamilyRules rules : Ruleset.of(RandomConfig.of(seed).policy(), "IP-MASQ-AGENT")
                    .families()
                    .values()) {
                assertThat(rules.setForm()).as("seed %d", seed).isEqualTo(SetForm.of(rules.ordered()));
            }
        }
    }

    private static List<IpAddress> edges(Rule rule) {
        Optional<Cidr> cidr = switch (rule) {
            case Rule.LinkLocal linkLocal -> Optional.of(linkLocal.cidr());
            case Exempt exempt -> Optional.of(exempt.cidr());
            case MasqueradeTo to -> Optional.of(to.cidr());
            case MasqueradeRest rest -> Optional.empty();
        };
        return cidr.map(one -> List.of(one.network())).orElse(List.of());
    }

    /** Of a packet of no protocol with ports, so that only the last of the rest rules counts. */
    private static String action(List<Rule> rules, IpAddress address) {
        for (Rule rule : rules) {
            boolean matches = switch (rule) {
                case Rule.LinkLocal linkLocal -> linkLocal.cidr().contains(address);
                case Exempt exempt -> exempt.cidr().contains(address);
                case MasqueradeTo to -> to.cidr().contains(address);
                case MasqueradeRest rest -> rest.ports().isEmpty();
            };
            if (matches) {
                return rule.action();
            }
        }
        return "keep";
    }

    @Test
    void shareOfPortsKeepTheirOrder() {
        MasqueradeRest share = new MasqueradeRest(
                Optional.of(new Rule.PortShare(Rule.Transport.TCP, OptionalInt.of(5), new PortRange(1, 2))), true);
        assertThat(SetForm.of(List.of(share, share, REST)).rest()).containsExactly(share, share, REST);
    }
}
