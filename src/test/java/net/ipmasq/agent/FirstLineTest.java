package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static net.ipmasq.net.IpFamily.IPV6;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.observe.LineLog;
import net.ipmasq.observe.StatusLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The log does not claim more than the kernel holds. */
class FirstLineTest {
    private static final Optional<Failure> BROKEN =
            Optional.of(new Failure(FailureCode.UNREADABLE, "the table nat cannot be read", "read it"));

    @TempDir
    private Path state;

    private final InMemoryDataplane dataplane = new InMemoryDataplane();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private AgentRig agent() {
        AgentRig agent = new AgentRig(dataplane, state);
        PrintStream out = new PrintStream(bytes, true, StandardCharsets.UTF_8);
        agent.loop().onPass(new StatusLog(new LineLog(out, false, Clock.systemUTC())));
        return agent;
    }

    private String log() {
        String text = bytes.toString(StandardCharsets.UTF_8);
        bytes.reset();
        return text;
    }

    @Test
    void oneFamilyWrittenIsNotTheRulesInPlace() {
        dataplane.failReads(IPV4, BROKEN);
        AgentRig agent = agent();
        AgentStatus status = agent.pass();
        assertThat(AgentRig.family(status, IPV6).inSync()).isTrue();
        assertThat(status.node().rulesInPlace()).isEmpty();
        assertThat(log()).contains("ERROR rules are NOT in place").doesNotContain("rules in place");
        dataplane.failReads(IPV4, Optional.empty());
        assertThat(agent.pass().node().rulesInPlace()).isPresent();
    }

    @Test
    void aFamilyThatComesBackIsLoggedAsItsLeavingWas() {
        AgentRig agent = agent();
        agent.pass();
        dataplane.makeImpossible(
                IPV6, Optional.of(new Failure(FailureCode.TABLE_MISSING, "the kernel has no IPv6", "boot with it")));
        log();
        agent.pass();
        assertThat(log()).contains("IPv6 is not managed");
        agent.pass();
        assertThat(log()).isEmpty();
        dataplane.makeImpossible(IPV6, Optional.empty());
        agent.pass();
        assertThat(log()).contains("IPv6 is managed again");
        agent.pass();
        assertThat(log()).isEmpty();
    }
}
