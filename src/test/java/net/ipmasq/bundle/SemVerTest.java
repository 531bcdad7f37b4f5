package net.ipmasq.bundle;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The order of versions is that of semver.org. */
class SemVerTest {
    @Test
    void theExampleOfTheSpecification() {
        List<SemVer> ordered = Stream.of(
                        "1.0.0-alpha",
                        "1.0.0-alpha.1",
                        "1.0.0-alpha.beta",
                        "1.0.0-beta",
                        "1.0.0-beta.2",
                        "1.0.0-beta.11",
                        "1.0.0-rc.1",
                        "1.0.0",
                        "1.0.1-SNAPSHOT",
                        "1.0.1",
                        "1.2.0",
                        "1.10.0",
                        "2.0.0")
                .map(text -> SemVer.of(text).orElseThrow())
                .toList();
        List<SemVer> shuffled = new java.util.ArrayList<>(ordered);
        Collections.reverse(shuffled);
        Collections.sort(shuffled);
        assertThat(shuffled).isEqualTo(ordered);
    }

    @Test
    void buildMetadataCountsForNothing() {
        assertThat(SemVer.of("1.0.0+a").orElseThrow())
                .isEqualByComparingTo(SemVer.of("1.0.0+b").orElseThrow());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.0", "v1.0.0", "1.0.0.0", "01.0.0", "1.0.0-", "1.0.0 ", "latest"})
    void anythingElseIsNone(String text) {
        assertThat(SemVer.of(text)).isEmpty();
    }
}
