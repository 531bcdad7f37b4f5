package net.ipmasq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.config.Problem;
import net.ipmasq.profile.BuiltInProfiles;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A list of one family that replaces a profile's list of two is said to, below any warning. */
class FamilyLeftOutTest {
    private static ProviderProfile profile(String name) {
        return BuiltInProfiles.profile(name).orElseThrow();
    }

    private static ProviderProfile custom(String yaml) {
        return ((ProfileReader.Good) ProfileReader.read(yaml.getBytes(StandardCharsets.UTF_8), "custom")).profile();
    }

    private static ConfigOutcome judged(String text, ProviderProfile profile) {
        return ConfigJudge.judge(ConfigReader.read(text), profile);
    }

    private static List<Problem> found(String text, ProviderProfile profile) {
        return judged(text, profile).problems();
    }

    @Test
    void anIpv4OnlyListUnderCceIsNotedWithTheLineToAdd() {
        assertThat(judged("masqOutBound: true\nnonMasqueradeCIDRs: [10.0.0.0/8]\n", profile("cce")))
                .isInstanceOf(ConfigOutcome.Loaded.class)
                .satisfies(outcome -> assertThat(outcome.problems())
                        .singleElement()
                        .satisfies(note -> {
                            assertThat(note.severity().key()).isEqualTo("note");
                            assertThat(note.code()).isEqualTo("family-left-out");
                            assertThat(note.path()).isEqualTo("nonMasqueradeCIDRs");
                            assertThat(List.of(note.line(), note.column())).containsExactly(2, 1);
                            assertThat(note.message()).contains("IPv6", "fc00::/7", "traffic between pods");
                            assertThat(note.fix()).contains("'- fc00::/7'");
                        }));
    }

    @Test
    void anIpv6OnlyListLosesTheIpv4RangesOfTheProfile() {
        assertThat(found("nonMasqueradeCIDRs:\n  - fc00::/7\n", profile("cce")))
                .singleElement()
                .satisfies(note -> {
                    assertThat(note.isNote()).isTrue();
                    assertThat(note.message())
                            .contains(
                                    "IPv4", "10.0.0.0/8, 172.16.0.0/12, 100.64.230.0/24, 192.168.0.0/16 do not apply");
                    assertThat(note.fix()).contains("'- 10.0.0.0/8', '- 172.16.0.0/12'", "masqOutBound: false");
                });
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "masqOutBound: true",
                "nonMasqueradeCIDRs: [10.0.0.0/8, fd00::/8]",
                "nonMasqueradeCIDRs: [10.0.0.0/8, \"::/0\"]",
                "nonMasqueradeCIDRs: [10.0.0.0/8]\nmasqOutBoundIPv6: false",
                "nonMasqueradeCIDRs: [fc00::/7]\nmasqOutBound: false",
                "masqueradeCIDRs: [10.0.0.0/8]"
            })
    void nothingIsLeftOut(String text) {
        assertThat(found(text, profile("cce"))).isEmpty();
    }

    /** It has a warning of its own, which says more. */
    @Test
    void anEmptyListIsWarnedOfOnce() {
        assertThat(found("nonMasqueradeCIDRs: []", profile("cce")))
                .extracting(Problem::code)
                .containsExactly("list-empty");
    }

    @ParameterizedTest
    @ValueSource(strings = {"built-in", "upstream", "gke"})
    void profilesWithoutTheFamilyLoseNothing(String name) {
        assertThat(found("nonMasqueradeCIDRs: [10.0.0.0/8]", profile(name))).isEmpty();
    }

    @Test
    void whereIpv6IsOffItDoesNotMatter() {
        ProviderProfile off = custom("ipv6: \"off\"\ndefaults: {nonMasqueradeCIDRs: [10.0.0.0/8, \"fc00::/7\"]}\n");
        assertThat(found("nonMasqueradeCIDRs: [10.0.0.0/8]", off)).isEmpty();
    }

    @Test
    void theProfilesMasqOutBoundCountsWhereTheTextHasNone() {
        String lists = "nonMasqueradeCIDRs: [10.0.0.0/8, \"fc00::/7\", \"fd00::/8\"]";
        assertThat(found(
                        "nonMasqueradeCIDRs: [10.0.0.0/8]",
                        custom("defaults: {masqOutBoundIPv6: false, " + lists + "}\n")))
                .isEmpty();
        assertThat(found("nonMasqueradeCIDRs: [10.0.0.0/8]", custom("defaults: {" + lists + "}\n")))
                .extracting(Problem::fix)
                .singleElement()
                .asString()
                .startsWith("add the lines '- fc00::/7', '- fd00::/8'");
    }

    @Test
    void whatTheProviderEnforcesIsNotLost() {
        String lists = "defaults: {nonMasqueradeCIDRs: [10.0.0.0/8, \"fd00::/8\"]}\n";
        assertThat(found("nonMasqueradeCIDRs: [10.0.0.0/8]", custom(lists + "enforced: [\"fc00::/7\"]\n")))
                .isEmpty();
        assertThat(found("nonMasqueradeCIDRs: [10.0.0.0/8]", custom(lists + "enforced: [\"fd00:1::/32\"]\n")))
                .hasSize(1);
    }

    /** Dozens of entries make no message that nobody reads to its end. */
    @Test
    void aLongListIsNotNamedWhole() {
        String many = java.util.stream.IntStream.range(0, 40)
                .mapToObj(i -> "\"fd00:" + i + "::/32\"")
                .collect(java.util.stream.Collectors.joining(", "));
        assertThat(found(
                        "nonMasqueradeCIDRs: [10.0.0.0/8]", custom("defaults: {nonMasqueradeCIDRs: [" + many + "]}\n")))
                .singleElement()
                .satisfies(note ->
                        assertThat(note.oneLine()).contains("and 28 more").hasSizeLessThan(1000));
    }
}
