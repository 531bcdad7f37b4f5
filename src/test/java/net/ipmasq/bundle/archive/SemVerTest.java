package net.ipmasq.bundle.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.zafarkhaja.semver.Version;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What bundles rely on in the library: it takes versions of semver.org only, in the order defined there. */
class SemVerTest {
    @Test
    void theExampleOfTheSpecification() {
        List<Version> ordered = Stream.of(
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
                .map(Version::parse)
                .toList();
        List<Version> shuffled = new ArrayList<>(ordered);
        Collections.reverse(shuffled);
        shuffled.sort(Version::compareToIgnoreBuildMetadata);
        assertThat(shuffled).isEqualTo(ordered);
    }

    @Test
    void buildMetadataIsIgnored() {
        assertThat(Version.parse("1.0.0+a").compareToIgnoreBuildMetadata(Version.parse("1.0.0+b")))
                .isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "1", "1.0", "v1.0.0", "1.0.0.0", "01.0.0", "1.0.0-", "1.0.0 ", "latest"})
    void anythingElseIsNone(String text) {
        assertThat(Version.isValid(text)).isFalse();
        assertThat(Version.tryParse(text)).isEmpty();
    }
}
