package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.dataplane.InMemoryDataplane;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Whoever is told of a status and throws harms neither the pass nor those who are told after it. */
class LoopListenersTest {
    @TempDir
    private Path dir;

    @Test
    void whatAListenerThrowsIsTroubleAndTheOthersAreTold() {
        SteppingClock clock = new SteppingClock();
        AgentLoop loop = new AgentLoop(new Reconciler(
                new InMemoryDataplane(),
                new FileSource(dir.resolve("config"), java.time.Duration.ofMillis(250)),
                Profiles.named("cce"),
                new StateStore(dir.resolve("state")),
                clock,
                clock.instant()));
        List<Throwable> problems =
                new ArrayList<>(List.of(new IllegalStateException("odd"), new OutOfMemoryError("for the test")));
        List<AgentStatus> told = new ArrayList<>();
        boolean[] fails = {true};
        loop.onPass((before, after) -> {
            if (fails[0]) {
                switch (problems.getFirst()) {
                    case RuntimeException problem -> throw problem;
                    case Error problem -> throw problem;
                    default -> throw new AssertionError();
                }
            }
        });
        loop.onPass((before, after) -> told.add(after));
        for (Throwable problem : List.copyOf(problems)) {
            fails[0] = true;
            told.clear();
            assertThatThrownBy(loop::pass).isSameAs(problem);
            assertThat(loop.status().orElseThrow().issue()).containsKey("StatusNotTaken");
            assertThat(told.getFirst().issue()).isEmpty();
            assertThat(told.getLast().issue().get("StatusNotTaken")).contains(problem.getMessage());
            // said once while it lasts, and a report is taken all the same
            told.clear();
            loop.report("Other", Optional.of("text"));
            assertThat(told).hasSize(1);
            assertThat(told.getFirst().issue()).containsOnlyKeys("StatusNotTaken", "Other");
            fails[0] = false;
            loop.report("Other", Optional.empty());
            assertThat(told.getLast().issue()).isEmpty();
            assertThat(loop.pass().issue()).isEmpty();
            problems.removeFirst();
        }
    }
}
