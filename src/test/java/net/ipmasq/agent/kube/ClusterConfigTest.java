package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.Optional;
import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.ConfigSource.Version;
import net.ipmasq.agent.FileSource;
import net.ipmasq.agent.SourceReading;
import net.ipmasq.agent.StateStore;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.ConfigReader;
import net.ipmasq.profile.ConfigMapRef;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The API's word, and when the mounted file stands in for it. */
class ClusterConfigTest {
    private static final ConfigMapRef REF = new ConfigMapRef("kube-system", "cce-ip-masq-agent");
    private static final Version VERSION = new Version("uid", "5");
    private static final Instant SAVED = Instant.parse("2026-01-01T12:00:00Z");
    private static final String OLD = "masqOutBound: false\n";
    private static final String NEW = "masqOutBound: true\n";

    @TempDir
    private Path directory;

    private final ConfigMapCache watched = new ConfigMapCache("the ConfigMap");

    private Path file() {
        return directory.resolve("mounted");
    }

    private ClusterConfig withFile() {
        FileSource file = new FileSource(file(), Duration.ofSeconds(10));
        return new ClusterConfig(watched, REF, Optional.of(file), new StateStore(directory.resolve("state")));
    }

    private ClusterConfig apiOnly() {
        return new ClusterConfig(watched, REF, Optional.empty(), new StateStore(directory.resolve("state")));
    }

    private void mount(String text, Duration afterSaving) throws IOException {
        Files.writeString(file(), text);
        Files.setLastModifiedTime(file(), FileTime.from(SAVED.plus(afterSaving)));
    }

    /** What was in force before, saved at {@link #SAVED}. */
    private void before(String text, Optional<String> resourceVersion) throws IOException {
        Path state = directory.resolve("state");
        new StateStore(state)
                .save(new StateStore.LastGood(Optional.of(text), "name: cce\n", "C", "b", resourceVersion));
        Files.setLastModifiedTime(state.resolve("last-good.json"), FileTime.from(SAVED));
    }

    private void answered(Map<String, String> data) {
        watched.answered(new SourceReading.Present<>(new ConfigMapData(data, Map.of(), VERSION)));
    }

    private static SourceReading<ConfigSource.Content> fromFile(String text) {
        return new SourceReading.Present<>(new ConfigSource.Text(text.getBytes(StandardCharsets.UTF_8)));
    }

    private static SourceReading<ConfigSource.Content> fromApi(String text) {
        return new SourceReading.Present<>(
                new ConfigSource.Text(text.getBytes(StandardCharsets.UTF_8), Optional.of(VERSION)));
    }

    private static ConfigSource.Unusable unusable(ConfigSource source) {
        if (source.read() instanceof SourceReading.Present<ConfigSource.Content>(ConfigSource.Unusable unusable)) {
            return unusable;
        }
        throw new AssertionError(source.read());
    }

    @Test
    void nothingIsKnownUntilTheApiHasAnswered() {
        ClusterConfig source = apiOnly();
        assertThat(source.hasAnswered()).isFalse();
        assertThat(source.read()).isInstanceOf(SourceReading.Unknown.class);
        watched.failed("the API server is out of reach: refused");
        assertThat(source.read()).isEqualTo(new SourceReading.Unknown<>("the API server is out of reach: refused"));
        watched.answered(new SourceReading.Absent<>(true));
        assertThat(source.read()).isInstanceOf(SourceReading.Absent.class);
        assertThat(source.hasAnswered()).isTrue();
        answered(Map.of("config", NEW));
        assertThat(source.read()).isEqualTo(fromApi(NEW));
    }

    @Test
    void whatWasSaidStaysSaidWhenTheApiGoesAway() {
        answered(Map.of("config", NEW));
        watched.failed("gone");
        assertThat(apiOnly().read()).isEqualTo(fromApi(NEW));
    }

    @Test
    void aMissingFileIsNotAbsent() throws IOException {
        assertThat(withFile().read()).isInstanceOf(SourceReading.Unknown.class);
        before(OLD, Optional.of("5"));
        assertThat(withFile().read()).isInstanceOf(SourceReading.Unknown.class);
        Files.createDirectory(file());
        assertThat(withFile().read()).isInstanceOf(SourceReading.Unknown.class);
    }

    @Test
    void theFileCountsWhereNothingWasInForceBefore() throws IOException {
        mount(NEW, Duration.ZERO);
        assertThat(withFile().read()).isEqualTo(fromFile(NEW));
        assertThat(apiOnly().read()).isInstanceOf(SourceReading.Unknown.class);
    }

    @Test
    void theFileCountsWhereWhatWasInForceCameFromAFile() throws IOException {
        mount(NEW, Duration.ofDays(-1));
        before(OLD, Optional.empty());
        assertThat(withFile().read()).isEqualTo(fromFile(NEW));
    }

    @Test
    void theSameTextCountsHoweverOldItIs() throws IOException {
        mount(OLD, Duration.ofDays(-1));
        before(OLD, Optional.of("5"));
        assertThat(withFile().read()).isEqualTo(fromFile(OLD));
    }

    @ParameterizedTest
    @CsvSource({"-86400, false", "0, false", "1, false", "119, false", "120, false", "121, true", "86400, true"})
    void afterAnAnswerOfTheApiOnlyAFileThatIsSurelyNewerCounts(long seconds, boolean counts) throws IOException {
        mount(NEW, Duration.ofSeconds(seconds));
        before(OLD, Optional.of("5"));
        if (counts) {
            assertThat(withFile().read()).isEqualTo(fromFile(NEW));
        } else {
            assertThat(withFile().read())
                    .isInstanceOfSatisfying(
                            SourceReading.Unknown.class,
                            unknown -> assertThat(unknown.why()).contains(file().toString(), "may be older"));
        }
    }

    @Test
    void onceTheApiHasAnsweredTheFileNeverCounts() throws IOException {
        mount(OLD, Duration.ofDays(1));
        ClusterConfig source = withFile();
        assertThat(source.read()).isEqualTo(fromFile(OLD));
        answered(Map.of("config", NEW));
        assertThat(source.read()).isEqualTo(fromApi(NEW));
        watched.failed("gone");
        mount(OLD, Duration.ofDays(2));
        assertThat(source.read()).isEqualTo(fromApi(NEW));
        watched.answered(new SourceReading.Absent<>(true));
        assertThat(source.read()).isInstanceOf(SourceReading.Absent.class);
    }

    @Test
    void dataWithoutTheKeySaysHowToPutItRight() {
        answered(Map.of("cofnig", NEW));
        ConfigSource.Unusable unusable = unusable(apiOnly());
        assertThat(unusable.version()).contains(VERSION);
        assertThat(unusable.problems())
                .singleElement()
                .satisfies(problem -> assertThat(problem.oneLine())
                        .contains("cofnig", "kubectl create configmap cce-ip-masq-agent -n kube-system"));
    }

    /** kubectl create configmap --from-file puts a file that is no UTF-8 into binaryData, and data stays empty. */
    @Test
    void bytesThatAreNoTextAreNotAnEmptyText() {
        byte[] bytes = "# \u00fc\n".getBytes(StandardCharsets.ISO_8859_1);
        watched.answered(new SourceReading.Present<>(ConfigMapData.of(new ConfigMapBuilder()
                .withNewMetadata()
                .withUid("uid")
                .withResourceVersion("5")
                .endMetadata()
                .addToBinaryData("config", Base64.getEncoder().encodeToString(bytes))
                .build())));
        assertThat(apiOnly().read())
                .isEqualTo(new SourceReading.Present<>(new ConfigSource.Text(bytes, Optional.of(VERSION))));
        assertThat(ConfigReader.read(bytes)).isInstanceOf(ConfigOutcome.Invalid.class);
        watched.answered(new SourceReading.Present<>(new ConfigMapData(Map.of(), Map.of("other", bytes), VERSION)));
        assertThat(unusable(apiOnly())).isNotNull();
    }

    @Test
    void anObjectWithoutDataIsAnEmptyText() {
        answered(Map.of());
        assertThat(apiOnly().read()).isEqualTo(fromApi(""));
        answered(Map.of("config", ""));
        assertThat(apiOnly().read()).isEqualTo(fromApi(""));
    }

    @Test
    void itSaysWhereItLooks() {
        assertThat(apiOnly().where()).isEqualTo("ConfigMap kube-system/cce-ip-masq-agent");
        assertThat(withFile().where()).endsWith("(or file " + file() + ")");
    }
}
