package net.ipmasq.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A hint never leads to the opposite of what is written. */
class NearestKeyTest {
    private static final List<String> KEYS = ConfigKey.spellings(ConfigKey.ALL);

    @ParameterizedTest
    @CsvSource({
        "forceMasqueradeCIDRs, masqueradeCIDRs",
        "mmasqueradeCIDRs, masqueradeCIDRs",
        "ipMasqueradeCIDR, masqueradeCIDRs",
        "alwaysMasqOutBound, masqOutBound",
        "onnMasqueradeCIDRs, nonMasqueradeCIDRs",
        "nonMasquradeCIDRs, nonMasqueradeCIDRs",
        "noneMasqueradeCIDRs, nonMasqueradeCIDRs",
        "masquradeCIDRs, masqueradeCIDRs",
        "masq_out_bound_ipv6, masqOutBoundIPv6",
        "masq-link-local, masqLinkLocal",
        "masqLinkLocalIPv, masqLinkLocalIPv6",
        "masqOutBound6, masqOutBoundIPv6",
        "resyncIntervall, resyncInterval"
    })
    void whatIsMeant(String written, String meant) {
        assertThat(NearestKey.of(written, KEYS)).hasValue(meant);
    }

    @ParameterizedTest
    @CsvSource({
        "noMasqOutBound",
        "nonMasqLinkLocal",
        "disableMasqOutBound",
        "nonMasqLinkLocalIPv6",
        "noResyncInterval",
        "masqNoLinkLocal",
        "masqOutBoundOff",
        "masqLinkLocalOff",
        "masqueradeSkipCIDRs"
    })
    void noneForTheOpposite(String written) {
        assertThat(NearestKey.of(written, KEYS)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({"denyMasqueradeCIDRs", "omitMasqueradeCIDRs", "avoidMasqueradeCIDRs", "masqueradeNotCIDRs"})
    void neverAListOfTheOthers(String written) {
        assertThat(NearestKey.of(written, KEYS)).hasValue("nonMasqueradeCIDRs");
    }

    /** Where a guess could be the wrong list, the hint names both and what they do. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "keepMasqueradeCIDRs",
                "nMasqueradeCIDRs",
                "oMasqueradeCIDRs",
                "newMasqueradeCIDRs",
                "nMesqueradeCIDRs",
                "keepMesqueradeCIDRs",
                "masqueradeKeepCIDRs",
                "leaveMasqueradeCIDR",
                "nonMasqueradeNotCIDRs"
            })
    void bothListsWhereEitherMayBeMeant(String written) {
        assertThat(NearestKey.of(written, KEYS)).isEmpty();
        assertThat(NearestKey.hint(written, KEYS))
                .hasValue(
                        "write nonMasqueradeCIDRs for destinations that keep the pod's address, or masqueradeCIDRs for"
                                + " those that get the node's");
    }

    @ParameterizedTest
    @ValueSource(strings = {"keepMasqOutBound", "nMasqLinkLocal", "toPort", "colour"})
    void noGuessWithoutAMeaning(String written) {
        assertThat(NearestKey.hint(written, KEYS)).isEmpty();
    }

    /** One letter more, less or other never turns one list into the other. */
    @Test
    void aTypingErrorNeverLeadsToTheOtherList() {
        for (String list : List.of("nonMasqueradeCIDRs", "masqueradeCIDRs")) {
            for (int at = 0; at <= list.length(); at++) {
                for (char letter = 'a'; letter <= 'z'; letter++) {
                    String head = list.substring(0, at);
                    String tail = list.substring(at);
                    String shorter = tail.isEmpty() ? "" : tail.substring(1);
                    for (String typed : List.of(head + letter + tail, head + letter + shorter, head + shorter)) {
                        assertThat(NearestKey.of(typed, KEYS).orElse(list))
                                .as(typed)
                                .isEqualTo(list);
                        assertThat(NearestKey.hint(typed, KEYS).orElse(""))
                                .as(typed)
                                .contains(list);
                    }
                }
            }
        }
    }

    /** Any beginning before a key of ours: with a word that says no it is never taken for one that says yes. */
    @ParameterizedTest
    @ValueSource(strings = {"no", "non", "not", "dont", "exclude", "skip", "disable", "never", "neverNo"})
    void aWordThatSaysNoStaysANo(String no) {
        for (String key : masqKeys()) {
            String written = no + Character.toUpperCase(key.charAt(0)) + key.substring(1);
            assertThat(NearestKey.of(written, KEYS).filter(near -> !near.startsWith("non")))
                    .as(written)
                    .isEmpty();
        }
    }

    @Test
    void aSixStaysASix() {
        for (String key : masqKeys()) {
            boolean six = key.endsWith("6");
            String other = six ? key.replace("IPv6", "IPv4") : key + "v6";
            assertThat(NearestKey.of(other, KEYS).filter(near -> near.endsWith("6") != !six))
                    .as(other)
                    .isEmpty();
        }
    }

    private static List<String> masqKeys() {
        List<String> keys = KEYS.stream().filter(key -> key.startsWith("masq")).toList();
        assertThat(keys).hasSizeGreaterThan(4);
        return keys;
    }

    /** The table is asked before spelling, and every key in it means something here or is said not to. */
    @Test
    void keysOfOthersAreKnown() {
        for (String key :
                List.of("syncPeriod", "exclude_cidrs", "IncludeCIDRs", "NonMasqueradeSrcCIDRs", "enable-ipv6")) {
            assertThat(ForeignKeys.hint(key)).as(key).isPresent();
        }
        for (String key : KEYS) {
            assertThat(ForeignKeys.hint(key)).as(key).isEmpty();
        }
    }
}
