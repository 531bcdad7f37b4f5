package net.ipmasq.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.ConfigSource;
import net.ipmasq.agent.ConfigSource.Version;
import net.ipmasq.agent.Profiles;
import net.ipmasq.agent.Reconciler;
import net.ipmasq.agent.SourceReading;
import net.ipmasq.agent.StateStore;
import net.ipmasq.agent.SteppingClock;
import net.ipmasq.config.Problem;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.profile.ConfigMapRef;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the agent decides to say to the person who edits, from real passes over a source in the test's hand. */
class EventPolicyTest {
    private static final ProviderProfile PROFILE = Profiles.named("cce");
    private static final ConfigMapRef ABOUT = PROFILE.configMap();
    private static final String GOOD = "nonMasqueradeCIDRs: [10.0.0.0/8]\n";
    private static final String BAD = "nonMasqueradeCIDRs: [10.1.2.3/8]\n";
    private static final String ODD = GOOD + "surplus: 1\n";

    @TempDir
    private Path directory;

    private final SteppingClock clock = new SteppingClock();
    private final List<ConfigEvent> written = new ArrayList<>();
    private int times;
    private SourceReading<ConfigSource.Content> reading = new SourceReading.Unknown<>("not yet");
    private AgentLoop loop;

    @BeforeEach
    void agent() {
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
        loop = new AgentLoop(new Reconciler(
                new InMemoryDataplane(), source, PROFILE, new StateStore(directory), clock, clock.instant()));
        loop.onPass(new EventPolicy(ABOUT, clock, answers -> {
            times++;
            written.addAll(answers);
        }));
    }

    /** A pass over one state of the ConfigMap, and the reasons of what was written after it. */
    private List<String> after(String text, int resourceVersion) {
        return after(new SourceReading.Present<>(new ConfigSource.Text(
                text.getBytes(StandardCharsets.UTF_8),
                Optional.of(new Version("uid", String.valueOf(resourceVersion))))));
    }

    private List<String> after(SourceReading<ConfigSource.Content> now) {
        written.clear();
        reading = now;
        loop.pass();
        return written.stream().map(ConfigEvent::reason).toList();
    }

    @Test
    void aBadTextIsSaidOncePerState() {
        assertThat(after(BAD, 1)).containsExactly("ConfigInvalid");
        assertThat(written.getFirst().note()).contains("line 1, column 22", "write 10.0.0.0/8");
        assertThat(written.getFirst().version()).isEqualTo(new Version("uid", "1"));
        for (int pass = 0; pass < 5; pass++) {
            assertThat(after(BAD, 1)).isEmpty();
        }
        assertThat(after(BAD + "masqOutBound: perhaps\n", 2)).containsExactly("ConfigInvalid");
    }

    @Test
    void twoAgentsSayTheSame() {
        after(BAD, 7);
        ConfigEvent first = written.getFirst();
        agent();
        after(BAD, 7);
        assertThat(written).containsExactly(first);
    }

    @Test
    void recoveryIsSaidOnlyAfterAFault() {
        assertThat(after(GOOD, 1)).isEmpty();
        assertThat(after(GOOD + "masqOutBound: true\n", 2)).isEmpty();
        after(BAD, 3);
        assertThat(after(new SourceReading.Unknown<>("out of reach"))).isEmpty();
        assertThat(after(GOOD, 4)).containsExactly("ConfigRecovered");
        assertThat(after(GOOD, 4)).isEmpty();
        assertThat(after(GOOD, 5)).isEmpty();
    }

    @Test
    void aDeletedMistakeIsNotRecoveredFrom() {
        after(BAD, 1);
        assertThat(after(new SourceReading.Absent<>(false))).isEmpty();
        assertThat(after(GOOD, 2)).isEmpty();
    }

    @Test
    void warningsAreSaidWithARecoveryOrAlone() {
        assertThat(after(ODD, 1)).containsExactly("ConfigWarning");
        assertThat(written.getFirst().note()).contains("surplus");
        assertThat(after(ODD, 1)).isEmpty();
        after(BAD, 2);
        assertThat(after(ODD, 3)).containsExactly("ConfigRecovered", "ConfigWarning");
    }

    /** Many a single-stack cluster has such a text, and nothing is wrong there. */
    @Test
    void aNoteIsSaidToNobody() {
        String noted = "nonMasqueradeCIDRs: [10.0.0.0/8]\n";
        assertThat(after(noted, 1)).isEmpty();
        assertThat(loop.status().orElseThrow().config().outcome().problems())
                .singleElement()
                .matches(Problem::isNote);
        assertThat(after(noted + "surplus: 1\n", 2)).containsExactly("ConfigWarning");
        assertThat(written.getFirst().note()).doesNotContain("note", "more");
        assertThat(after(noted + "cidrLimit: 1\nmasqueradeCIDRs: [10.1.0.0/16]\n", 3))
                .containsExactly("ConfigInvalid");
        assertThat(written.getFirst().note()).doesNotContain("note", "more");
    }

    @Test
    void anObjectWithoutTheKeyIsAFault() {
        ConfigMapCache watched = new ConfigMapCache("it");
        watched.answered(new SourceReading.Present<>(new ConfigMapData(
                java.util.Map.of("ip-masq-agent.yaml", GOOD), java.util.Map.of(), new Version("uid", "1"))));
        ConfigSource source = new ClusterConfig(watched, ABOUT, Optional.empty(), new StateStore(directory));
        assertThat(after(source.read())).containsExactly("ConfigInvalid");
        assertThat(written.getFirst().note()).contains("ip-masq-agent.yaml", "kubectl create configmap");
    }

    @Test
    void nothingIsSaidOfWhatTheApiDidNotSay() {
        assertThat(after(new SourceReading.Unknown<>("silent"))).isEmpty();
        for (String text : List.of(BAD, GOOD, ODD)) {
            assertThat(after(new SourceReading.Present<>(new ConfigSource.Text(text.getBytes(StandardCharsets.UTF_8)))))
                    .isEmpty();
        }
        assertThat(after(new SourceReading.Absent<>(false))).isEmpty();
    }

    /** A hundred states in five minutes, such as two tools that fight over the ConfigMap. */
    @Test
    void flappingMakesNoStorm() {
        for (int state = 0; state < 100; state++) {
            clock.advance(Duration.ofSeconds(3));
            after(state % 2 == 0 ? BAD : GOOD, state);
        }
        assertThat(times).isEqualTo(10);
        // ten minutes after the first ten, there is room again
        clock.advance(Duration.ofMinutes(11));
        assertThat(after(BAD, 1000)).containsExactly("ConfigInvalid");
    }
}
