package net.ipmasq.agent;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.net.IpFamily;
import net.ipmasq.profile.ProviderProfile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A source that does not answer, or a text that takes long to judge, keeps no pass from healing. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SlowSourceTest {
    private static final ProviderProfile PROFILE = Profiles.named("cce");

    @TempDir
    Path stateDir;

    private final InMemoryDataplane kernel = new InMemoryDataplane();
    private final Gated<SourceReading<ConfigSource.Content>> config = new Gated<>(text("masqOutBound: true"));
    private final Gated<SourceReading<ProfileSource.Selected>> profile =
            new Gated<>(new SourceReading.Present<>(new ProfileSource.Selected(PROFILE, Optional.empty())));

    /** Says what it was told to say, and can be made to stop half-way. */
    private static final class Gated<T> {
        private final ConcurrentLinkedQueue<T> answers = new ConcurrentLinkedQueue<>();
        private volatile T last;
        private volatile CountDownLatch gate = new CountDownLatch(0);
        private volatile CountDownLatch entered = new CountDownLatch(1);

        Gated(T first) {
            last = first;
        }

        void close() {
            entered = new CountDownLatch(1);
            gate = new CountDownLatch(1);
        }

        T say() {
            entered.countDown();
            try {
                gate.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            T next = answers.poll();
            last = next == null ? last : next;
            return last;
        }
    }

    private static SourceReading<ConfigSource.Content> text(String yaml) {
        return new SourceReading.Present<>(new ConfigSource.Text(yaml.getBytes(StandardCharsets.UTF_8)));
    }

    private AgentLoop loop() {
        ConfigSource source = new ConfigSource() {
            @Override
            public SourceReading<Content> read() {
                return config.say();
            }

            @Override
            public String where() {
                return "a test";
            }
        };
        SteppingClock clock = new SteppingClock();
        return new AgentLoop(new Reconciler(
                kernel, source, profile::say, PROFILE, new StateStore(stateDir), clock, clock.instant()));
    }

    private void flush() {
        kernel.edit(IpFamily.IPV4, table -> table.withBase(List.of()));
    }

    private enum Healing {
        SCHEDULE(loop -> loop.pass()),
        EVENT(loop -> {
            loop.passIf(() -> Optional.of(new Cause(Cause.Trigger.EVENT, Optional.empty(), List.of())));
            return loop.status().orElseThrow();
        });

        private final Function<AgentLoop, AgentStatus> pass;

        Healing(Function<AgentLoop, AgentStatus> pass) {
            this.pass = pass;
        }
    }

    @ParameterizedTest
    @EnumSource(Healing.class)
    void healingGoesOnWhileTheSourceDoesNotAnswer(Healing healing) throws Exception {
        healsWhileStuck(healing, config);
    }

    @ParameterizedTest
    @EnumSource(Healing.class)
    void healingGoesOnWhileTheProfileDoesNotAnswer(Healing healing) throws Exception {
        healsWhileStuck(healing, profile);
    }

    private void healsWhileStuck(Healing healing, Gated<?> source) throws Exception {
        AgentLoop loop = loop();
        assertThat(loop.pass().inSync()).isTrue();
        config.answers.add(text("masqOutBound: false"));
        source.close();
        Thread follower = Thread.ofVirtual().start(loop::passIfNews);
        source.entered.await();
        flush();
        AgentStatus healed = healing.pass.apply(loop);
        assertThat(source.gate.getCount()).isEqualTo(1);
        assertThat(AgentRig.family(healed, IpFamily.IPV4).written()).isPositive();
        assertThat(healed.inSync()).isTrue();
        assertThat(outBound(healed)).isTrue();
        source.gate.countDown();
        follower.join();
        assertThat(outBound(loop.status().orElseThrow())).isFalse();
    }

    /** The first of two followers is stuck with an older answer; the second has a newer one. */
    @Test
    void anOlderAnswerNeverReplacesANewerOne() throws Exception {
        AgentLoop loop = loop();
        loop.pass();
        config.answers.add(text("resyncInterval: 10s"));
        config.answers.add(text("resyncInterval: 20s"));
        config.close();
        Thread first = Thread.ofVirtual().start(loop::passIfNews);
        config.entered.await();
        Thread second = Thread.ofVirtual().start(loop::passIfNews);
        flush();
        assertThat(loop.pass().passes().interval()).hasSeconds(60);
        config.gate.countDown();
        first.join();
        second.join();
        assertThat(loop.status().orElseThrow().passes().interval()).hasSeconds(20);
        assertThat(loop.pass().passes().interval()).hasSeconds(20);
    }

    @Test
    void whatIsNewIsWorkedOnOnceOnly() {
        AgentLoop loop = loop();
        loop.pass();
        loop.passIfNews();
        assertThat(loop.status().orElseThrow().passes().count()).isEqualTo(1);
        config.answers.add(text("masqOutBound: [broken"));
        loop.passIfNews();
        loop.passIfNews();
        assertThat(loop.status().orElseThrow().passes().count()).isEqualTo(2);
        assertThat(loop.status().orElseThrow().config().outcome()).isInstanceOf(ConfigOutcome.Invalid.class);
        assertThat(outBound(loop.status().orElseThrow())).isTrue();
    }

    private static boolean outBound(AgentStatus status) {
        return status.config().inForce().orElseThrow() instanceof DesiredState.Configured configured
                && configured.config().masqueradeRest(IpFamily.IPV4).value();
    }
}
