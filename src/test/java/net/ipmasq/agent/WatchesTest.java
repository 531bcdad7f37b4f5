package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import net.ipmasq.dataplane.InMemoryDataplane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A watch that cannot start is shown, and the agent goes on. */
class WatchesTest {
    @TempDir
    private Path state;

    private final List<String> lines = new ArrayList<>();

    private AgentLoop loop() {
        return new AgentRig(new InMemoryDataplane(), Profiles.named("cce"), state).loop();
    }

    /** No more threads, a fault of ours, and what a native image throws for what was not built into it. */
    static Stream<Runnable> starters() {
        return Stream.of(
                () -> {
                    throw new OutOfMemoryError("why");
                },
                () -> {
                    throw new IllegalStateException("why");
                },
                () -> {
                    throw new NotInThisImage("why");
                });
    }

    private static final class NotInThisImage extends Error {
        private static final long serialVersionUID = 1;

        NotInThisImage(String message) {
            super(message);
        }
    }

    @ParameterizedTest
    @MethodSource("starters")
    void whateverItThrowsIsInStatusAndLog(Runnable starter) {
        AgentLoop loop = loop();
        new Watches(loop, lines::add).start("configuration", "the configuration file", starter);
        assertThat(loop.notFollowed()).containsOnlyKeys("configuration");
        assertThat(loop.notFollowed().get("configuration"))
                .contains("the configuration file cannot be watched", "why", "once per interval");
        assertThat(lines).containsExactly(loop.notFollowed().get("configuration"));
        assertThat(loop.pass().inSync()).isTrue();
    }

    @Test
    void nothingIsSaidOfOneThatStarts() {
        AgentLoop loop = loop();
        List<String> started = new ArrayList<>();
        new Watches(loop, lines::add).start("rules", "rules in the kernel", () -> started.add("yes"));
        assertThat(started).hasSize(1);
        assertThat(lines).isEmpty();
        assertThat(loop.notFollowed()).isEmpty();
    }
}
