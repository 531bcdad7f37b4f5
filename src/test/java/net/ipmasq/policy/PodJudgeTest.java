package net.ipmasq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.config.Problem;
import net.ipmasq.lab.Seeds;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.BuiltInProfiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a text means for the pods of a node with these ranges. */
class PodJudgeTest {
    private static final Set<IpFamily> BOTH = EnumSet.allOf(IpFamily.class);

    private static EffectiveConfig effective(String text) {
        ConfigOutcome.Loaded loaded = (ConfigOutcome.Loaded) ConfigReader.read(text);
        return EffectiveConfig.of(
                loaded.config(), BuiltInProfiles.profile("cce").orElseThrow());
    }

    private static List<Problem> judged(String text, Set<IpFamily> managed, PodNetwork node) {
        EffectiveConfig config = effective(text);
        List<Problem> found =
                ConfigJudge.judge(ConfigReader.read(text), config.profile()).problems();
        return PodJudge.judge(found, config, MasqPolicy.of(config, managed), node);
    }

    private static PodNetwork pods(String... ranges) {
        return new PodNetwork(Arrays.stream(ranges).map(Cidr::of).toList(), Set.of());
    }

    private static List<Problem> judged(String text, String... ranges) {
        return judged(text, BOTH, pods(ranges));
    }

    @Test
    void aRangeThatNoListKeepsIsNamedWithWhatItCosts() {
        assertThat(judged("nonMasqueradeCIDRs: [192.168.0.0/16, fc00::/7]", "10.244.1.0/24"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.severity().key()).isEqualTo("warning");
                    assertThat(problem.code()).isEqualTo("pod-range-masqueraded");
                    assertThat(problem.message()).contains("10.244.1.0/24", "hostPort");
                    assertThat(problem.fix()).startsWith("add 10.244.1.0/24");
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                // covered whole, by one entry or by several together, also out of order
                "nonMasqueradeCIDRs: [10.0.0.0/8, fc00::/7] | ''",
                "nonMasqueradeCIDRs: [10.244.1.128/25, 10.244.1.0/25, fc00::/7] | ''",
                "nonMasqueradeCIDRs: [10.244.1.64/26, 10.244.1.0/26, 10.244.1.128/25, fc00::/7] | ''",
                // in part
                "nonMasqueradeCIDRs: [10.244.1.0/25, fc00::/7] | 10.244.1.128/25 is masqueraded",
                "nonMasqueradeCIDRs: [10.244.1.0/26, fc00::/7] | 10.244.1.64/26, 10.244.1.128/25 is masqueraded",
                // a masqueradeCIDR comes before the list
                "masqueradeCIDRs: [10.244.1.7/32] | 10.244.1.7/32 is masqueraded",
                "masqueradeCIDRs: [10.244.0.0/16] | the pod range 10.244.1.0/24 of this node is masqueraded",
                // nothing else is masqueraded
                "nonMasqueradeCIDRs: [192.168.0.0/16, fc00::/7]; masqOutBound: false | ''",
                "masqOutBound: false; masqueradeCIDRs: [10.244.1.0/25] | 10.244.1.0/25 is masqueraded",
                "nonMasqueradeCIDRs: [] | the pod range 10.244.1.0/24 of this node is masqueraded",
                "'' | ''"
            })
    void onlyWhatIsMasqueradedIsNamed(String text, String expected) {
        List<Problem> ofRanges = judged(text.replace("; ", "\n"), "10.244.1.0/24").stream()
                .filter(problem -> problem.code().equals("pod-range-masqueraded"))
                .toList();
        if (expected.isEmpty()) {
            assertThat(ofRanges).isEmpty();
        } else {
            assertThat(ofRanges)
                    .singleElement()
                    .extracting(Problem::message)
                    .asString()
                    .contains(expected);
        }
    }

    @Test
    void theFixNamesTheEntryThatMasquerades() {
        assertThat(judged("masqueradeCIDRs: [10.244.1.7/32]", "10.244.1.0/24"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.path()).isEqualTo("masqueradeCIDRs");
                    assertThat(problem.fix()).contains("10.244.1.7/32");
                });
    }

    @Test
    void aFamilyThatIsNotManagedIsNotMasqueraded() {
        String text = "nonMasqueradeCIDRs: [10.0.0.0/8]";
        PodNetwork node = new PodNetwork(List.of(Cidr.of("fd00:1::/64")), BOTH);
        assertThat(judged(text, EnumSet.of(IpFamily.IPV4), node)).allMatch(Problem::isNote);
        assertThat(judged(text, BOTH, node)).noneMatch(Problem::isNote);
    }

    @Test
    void theNoteIsAWarningWhereThisNodesPodsHaveTheFamily() {
        assertThat(judged("# first line\nnonMasqueradeCIDRs: [10.0.0.0/8]", "10.244.1.0/24", "fd00:1::/64"))
                .singleElement()
                .satisfies(problem -> {
                    assertThat(problem.severity().key()).isEqualTo("warning");
                    assertThat(problem.code()).isEqualTo("family-left-out");
                    assertThat(problem.line()).isEqualTo(2);
                    assertThat(problem.message()).contains("fc00::/7").endsWith("pods have IPv6 (fd00:1::/64)");
                });
        assertThat(judged("nonMasqueradeCIDRs: [10.0.0.0/8]", "10.244.1.0/24"))
                .singleElement()
                .matches(Problem::isNote);
    }

    @Test
    void theNoteIsAWarningWhereThisNodeForwardsTheFamily() {
        PodNetwork node = new PodNetwork(List.of(), EnumSet.of(IpFamily.IPV6));
        assertThat(judged("nonMasqueradeCIDRs: [10.0.0.0/8]", BOTH, node))
                .singleElement()
                .matches(problem -> problem.severity() == Problem.Severity.WARNING
                        && problem.message().endsWith("; this node forwards IPv6"));
        assertThat(judged("nonMasqueradeCIDRs: [fd00::/8]", BOTH, node))
                .singleElement()
                .matches(Problem::isNote);
    }

    /** The profile's fc00::/7 would not keep a range of global addresses. */
    @Test
    void aRangeThatTheProfileDoesNotKeepEitherIsNamedBesides() {
        assertThat(judged("nonMasqueradeCIDRs: [10.0.0.0/8]", "2001:db8:7::/64"))
                .extracting(Problem::code)
                .containsExactly("family-left-out", "pod-range-masqueraded");
    }

    /** After a bad edit it is the last good text that masquerades, not the one with the problems. */
    @Test
    void whatIsInForceCountsAlsoWhenTheTextIsNotUsed() {
        EffectiveConfig inForce = effective("nonMasqueradeCIDRs: [10.0.0.0/8]");
        List<Problem> bad = ConfigReader.read("nonMasqueradeCIDRs: 5").problems();
        assertThat(PodJudge.judge(bad, inForce, MasqPolicy.of(inForce, BOTH), pods("fd00:1::/64")))
                .extracting(Problem::code)
                .containsExactly("list-expected", "family-left-out");
    }

    @Test
    void anUnknownNodeChangesNothing() {
        assertThat(judged("nonMasqueradeCIDRs: [192.168.0.0/16]", BOTH, PodNetwork.UNKNOWN))
                .singleElement()
                .matches(Problem::isNote);
    }

    /** The algebra against the plain question, for every address of the range. */
    @Test
    void aPartIsMasqueradedExactlyIfExplainSaysSo() {
        long start = Seeds.next();
        Cidr range = Cidr.of("169.254.7.0/24");
        for (long seed = start; seed < start + 300; seed++) {
            Random random = new Random(seed);
            String text = "masqueradeCIDRs: " + cidrs(random, 3) + "\nnonMasqueradeCIDRs: " + cidrs(random, 5)
                    + "\nmasqOutBound: " + random.nextBoolean() + "\nmasqLinkLocal: " + (random.nextInt(3) > 0) + "\n";
            FamilyPolicy policy = FamilyPolicy.of(effective(text), IpFamily.IPV4);
            for (int i = 0; i < 256; i++) {
                IpAddress address = IpAddress.of("169.254.7." + i);
                assertThat(policy.masqueradedIn(range).contains(address))
                        .as("%s, seed %d: %s", address, seed, text)
                        .isEqualTo(policy.explain(address).verdict() == Decision.Verdict.MASQUERADE);
            }
        }
    }

    private static List<String> cidrs(Random random, int most) {
        List<String> cidrs = new ArrayList<>();
        for (int count = random.nextInt(most + 1); count > 0; count--) {
            int length = 22 + random.nextInt(11);
            IpAddress address = IpAddress.of("169.254." + (4 + random.nextInt(4)) + "." + random.nextInt(256));
            cidrs.add(new Cidr(address.masked(length), length).toString());
        }
        return cidrs;
    }
}
