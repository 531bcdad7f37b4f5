package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import net.ipmasq.agent.StateStore.LastGood;
import net.ipmasq.dataplane.InMemoryDataplane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** State directories as the version before wrote them, in {@code src/test/resources/state}: an upgrade keeps what is in force. */
class EarlierStateTest {
    private final InMemoryDataplane dataplane = new InMemoryDataplane();

    /** A copy: an agent writes into its directory. */
    @TempDir
    private Path directory;

    private Path state(String name) throws IOException, URISyntaxException {
        Path written =
                Path.of(EarlierStateTest.class.getResource("/state/" + name).toURI());
        Files.copy(written.resolve("last-good.json"), directory.resolve("last-good.json"));
        return directory;
    }

    private LastGood load(String name) throws IOException, URISyntaxException {
        StateStore store = new StateStore(state(name));
        LastGood loaded = store.load().orElseThrow();
        assertThat(store.issue()).isEmpty();
        return loaded;
    }

    @Test
    void theStateOfAConfigMapIsRead() throws IOException, URISyntaxException {
        LastGood state = load("configmap");
        assertThat(state.configText())
                .hasValue("nonMasqueradeCIDRs:\n  - 10.0.0.0/8 # \"ü\"\n  - fd00::/8\nmasqLinkLocal: true\n"
                        + "resyncInterval: 30s\n");
        assertThat(state.profile()).startsWith("name: \"cce\"\n");
        assertThat(state.chain()).isEqualTo("IP-MASQ-AGENT");
        assertThat(state.backend()).isEqualTo("iptables-nft");
        assertThat(state.resourceVersion()).hasValue("4711");
    }

    @Test
    void theStateOfAFileIsRead() throws IOException, URISyntaxException {
        LastGood state = load("file");
        assertThat(state.configText()).hasValue("nonMasqueradeCIDRs: [192.168.0.0/16]\n");
        assertThat(state.chain()).isEqualTo("IP-MASQ");
        assertThat(state.backend()).isEqualTo("iptables-legacy");
        assertThat(state.resourceVersion()).isEmpty();
    }

    @Test
    void theStateWithoutAConfigMapIsRead() throws IOException, URISyntaxException {
        LastGood state = load("no-object");
        assertThat(state.configText()).isEqualTo(Optional.empty());
        assertThat(state.resourceVersion()).hasValue(StateStore.NO_OBJECT);
    }

    @Test
    void anAgentWhoseSourceDoesNotAnswerKeepsWhatWasInForce() throws IOException, URISyntaxException {
        AgentRig agent = new AgentRig(dataplane, state("configmap")).unknown();
        AgentStatus status = agent.pass();
        assertThat(status.config().inForce().orElseThrow().origin()).isEqualTo("last-good");
        assertThat(status.passes().interval()).isEqualTo(Duration.ofSeconds(30));
        assertThat(status.issue()).doesNotContainKey("StateDirectory");
        assertThat(agent.rules(IPV4, AgentRig.CHAIN)).anyMatch(rule -> rule.contains("10.0.0.0/8"));
    }

    /** The text in force is the same, so the file is what this version writes too. */
    @Test
    void thisVersionWritesTheSameBytes() throws IOException, URISyntaxException {
        for (String name : List.of("configmap", "file", "no-object")) {
            Path written =
                    Path.of(EarlierStateTest.class.getResource("/state/" + name).toURI());
            LastGood loaded = new StateStore(written).load().orElseThrow();
            Path fresh = directory.resolve(name);
            new StateStore(fresh).save(loaded);
            assertThat(fresh.resolve("last-good.json")).hasSameBinaryContentAs(written.resolve("last-good.json"));
        }
    }
}
