package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Optional;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.profile.BuiltInProfiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** That the API said "there is none" is remembered, so that an older file does not count after a restart. */
class AbsentByApiTest {
    @TempDir
    Path dir;

    private Optional<String> storedAfter(SourceReading<ConfigSource.Content> reading) {
        ConfigSource source = new ConfigSource() {
            @Override
            public SourceReading<Content> read() {
                return reading;
            }

            @Override
            public String where() {
                return "the test";
            }
        };
        StateStore store = new StateStore(dir);
        SteppingClock clock = new SteppingClock();
        new Reconciler(
                        new InMemoryDataplane(),
                        source,
                        BuiltInProfiles.profile("cce").orElseThrow(),
                        store,
                        clock,
                        clock.instant())
                .pass();
        return store.load().orElseThrow().resourceVersion();
    }

    @Test
    void absentByTheApiIsStoredAsSuch() {
        assertThat(storedAfter(new SourceReading.Absent<>(true))).contains(StateStore.NO_OBJECT);
    }

    @Test
    void aMissingFileIsNot() {
        assertThat(storedAfter(new SourceReading.Absent<>(false))).isEmpty();
    }
}
