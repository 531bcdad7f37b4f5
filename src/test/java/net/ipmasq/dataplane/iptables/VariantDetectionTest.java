package net.ipmasq.dataplane.iptables;

import static net.ipmasq.dataplane.iptables.Variant.LEGACY;
import static net.ipmasq.dataplane.iptables.Variant.NFT;
import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.Probe;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Which variant a node uses, for every kind of node. */
class VariantDetectionTest {

    private static IptablesDataplane on(PaperNode node) {
        return new IptablesDataplane(node, node, Optional.empty());
    }

    private static PaperNode both() {
        return PaperNode.withBoth();
    }

    static Stream<Arguments> nodes() {
        return Stream.of(
                Arguments.of("no tool", new PaperNode(), NFT, "no iptables tool found"),
                Arguments.of(
                        "only nft",
                        new PaperNode().programs("iptables-nft-save"),
                        NFT,
                        "only the nft variant is installed"),
                Arguments.of(
                        "only nft, for IPv6",
                        new PaperNode().programs("ip6tables-nft-save"),
                        NFT,
                        "only the nft variant is installed"),
                Arguments.of(
                        "only legacy",
                        new PaperNode().programs("iptables-legacy-save"),
                        LEGACY,
                        "only the legacy variant is installed"),
                Arguments.of(
                        "one tool without a suffix that says nf_tables",
                        generic("iptables v1.8.9 (nf_tables)\n"),
                        NFT,
                        "only the nft variant is installed"),
                Arguments.of(
                        "one tool without a suffix that says legacy",
                        generic("iptables v1.8.7 (legacy)\n"),
                        LEGACY,
                        "only the legacy variant is installed"),
                Arguments.of(
                        "one from before there were variants",
                        generic("iptables v1.6.1\n"),
                        LEGACY,
                        "only the legacy variant is installed"),
                Arguments.of("no legacy table", both(), NFT, "no legacy table is in use"),
                Arguments.of(
                        "more rules in legacy",
                        both().table(IPV4, NFT, "nat", 3).table(IPV4, LEGACY, "nat", 4),
                        LEGACY,
                        "nat holds 3 rules in nft and 4 in legacy"),
                Arguments.of(
                        "more rules in legacy over both families",
                        both().table(IPV4, NFT, "nat", 3)
                                .table(IPV4, LEGACY, "nat", 2)
                                .table(IPV6, LEGACY, "nat", 2),
                        LEGACY,
                        "nat holds 3 rules in nft and 4 in legacy"),
                Arguments.of(
                        "more rules in nft",
                        both().table(IPV4, NFT, "nat", 5).table(IPV4, LEGACY, "nat", 4),
                        NFT,
                        "nat holds 5 rules in nft and 4 in legacy"),
                Arguments.of(
                        "as many in both",
                        both().table(IPV4, NFT, "nat", 4).table(IPV4, LEGACY, "nat", 4),
                        NFT,
                        "nat holds 4 rules in nft and 4 in legacy"),
                Arguments.of(
                        "a legacy table without rules",
                        both().table(IPV4, LEGACY, "nat", 0),
                        NFT,
                        "nat holds 0 rules in nft and 0 in legacy"));
    }

    private static PaperNode generic(String version) {
        return new PaperNode().programs("iptables-save", "iptables-restore").answers("iptables --version", version);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("nodes")
    void theNodeDecides(String name, PaperNode node, Variant expected, String reason) {
        Probe probe = on(node).probe();
        assertThat(probe.backend()).as(name).isEqualTo(expected.backend());
        assertThat(probe.reason()).isEqualTo(reason);
    }

    @ParameterizedTest
    @ValueSource(strings = {"KUBE-IPTABLES-HINT", "KUBE-KUBELET-CANARY"})
    void kubeletsHintBeatsTheCount(String hint) {
        for (Variant variant : Variant.values()) {
            for (var family : Set.of(IPV4, IPV6)) {
                PaperNode node = both().table(IPV4, variant.other(), "nat", 100)
                        .table(IPV4, LEGACY, "filter", 1)
                        .table(family, variant, "mangle", 0, "PREROUTING", hint);
                Probe probe = on(node).probe();
                assertThat(probe.backend()).isEqualTo(variant.backend());
                assertThat(probe.reason()).isEqualTo("kubelet's chain " + hint + " is in table mangle");
            }
        }
    }

    @Test
    void aHintInBothMeansNft() {
        PaperNode node = both().table(IPV4, LEGACY, "mangle", 0, "KUBE-IPTABLES-HINT")
                .table(IPV4, NFT, "mangle", 0, "KUBE-KUBELET-CANARY");
        assertThat(on(node).probe().backend()).isEqualTo(Backend.IPTABLES_NFT);
    }

    @Test
    void chainsOfSimilarNamesAreNoHint() {
        PaperNode node = both().table(IPV4, LEGACY, "mangle", 0, "KUBE-IPTABLES-HINT-2", "X-KUBE-KUBELET-CANARY");
        assertThat(on(node).probe().reason()).startsWith("nat holds");
    }

    @Test
    void legacyToolsAreAskedAboutListedTablesOnly() {
        PaperNode node = both().table(IPV4, LEGACY, "nat", 1);
        on(node).probe();
        assertThat(node.calls().stream().filter(call -> call.contains("legacy")))
                .containsExactly("iptables-legacy-save -t nat");

        PaperNode mangleOnly = both().table(IPV6, LEGACY, "mangle", 0);
        on(mangleOnly).probe();
        assertThat(mangleOnly.calls().stream().filter(call -> call.contains("legacy")))
                .containsExactly("ip6tables-legacy-save -t mangle");
    }

    @Test
    void aNodeWithoutLegacyTablesCostsNoCall() {
        PaperNode node = both();
        IptablesDataplane dataplane = on(node);
        for (int i = 0; i < 50; i++) {
            assertThat(dataplane.probe().backend()).isEqualTo(Backend.IPTABLES_NFT);
        }
        assertThat(node.calls()).isEmpty();
    }

    @Test
    void itIsAskedAgainWhenLegacyTablesComeOrGo() {
        PaperNode node = both();
        IptablesDataplane dataplane = on(node);
        assertThat(dataplane.probe().backend()).isEqualTo(Backend.IPTABLES_NFT);
        node.table(IPV4, LEGACY, "nat", 9);
        assertThat(dataplane.probe().backend()).isEqualTo(Backend.IPTABLES_LEGACY);
        node.noFile(Variant.tableNames(IPV4));
        assertThat(dataplane.probe().backend()).isEqualTo(Backend.IPTABLES_NFT);
    }

    @Test
    void withLegacyTablesItIsAskedAgainNowAndThen() {
        PaperNode node = both().table(IPV4, LEGACY, "nat", 1);
        IptablesDataplane dataplane = on(node);
        assertThat(dataplane.probe().backend()).isEqualTo(Backend.IPTABLES_LEGACY);
        node.answers("iptables-nft-save -t mangle", ":KUBE-IPTABLES-HINT - [0:0]\n");
        node.forget();
        int quiet = 0;
        while (dataplane.probe().backend() == Backend.IPTABLES_LEGACY) {
            assertThat(node.calls()).isEmpty();
            assertThat(++quiet).as("passes until it was asked again").isLessThan(20);
        }
        assertThat(quiet).isPositive();
    }

    @Test
    void aConfiguredVariantIsNotQuestioned() {
        for (Variant variant : Variant.values()) {
            PaperNode node = both().table(IPV4, LEGACY, "nat", 7).table(IPV4, NFT, "mangle", 0, "KUBE-IPTABLES-HINT");
            Probe probe = new IptablesDataplane(node, node, Optional.of(variant)).probe();
            assertThat(probe.backend()).isEqualTo(variant.backend());
            assertThat(probe.reason()).isEqualTo("configured");
            assertThat(node.calls()).isEmpty();
        }
    }

    @Test
    void aToolThatCouldNotTellItsVersionIsAskedAgain() {
        PaperNode node = generic("").answers("iptables --version", new CommandRunner.TimedOut(Duration.ZERO));
        IptablesDataplane dataplane = on(node);
        dataplane.probe();
        node.answers("iptables --version", "iptables v1.8.9 (nf_tables)\n");
        assertThat(new VariantDetector(new IptablesTools(node), node).detect().variant())
                .isEqualTo(NFT);
        node.file(Variant.tableNames(IPV4), "filter\n");
        assertThat(dataplane.probe().backend()).isEqualTo(Backend.IPTABLES_NFT);
    }

    @Test
    void withoutTheRightNothingIsPossibleAndNothingIsRun() {
        PaperNode node = both().file("/proc/self/status", "CapInh:\t00\nCapEff:\t000001ffffffefff\nCapBnd:\t00\n");
        Probe probe = on(node).probe();
        assertThat(probe.impossible()).containsOnlyKeys(IPV4, IPV6).allSatisfy((family, failure) -> {
            assertThat(failure.code()).isEqualTo(FailureCode.NOT_PERMITTED);
            assertThat(failure.oneLine()).contains("CAP_NET_ADMIN", "run as root");
        });
        assertThat(node.calls()).isEmpty();
        node.file("/proc/self/status", PaperNode.CAPABLE);
        assertThat(on(node).probe().impossible()).isEmpty();
    }

    @Test
    void ipv6IsImpossibleWithoutItsFileOrByItsSysctlOrWithoutItsTool() {
        PaperNode node = both().noFile("/proc/net/if_inet6");
        assertThat(on(node).probe().impossible())
                .containsOnlyKeys(IPV6)
                .allSatisfy((family, failure) -> assertThat(failure.message()).contains("/proc/net/if_inet6"));
        PaperNode off = both().file("/proc/sys/net/ipv6/conf/all/disable_ipv6", "1\n");
        assertThat(on(off).probe().impossible())
                .containsOnlyKeys(IPV6)
                .allSatisfy((family, failure) -> assertThat(failure.message()).contains("disable_ipv6 is 1"));
        PaperNode on = both().file("/proc/sys/net/ipv6/conf/all/disable_ipv6", "0\n");
        assertThat(on(on).probe().impossible()).isEmpty();
        PaperNode tool = new PaperNode().programs("iptables-nft-save", "iptables-nft-restore");
        assertThat(on(tool).probe().impossible()).containsOnlyKeys(IPV6).allSatisfy((family, failure) -> {
            assertThat(failure.code()).isEqualTo(FailureCode.TOOL_MISSING);
            assertThat(failure.oneLine()).contains("ip6tables-nft-save", "install the package iptables");
        });
    }

    private static final CommandRunner.NotStarted EAGAIN = new CommandRunner.NotStarted(
            "Cannot run program: Exec failed, error: 11 (Resource temporarily unavailable)");

    /** A fork that failed once is no node without iptables. */
    @Test
    void aToolThatCannotBeAskedForItsVersionIsNotMissing() {
        PaperNode node = generic("")
                .programs("ip6tables-save", "ip6tables-restore")
                .answers("iptables --version", EAGAIN)
                .answers("ip6tables --version", EAGAIN);
        IptablesDataplane dataplane = on(node);
        assertThat(dataplane.probe().impossible()).containsOnlyKeys(IPV4, IPV6).allSatisfy((family, failure) -> {
            assertThat(failure.code()).isEqualTo(FailureCode.TOOL_NOT_STARTED);
            assertThat(failure.code().isLasting()).isFalse();
        });
        node.answers("iptables --version", "iptables v1.8.9 (legacy)\n")
                .answers("ip6tables --version", "ip6tables v1.8.9 (legacy)\n");
        Probe probe = dataplane.probe();
        assertThat(probe.impossible().values()).noneMatch(failure -> failure.code() == FailureCode.TOOL_NOT_STARTED);
        assertThat(probe.backend()).isEqualTo(Backend.IPTABLES_LEGACY);
    }

    @Test
    void aLookThatFailedDecidesNothing() {
        PaperNode node = both().table(IPV4, LEGACY, "nat", 7)
                .table(IPV4, NFT, "mangle", 0, "KUBE-IPTABLES-HINT")
                .answers("iptables-nft-save -t mangle", EAGAIN);
        IptablesDataplane dataplane = on(node);
        assertThat(dataplane.probe().impossible()).containsOnlyKeys(IPV4, IPV6);
        node.table(IPV4, NFT, "mangle", 0, "KUBE-IPTABLES-HINT");
        Probe sure = dataplane.probe();
        assertThat(sure.impossible()).isEmpty();
        assertThat(sure.backend()).isEqualTo(Backend.IPTABLES_NFT);
    }

    @Test
    void aLookThatFailedIsNoReasonToMoveAndIsRepeated() {
        PaperNode node = both().table(IPV4, LEGACY, "nat", 7).table(IPV4, NFT, "mangle", 0, "KUBE-IPTABLES-HINT");
        IptablesDataplane dataplane = on(node);
        assertThat(dataplane.probe().backend()).isEqualTo(Backend.IPTABLES_NFT);
        for (CommandRunner.Outcome outcome :
                new CommandRunner.Outcome[] {EAGAIN, new CommandRunner.TimedOut(Duration.ofSeconds(30))}) {
            node.answers("iptables-nft-save -t mangle", outcome);
            for (int i = 0; i < 30; i++) {
                Probe probe = dataplane.probe();
                assertThat(probe.backend()).isEqualTo(Backend.IPTABLES_NFT);
                assertThat(probe.impossible()).isEmpty();
            }
        }
        node.answers("iptables-nft-save -t mangle", "");
        assertThat(dataplane.probe().backend()).as("at once, not in ten passes").isEqualTo(Backend.IPTABLES_LEGACY);
    }
}
