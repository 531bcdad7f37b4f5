package net.ipmasq.dataplane.iptables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.net.IpFamily;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules of others that can give a packet another source address than ours would. */
class ShadowFinderTest {
    private static final String CHAIN = NodeKernel.CHAIN;
    private static final String OURS = IptablesRenderer.jump(CHAIN);

    private static List<Shadow> shadows(String... lines) {
        String save = "*nat\n:POSTROUTING ACCEPT [0:0]\n:%s - [0:0]\n:X - [0:0]\n:Y - [0:0]\n".formatted(CHAIN)
                + String.join("\n", lines) + "\nCOMMIT\n";
        return ((IptablesParser.Understood) IptablesParser.parse(save, IpFamily.IPV4, CHAIN)).shadows();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-A POSTROUTING -j MASQUERADE",
                "-A POSTROUTING -j MASQUERADE --random-fully",
                "-A POSTROUTING -d 10.0.0.0/8 -j MASQUERADE",
                "-A POSTROUTING ! -d 10.0.0.0/8 -j MASQUERADE",
                "-A POSTROUTING -p tcp -m tcp -j MASQUERADE --to-ports 1024-2048",
                "-A POSTROUTING -j SNAT --to-source 192.0.2.1",
                "-A POSTROUTING -j SNAT --to-source 192.0.2.1 --random --persistent",
                "-A POSTROUTING -m comment --comment \"by hand -s 1.2.3.4\" -j MASQUERADE",
                "-A POSTROUTING -j NETMAP --to 192.0.2.0/24"
            })
    void everyPacketsSource(String rule) {
        assertThat(shadows(rule, OURS)).containsExactly(new Shadow.OneRule(false, true, 1, rule));
        assertThat(shadows(OURS, rule)).containsExactly(new Shadow.OneRule(false, false, 2, rule));
        assertThat(shadows(OURS, rule).getFirst().kind()).isEqualTo("shadowed-by");
        String inChain = rule.replace("POSTROUTING", "X");
        assertThat(shadows(OURS, "-A POSTROUTING -j X", inChain))
                .containsExactly(new Shadow.OneRule(false, false, 2, "-A POSTROUTING -j X => " + inChain));
        assertThat(shadows("-A POSTROUTING -j X", OURS, "-A X -j Y", rule.replace("POSTROUTING", "Y")))
                .singleElement()
                .matches(shadow -> shadow.before() && shadow.text().startsWith("-A POSTROUTING -j X => -A X -j Y => "));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-A POSTROUTING -s 172.17.0.0/16 ! -o docker0 -j MASQUERADE",
                "-A POSTROUTING -o eth0 -j MASQUERADE",
                "-A POSTROUTING -m set --match-set x src -j MASQUERADE",
                "-A POSTROUTING -m statistic --mode random --probability 0.50000000000 -j MASQUERADE",
                "-A POSTROUTING -m owner --uid-owner 7 -j SNAT --to-source 192.0.2.1",
                "-A POSTROUTING -s 10.0.0.0/8 -j " + CHAIN
            })
    void somePacketsSource(String rule) {
        assertThat(shadows(rule, OURS)).containsExactly(new Shadow.OneRule(true, true, 1, rule));
        assertThat(shadows(OURS, rule)).containsExactly(new Shadow.OneRule(true, false, 2, rule));
        assertThat(shadows(OURS, rule).getFirst().kind()).isEqualTo("may-shadow");
    }

    @Test
    void aNarrowWayIntoAChainNarrowsWhatIsThere() {
        assertThat(shadows(OURS, "-A POSTROUTING -o eth0 -j X", "-A X -j MASQUERADE"))
                .singleElement()
                .matches(Shadow::narrowed);
        assertThat(shadows(OURS, "-A POSTROUTING -j X", "-A X -s 1.1.1.1/32 -j MASQUERADE", "-A X -j MASQUERADE"))
                .as("the widest counts")
                .singleElement()
                .matches(shadow -> !shadow.narrowed() && shadow.text().endsWith("=> -A X -j MASQUERADE"));
    }

    @Test
    void aForeignWayIntoOurChainByAnotherChainIsReported() {
        assertThat(shadows(OURS, "-A POSTROUTING -j X", "-A X -j " + CHAIN))
                .containsExactly(new Shadow.OneRule(true, false, 2, "-A POSTROUTING -j X => -A X -j " + CHAIN));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-A POSTROUTING -m mark --mark 0x4000/0x4000 -j MASQUERADE",
                "-A POSTROUTING -j X",
                "-A POSTROUTING -j LOG",
                "-A POSTROUTING -m mark --mark 0x4000/0x4000 -j RETURN",
                "-A POSTROUTING -d 10.0.0.0/8",
                "-A POSTROUTING"
            })
    void noSource(String rule) {
        assertThat(shadows(rule, OURS)).isEmpty();
        assertThat(shadows(OURS, rule)).isEmpty();
    }

    /** Each ends the base chain, whose policy is to accept; X returns, but whoever went there does not come back. */
    @ParameterizedTest
    @ValueSource(strings = {"-j ACCEPT", "-j RETURN", "-g X"})
    void whatEndsTheBaseChainHidesOurRulesOnlyBeforeThem(String verdict) {
        String all = "-A POSTROUTING " + verdict;
        String some = "-A POSTROUTING -s 10.9.0.0/16 " + verdict;
        assertThat(shadows(all, OURS)).containsExactly(new Shadow.OneRule(false, true, 1, all));
        assertThat(shadows(some, OURS)).containsExactly(new Shadow.OneRule(true, true, 1, some));
        assertThat(shadows(all)).as("no jump yet").containsExactly(new Shadow.OneRule(false, true, 1, all));
        assertThat(shadows(OURS, all)).isEmpty();
    }

    /** RETURN of a called chain, and of one that a called chain goes to, comes back to the base chain. */
    @ParameterizedTest
    @ValueSource(strings = {"-A X -j RETURN", "-A X -g Y", "-A X -s 10.9.0.0/16 -g Y"})
    void aCalledChainThatReturnsHidesNothing(String rule) {
        assertThat(shadows("-A POSTROUTING -j X", OURS, rule, "-A Y -j RETURN")).isEmpty();
    }

    @Test
    void aCalledChainThatAcceptsHidesOurRules() {
        String way = "-A POSTROUTING -j X => -A X -g Y => -A Y -j ACCEPT";
        assertThat(shadows("-A POSTROUTING -j X", OURS, "-A X -g Y", "-A Y -j ACCEPT"))
                .containsExactly(new Shadow.OneRule(false, true, 1, way));
        assertThat(shadows(OURS, "-A POSTROUTING -j X", "-A X -g Y", "-A Y -j ACCEPT"))
                .isEmpty();
    }

    @Test
    void aChainThatIsGoneToBehindOursIsFollowed() {
        assertThat(shadows(OURS, "-A POSTROUTING -g X", "-A X -j MASQUERADE"))
                .containsExactly(new Shadow.OneRule(false, false, 2, "-A POSTROUTING -g X => -A X -j MASQUERADE"));
    }

    @Test
    void kubeProxysChainsAreNotCounted() {
        String[] rest = {
            "-A X -m mark ! --mark 0x4000/0x4000 -j RETURN",
            "-A X -j MARK --set-xmark 0x4000/0x0",
            "-A X -m comment --comment \"kubernetes service traffic requiring SNAT\" -j MASQUERADE --random-fully"
        };
        String jump = "-A POSTROUTING -m comment --comment \"kubernetes postrouting rules\" -j X";
        assertThat(shadows(jump, OURS, rest[0], rest[1], rest[2])).isEmpty();
        assertThat(shadows(OURS, jump, rest[0], rest[1], rest[2])).isEmpty();
        assertThat(shadows(OURS, jump, rest[1], rest[2]))
                .as("without the mark's RETURN")
                .hasSize(1);
        // what kube-proxy before 1.16 had
        assertThat(shadows(OURS, jump, "-A X -m mark --mark 0x4000/0x4000 -j MASQUERADE"))
                .isEmpty();
    }

    @Test
    void ourJumpsAreNoShadowsAndWithoutOneEverythingIsBefore() {
        assertThat(shadows(OURS, OURS, "-A POSTROUTING -j " + CHAIN)).isEmpty();
        assertThat(shadows("-A POSTROUTING -j MASQUERADE")).singleElement().matches(Shadow::before);
    }

    @Test
    void chainsThatGoRoundAreSurvived() {
        assertThat(shadows(OURS, "-A POSTROUTING -j X", "-A X -j Y", "-A Y -j X"))
                .isEmpty();
    }

    /** The second way into Y was not looked at, since the first had been there. */
    @Test
    void ofTwoWaysIntoAChainTheWideOneCounts() {
        String masquerade = "-A Y -j MASQUERADE";
        for (String[] ways :
                new String[][] {{"-A X -s 10.9.0.0/16 -j Y", "-A X -j Y"}, {"-A X -j Y", "-A X -s 10.9.0.0/16 -j Y"}}) {
            assertThat(shadows(OURS, "-A POSTROUTING -j X", ways[0], ways[1], masquerade))
                    .containsExactly(new Shadow.OneRule(
                            false, false, 2, "-A POSTROUTING -j X => -A X -j Y => -A Y -j MASQUERADE"));
        }
    }

    @Test
    void chainsMayBeReadBeforeTheyAreKnownToBeReached() {
        assertThat(shadows("-A Y -j MASQUERADE", "-A X -j Y", "-A POSTROUTING -j X", OURS))
                .containsExactly(
                        new Shadow.OneRule(false, true, 1, "-A POSTROUTING -j X => -A X -j Y => -A Y -j MASQUERADE"));
    }

    @Test
    void whatWouldMoveATerminalIsShown() {
        String rule = "-A POSTROUTING -m comment --comment \"a\rb\u001b[2Jc\u009bd\u202ee\" -j MASQUERADE";
        assertThat(shadows(OURS, rule))
                .extracting(Shadow::text)
                .containsExactly("-A POSTROUTING -m comment --comment"
                        + " \"a\\u000db\\u001b[2Jc\\u009bd\\u202ee\" -j MASQUERADE");
    }
}
