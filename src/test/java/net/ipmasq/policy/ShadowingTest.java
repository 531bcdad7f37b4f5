package net.ipmasq.policy;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.config.Problem;
import net.ipmasq.profile.ProfileReader;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is said of entries that decide nothing. */
class ShadowingTest {
    private static final ProviderProfile PROFILE = ((ProfileReader.Good) ProfileReader.read(
                    "name: p\nenforced: [192.0.2.0/24, 198.51.100.0/25]".getBytes(StandardCharsets.UTF_8), "p"))
            .profile();

    private static List<String> findings(String text) {
        return ConfigJudge.judge(ConfigReader.read(text), PROFILE).problems().stream()
                .filter(problem -> problem.severity() != Problem.Severity.NOTE)
                .map(problem -> problem.code() + ": " + problem.message() + "; " + problem.fix())
                .toList();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "169.254.0.0/16 | the link-local range keeps the pod's address already (masqLinkLocal: false)",
                "fe80::/10 | the link-local range keeps the pod's address already (masqLinkLocalIPv6: false)",
                "169.254.169.254/32 | it is inside the link-local range 169.254.0.0/16, which keeps the pod's address"
                        + " already (masqLinkLocal: false)",
                "192.0.2.0/24 | the provider's profile p never masquerades that",
                "198.51.100.64/26 | it is inside 198.51.100.0/25, and the provider's profile p never masquerades that"
            })
    void whatIsKeptAnywayIsRedundant(String cidr, String why) {
        assertThat(findings("nonMasqueradeCIDRs: [\"" + cidr + "\"]"))
                .containsExactly("cidr-shadowed: " + cidr + " is redundant: " + why + "; remove it");
    }

    /** Then the entry decides. */
    @ParameterizedTest
    @CsvSource({"masqLinkLocal, 169.254.0.0/16", "masqLinkLocalIPv6, fe80::/10"})
    void linkLocalIsNotRedundantWhereItIsMasqueraded(String key, String cidr) {
        assertThat(findings("nonMasqueradeCIDRs: [\"" + cidr + "\"]\n" + key + ": true"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "10.0.0.0/8 | 10.0.0.0/8 | cidr-in-both-lists: 10.0.0.0/8 is also masqueradeCIDRs[0] (line 1), which is"
                        + " evaluated first: it is masqueraded; remove it, or narrow the other entry",
                "169.254.0.0/16 | 169.254.0.0/16 | cidr-in-both-lists: 169.254.0.0/16 is also masqueradeCIDRs[0] (line 1),"
                        + " which is evaluated first: it is masqueraded; remove it, or narrow the other entry",
                "10.0.0.0/8 | 10.1.0.0/16 | cidr-shadowed: 10.1.0.0/16 never takes effect: it is inside 10.0.0.0/8"
                        + " (masqueradeCIDRs[0], line 1), which is evaluated first and masquerades it; remove it, or"
                        + " narrow the other entry"
            })
    void theMasqueradeListComesFirst(String masquerade, String keep, String finding) {
        assertThat(findings("masqueradeCIDRs: [" + masquerade + "]\nnonMasqueradeCIDRs: [" + keep + "]"))
                .containsExactly(finding);
    }

    @ParameterizedTest
    @CsvSource({"192.0.2.0/24", "192.0.0.0/16", "192.0.2.128/25", "0.0.0.0/0"})
    void allThatOverlapsAnEnforcedOneIsAnError(String cidr) {
        assertThat(findings("masqueradeCIDRs: [" + cidr + "]"))
                .anyMatch(text -> text.startsWith(
                        "cidr-overlaps-enforced: " + cidr + " overlaps 192.0.2.0/24, which the provider's"));
        assertThat(findings("masqueradeCIDRs: [0.0.0.0/0]")).hasSize(2);
        assertThat(findings("masqueradeCIDRs: [192.0.3.0/24, 198.51.100.128/25]"))
                .isEmpty();
    }
}
