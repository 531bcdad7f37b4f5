package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.observe.Conditions;
import net.ipmasq.observe.LineLog;
import net.ipmasq.observe.StatusDocument;
import net.ipmasq.observe.StatusLog;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A text with thousands of mistakes: log, status and conditions show the first hundred and count the rest. */
class ManyFindingsTest {
    @TempDir
    Path stateDir;

    private final ByteArrayOutputStream log = new ByteArrayOutputStream();

    private AgentStatus pass(String text) {
        AgentRig agent = new AgentRig(new InMemoryDataplane(), stateDir);
        BiConsumer<Optional<AgentStatus>, AgentStatus> lines = new StatusLog(
                new LineLog(new PrintStream(log, true, StandardCharsets.UTF_8), false, new SteppingClock()));
        agent.loop().onPass(lines);
        return agent.config(text).pass();
    }

    @Test
    void errors() {
        AgentStatus status = pass("nonMasqueradeCIDRs:\n" + "- 10.0.0.0/8\n".repeat(20) + "- x\n".repeat(3000));
        Map<?, ?> config =
                (Map<?, ?>) StatusDocument.of(status, new Observed(Map.of())).get("config");
        assertThat((List<?>) config.get("problems")).hasSize(100);
        assertThat(config).extracting("omitted").isEqualTo(Map.of("errors", 2900, "warnings", 19));
        assertThat(Conditions.degraded(status).message()).endsWith("(and 2999 more)");
        assertThat(logged("ERROR", " error: ")).isEqualTo(100);
        assertThat(logged("ERROR", "and 2900 errors and 19 warnings more, which are not shown"))
                .isEqualTo(1);
    }

    /** Those of the text and those of this node share the hundred. */
    @Test
    void warnings() {
        AgentStatus status = pass("masqOutBound: true\n" + "x: 1\n" + numbered(3000));
        assertThat(status.inSync()).isTrue();
        Map<?, ?> config =
                (Map<?, ?>) StatusDocument.of(status, new Observed(Map.of())).get("config");
        assertThat((List<?>) config.get("problems")).hasSize(100);
        assertThat(config).extracting("omitted").isEqualTo(Map.of("errors", 0, "warnings", 2901));
        assertThat(logged("WARN", " warning: ")).isEqualTo(100);
        assertThat(logged("WARN", "and 2901 warnings more")).isEqualTo(1);
    }

    private static String numbered(int keys) {
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < keys; i++) {
            text.append("key").append(i).append(": 1\n");
        }
        return text.toString();
    }

    private long logged(String level, String what) {
        return log.toString(StandardCharsets.UTF_8)
                .lines()
                .filter(line -> line.contains(level) && line.contains(what))
                .count();
    }
}
