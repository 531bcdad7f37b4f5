package net.ipmasq.observe;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.Settings;
import net.ipmasq.agent.StateStore;
import net.ipmasq.cli.SettingsLookup;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.PodNetwork;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the status of a node says about its pods, and what no one else is told. */
class PodFindingsTest {
    private static final NodeFiles NO_FILES = path -> Optional.empty();

    @TempDir
    Path dir;

    private final List<AgentStatus> passes = new ArrayList<>();

    private AgentStatus status(String config) throws IOException {
        Path file = Files.writeString(dir.resolve("config"), config);
        Settings settings = Settings.of(new SettingsLookup(Map.of(), Map.of()));
        AgentLoop loop = new AgentLoop(new Reconciler(
                new InMemoryDataplane(),
                new FileSource(file, settings.patience()),
                Profiles.of(settings),
                new StateStore(dir.resolve("state")),
                Clock.systemUTC(),
                Instant.now()));
        loop.onPass((before, after) -> passes.add(after));
        return loop.pass();
    }

    private static List<?> problems(AgentStatus status, PodNetwork pods) {
        Map<?, ?> config = (Map<?, ?>) StatusDocument.of(status, new Observed(Map.of()), pods, time -> time)
                .get("config");
        return (List<?>) config.get("problems");
    }

    private static PodNetwork described(String... ranges) {
        return PodFindings.network(Optional.of(Map.of("name", "n1", "podCIDRs", List.of(ranges))), NO_FILES);
    }

    @Test
    void theStatusOfANodeNamesItsOwnRanges() throws IOException {
        AgentStatus status = status("nonMasqueradeCIDRs: [192.168.0.0/16, fc00::/7]\n");
        assertThat(problems(status, PodNetwork.UNKNOWN)).isEmpty();
        assertThat(problems(status, described("192.168.9.0/24", "fd00:9::/64"))).isEmpty();
        assertThat(problems(status, described("10.244.1.0/24", "fd00:9::/64")))
                .singleElement()
                .satisfies(one -> assertThat((Map<?, ?>) one)
                        .extracting("severity", "code", "line")
                        .containsExactly("warning", "pod-range-masqueraded", 0));
    }

    /** An Event is the same on all nodes, so it rests on the outcome, which knows nothing of this node. */
    @Test
    void theOutcomeAndTheConditionsKnowNothingOfIt() throws IOException {
        AgentStatus status = status("nonMasqueradeCIDRs: [192.168.0.0/16]\n");
        assertThat(status.config().outcome().problems()).allMatch(problem -> problem.isNote());
        assertThat(Conditions.degraded(status).status()).isFalse();
        assertThat(passes).hasSize(1);
    }

    @Test
    void theNoteBecomesTheWarningInItsPlace() throws IOException {
        AgentStatus status = status("nonMasqueradeCIDRs: [10.0.0.0/8]\n");
        assertThat(problems(status, PodNetwork.UNKNOWN))
                .singleElement()
                .satisfies(one ->
                        assertThat((Map<?, ?>) one).extracting("severity").isEqualTo("note"));
        assertThat(problems(status, described("10.0.1.0/24", "fd00:9::/64")))
                .singleElement()
                .satisfies(one -> assertThat((Map<?, ?>) one)
                        .extracting("severity", "code", "line")
                        .containsExactly("warning", "family-left-out", 1));
    }

    @Test
    void rangesAreReadAsTheClusterHasThem() {
        assertThat(described("10.244.1.0/24", "fd00::1/64", "10.244.1.7/24", "", "10.0.0.0/33", "x/8", "10.0.0.0")
                        .podCidrs())
                .containsExactly(Cidr.of("10.244.1.0/24"), Cidr.of("fd00::/64"));
        assertThat(PodFindings.network(Optional.of(Map.of("name", "n1", "why", "not known")), NO_FILES))
                .isEqualTo(PodNetwork.UNKNOWN);
        assertThat(PodFindings.network(Optional.empty(), NO_FILES)).isEqualTo(PodNetwork.UNKNOWN);
    }

    @Test
    void forwardingIsReadByFamily() {
        NodeFiles files =
                path -> path.equals("/proc/sys/net/ipv6/conf/all/forwarding") ? Optional.of("1\n") : Optional.of("0\n");
        assertThat(PodFindings.network(Optional.empty(), files).forwards()).containsExactly(IpFamily.IPV6);
    }
}
