package net.ipmasq.agent;

import static net.ipmasq.net.IpFamily.IPV4;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.CachingDataplane;
import net.ipmasq.dataplane.Gates;
import net.ipmasq.dataplane.InMemoryDataplane;
import net.ipmasq.dataplane.NftBackend;
import net.ipmasq.lab.Eventually;
import net.ipmasq.lab.InNetNs;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.netlink.RulesetEvents;
import net.ipmasq.netlink.RulesetGeneration;
import net.ipmasq.rules.ObservedChain.Jump;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The thread that listens, with no schedule at all: whatever is healed, is healed by event. */
@NeedsKernel
class KernelWatchTest {
    private static final int ROUNDS = 20;

    @TempDir
    private Path state;

    /** The system's time, and later when a test wants it to be. */
    private static final class ShiftedClock extends Clock {
        private final Clock base = Clock.systemUTC();
        private volatile Duration shift = Duration.ZERO;

        void advance(Duration by) {
            shift = shift.plus(by);
        }

        @Override
        public Instant instant() {
            return base.instant().plus(shift);
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }

    private final class Watched implements AutoCloseable {
        private final NftBackend.Node node;
        private final ShiftedClock clock = new ShiftedClock();
        private final AgentLoop loop;
        private final KernelWatch watch;
        private final List<String> lines = new CopyOnWriteArrayList<>();

        Watched(NftBackend backend) {
            node = backend.create();
            CachingDataplane caching = new CachingDataplane(node.parts().dataplane(), Gates.FULL_READ, clock);
            loop = new AgentLoop(new Reconciler(
                    caching, new NoFile(), Profiles.named("cce"), new StateStore(state), clock, clock.instant()));
            loop.pass();
            watch = new KernelWatch(loop, caching, kernel(), clock, lines::add).start();
            Eventually.holds(
                    "the pass when listening begins", () -> status().passes().count(), value -> value == 2);
        }

        private KernelWatch.Kernel kernel() {
            return new KernelWatch.Kernel(
                    () -> InNetNs.call(node.ns(), RulesetGeneration::open)::current,
                    () -> InNetNs.call(node.ns(), RulesetEvents::open));
        }

        private AgentStatus status() {
            return loop.status().orElseThrow();
        }

        /** Does damage, waits until it is healed, and returns how long the agent says that took. */
        private Duration healed(Consumer<NftBackend.Node> damage) {
            // as after a long time, so that spacing does not count
            clock.advance(Debounce.QUIET);
            long passes = status().passes().count();
            damage.accept(node);
            Eventually.holds(
                    "healed",
                    this::status,
                    status -> status.inSync()
                            && status.node()
                                    .lastHeal()
                                    .filter(heal -> heal.pass() > passes)
                                    .isPresent());
            return status().node().lastHeal().flatMap(AgentStatus.Heal::took).orElseThrow();
        }

        @Override
        public void close() {
            watch.close();
            node.close();
        }
    }

    private record NoFile() implements ConfigSource {
        @Override
        public SourceReading<Content> read() {
            return new SourceReading.Absent<>(false);
        }

        @Override
        public String where() {
            return "a test";
        }
    }

    private static Map<String, Consumer<NftBackend.Node>> damages() {
        Map<String, Consumer<NftBackend.Node>> damages = new LinkedHashMap<>();
        damages.put("chain flushed", node -> node.parts().hand().flush(IPV4));
        damages.put("jump deleted", node -> node.parts().hand().removeJumps(IPV4));
        damages.put("jump twice", node -> node.parts().hand().addJump(IPV4, Jump.Kind.CANONICAL));
        damages.put("bare jump", node -> node.parts().hand().addJump(IPV4, Jump.Kind.VARIANT));
        damages.put("rule deleted", node -> node.parts().hand().removeRule(IPV4, 1));
        damages.put("rule added", node -> node.parts().hand().addStrangeRule(IPV4));
        damages.put("first rule last", node -> node.parts().hand().firstToEnd(IPV4));
        damages.put("nft flush ruleset", node -> node.ns().sh("nft flush ruleset"));
        return damages;
    }

    @ParameterizedTest
    @EnumSource
    void everyDamageIsHealedWithoutASchedule(NftBackend backend) {
        try (Watched on = new Watched(backend)) {
            damages().forEach((name, damage) -> {
                List<Duration> took = new ArrayList<>();
                for (int i = 0; i < ROUNDS; i++) {
                    took.add(on.healed(damage));
                }
                took.sort(null);
                System.out.printf(
                        "%s: word of '%s' to healed: p50 %d ms, p99 %d ms (%d rounds)%n",
                        backend,
                        name,
                        took.get(ROUNDS / 2).toMillis(),
                        took.getLast().toMillis(),
                        ROUNDS);
            });
            assertThat(on.status().passes().byTrigger()).containsOnlyKeys(Cause.Trigger.START, Cause.Trigger.EVENT);
            long passes = on.status().passes().count();
            assertThat(passes)
                    .as("one pass per damage, and none for our own writes")
                    .isEqualTo(2L + damages().size() * ROUNDS);
        }
    }

    /** What a pass throws, or one of those who listen to it, must not be the end of the watch. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aListenerThatThrowsIsSaidOnceAndTheNextChangeIsFollowed(boolean memory) {
        try (Watched on = new Watched(NftBackend.NFTABLES)) {
            AtomicInteger left = new AtomicInteger(memory ? 2 : 1);
            on.loop.onPass((before, after) -> {
                if (left.getAndDecrement() > 0) {
                    if (memory) {
                        throw new OutOfMemoryError("unable to create native thread");
                    }
                    throw new IllegalStateException("a listener");
                }
            });
            on.node.parts().hand().flush(IPV4);
            Eventually.holds("thrown, then not", () -> left.get(), value -> value < 0);
            Eventually.holds("said", () -> on.lines.size(), value -> value == 2);
            on.healed(node -> node.parts().hand().flush(IPV4));
            assertThat(on.lines).hasSize(2);
            assertThat(on.lines.getFirst()).contains(memory ? "native thread" : "a listener");
            assertThat(on.lines.getLast()).isEqualTo("the kernel reports changes again");
        }
    }

    /** As a native image throws for what was not built into it: neither an exception nor an error of the linker. */
    @Test
    void anErrorWhileListeningBeginsIsSaidToo() {
        CachingDataplane caching =
                new CachingDataplane(new InMemoryDataplane(Backend.IPTABLES_NFT), Gates.FULL_READ, Clock.systemUTC());
        AgentLoop loop = new AgentLoop(new Reconciler(
                caching, new NoFile(), Profiles.named("cce"), new StateStore(state), Clock.systemUTC(), Instant.now()));
        loop.pass();
        List<String> lines = new CopyOnWriteArrayList<>();
        KernelWatch.Kernel none = new KernelWatch.Kernel(() -> OptionalLong::empty, () -> {
            throw new AssertionError("not built into this image");
        });
        try (KernelWatch watch = new KernelWatch(loop, caching, none, Clock.systemUTC(), lines::add).start()) {
            assertThat(watch).isNotNull();
            Eventually.holds("said", () -> lines, value -> !value.isEmpty());
            assertThat(loop.notFollowed().get("rules")).contains("not built into this image");
        }
        assertThat(lines).hasSize(1);
        assertThat(lines.getFirst()).contains("not followed", "not built into this image", "tried again");
    }

    @Test
    void aKernelThatCannotBeListenedToIsSaidOnce() {
        CachingDataplane caching =
                new CachingDataplane(new InMemoryDataplane(Backend.IPTABLES_NFT), Gates.FULL_READ, Clock.systemUTC());
        AgentLoop loop = new AgentLoop(new Reconciler(
                caching, new NoFile(), Profiles.named("cce"), new StateStore(state), Clock.systemUTC(), Instant.now()));
        loop.pass();
        List<String> lines = new CopyOnWriteArrayList<>();
        KernelWatch.Kernel none = new KernelWatch.Kernel(() -> OptionalLong::empty, () -> {
            throw new IOException("setsockopt: not permitted");
        });
        try (KernelWatch watch = new KernelWatch(loop, caching, none, Clock.systemUTC(), lines::add).start()) {
            assertThat(watch).isNotNull();
            Eventually.holds("said", () -> lines, value -> !value.isEmpty());
        }
        assertThat(lines)
                .containsExactly("the kernel does not report changes (setsockopt: not permitted): rules are checked"
                        + " once per interval only");
        assertThat(loop.pass().inSync()).isTrue();
        assertThat(loop.status().orElseThrow().issue()).isEmpty();
    }
}
