package net.ipmasq.observe;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.MeterBinder;
import jakarta.inject.Inject;
import jakarta.inject.Singleton;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import java.util.stream.LongStream;
import net.ipmasq.agent.AgentLoop;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.AgentStatus.FamilyStatus;
import net.ipmasq.agent.Cause;
import net.ipmasq.agent.SteadyClock;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Counters;

/** {@code /q/metrics}: everything is read from the status, packet counters from the kernel at scrape. */
@Singleton
public class AgentMeters implements MeterBinder {
    private static final Duration SCRAPE_AGE = Duration.ofSeconds(15);
    private static final String PREFIX = "ip.masq.agent.";

    private static final Duration[] BUCKETS = LongStream.of(10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000)
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);

    private final AgentLoop loop;
    private final KernelCounters counters;
    private final SteadyClock clock;

    /** A list of the configuration and what its rules do. */
    private record Listed(String list, String action) {}

    private static final List<Listed> LISTS = List.of(
            new Listed("masqueradeCIDRs", "masquerade"),
            new Listed("linkLocal", "keep"),
            new Listed("nonMasqueradeCIDRs", "keep"),
            new Listed("masqOutBound", "masquerade"));

    /** Registers meters that have these tags and take their value from the newest status; 0 before the first. */
    private record Meters(MeterRegistry registry, AgentLoop loop, Tags tags) {
        Meters with(String... more) {
            return new Meters(registry, loop, tags.and(more));
        }

        void gauge(String name, String description, ToDoubleFunction<AgentStatus> value) {
            Gauge.builder(PREFIX + name, loop, source -> now(source, value))
                    .tags(tags)
                    .description(description)
                    .register(registry);
        }

        void counter(String name, String description, ToDoubleFunction<AgentStatus> value) {
            FunctionCounter.builder(PREFIX + name, loop, source -> now(source, value))
                    .tags(tags)
                    .description(description)
                    .register(registry);
        }

        Timer timer(String name, String description) {
            return Timer.builder(PREFIX + name)
                    .description(description)
                    .serviceLevelObjectives(BUCKETS)
                    .register(registry);
        }

        private static double now(AgentLoop loop, ToDoubleFunction<AgentStatus> value) {
            return loop.status().map(value::applyAsDouble).orElse(0.0);
        }
    }

    @Inject
    AgentMeters(AgentLoop loop, KernelCounters counters, SteadyClock clock) {
        this.loop = loop;
        this.counters = counters;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        Meters meters = new Meters(registry, loop, Tags.empty());
        passes(meters);
        heals(meters);
        meters.gauge(
                "config.valid",
                "1 unless the configuration is invalid",
                status -> status.config().outcome() instanceof ConfigOutcome.Invalid ? 0 : 1);
        meters.gauge(
                "degraded",
                "1 while the agent is Degraded",
                status -> flag(Conditions.degraded(status).status()));
        for (FailureCode code : FailureCode.values()) {
            meters.with("code", code.key())
                    .counter(
                            "sync.failures",
                            "Failed passes of a family by cause",
                            status -> status.node().failureTotals().getOrDefault(code.key(), 0L));
        }
        for (IpFamily family : IpFamily.values()) {
            family(meters.with("family", family.key()), family);
        }
        info(registry);
    }

    private void passes(Meters meters) {
        Timer timer = meters.timer("sync.duration", "Time of a pass");
        // the first pass ran before there was a registry
        loop.status().ifPresent(status -> timer.record(status.passes().lastDuration()));
        loop.onPass((before, after) -> {
            boolean ran = before.map(status -> status.passes().count()).orElse(0L)
                    != after.passes().count();
            if (ran) {
                timer.record(after.passes().lastDuration());
            }
        });
        for (Cause.Trigger trigger : Cause.Trigger.values()) {
            meters.with("trigger", trigger.key())
                    .counter(
                            "passes",
                            "Passes by trigger",
                            status -> status.passes().byTrigger().getOrDefault(trigger, 0L));
        }
        meters.gauge(
                "last.success.timestamp.seconds",
                "When all managed families were last in sync, in seconds since 1970",
                status -> status.passes()
                        .lastSuccess()
                        .map(at -> clock.shown(at).toEpochMilli() / 1000.0)
                        .orElse(0.0));
        meters.gauge(
                "rules.in.place.seconds",
                "Time from process start until the kernel first held the rules; -1 before",
                status -> status.node()
                        .rulesInPlace()
                        .map(took -> took.toMillis() / 1000.0)
                        .orElse(-1.0));
    }

    private void heals(Meters meters) {
        Timer timer = meters.timer("heal.duration", "Time from the report of a change by others until it was repaired");
        loop.onPass((before, after) -> {
            Optional<AgentStatus.Heal> last = after.node().lastHeal();
            if (!last.equals(before.flatMap(status -> status.node().lastHeal()))) {
                last.flatMap(AgentStatus.Heal::took).ifPresent(timer::record);
            }
        });
    }

    private void family(Meters meters, IpFamily family) {
        meters.gauge("managed", "1 if rules are kept", of(family, one -> flag(one.managed())));
        meters.gauge("in.sync", "1 if rules are right", of(family, one -> flag(one.inSync())));
        for (Drift.Kind kind : Drift.Kind.values()) {
            meters.with("kind", kind.key())
                    .counter(
                            "drift",
                            "Differences made by others that were healed",
                            of(family, one -> one.driftTotals().getOrDefault(kind, 0L)));
        }
        for (String kind : List.of("shadowed-by", "may-shadow")) {
            ToDoubleFunction<FamilyStatus> shadows = one -> one.shadows().stream()
                    .filter(shadow -> shadow.kind().equals(kind))
                    .mapToLong(Shadow::count)
                    .sum();
            meters.with("kind", kind)
                    .gauge("shadowed.by", "Rules of others that can overrule ours", of(family, shadows));
        }
        for (String action : List.of("keep", "masquerade")) {
            meters.with("action", action).gauge("rules", "Rules in force", status -> rules(status, family, action));
        }
        for (Listed listed : LISTS) {
            Meters ofList = meters.with("list", listed.list(), "action", listed.action());
            ofList.counter("packets", "Packets matched", status -> count(status, family, listed, Counters::packets));
            ofList.counter("bytes", "Bytes matched", status -> count(status, family, listed, Counters::bytes));
        }
    }

    private void info(MeterRegistry registry) {
        MultiGauge info = MultiGauge.builder(PREFIX + "info")
                .description("Always 1; labels show what is in force")
                .register(registry);
        loop.status().ifPresent(status -> info(info, status));
        loop.onPass((before, after) -> info(info, after));
    }

    private static void info(MultiGauge info, AgentStatus status) {
        Tags tags = Tags.of(
                "version", status.version(),
                "profile", status.config().profile(),
                "backend", status.node().backend().key(),
                "revision", status.node().ruleset().revision(),
                "in_force", status.config().inForce().map(one -> one.origin()).orElse("none"));
        info.register(List.of(MultiGauge.Row.of(tags, 1)), true);
    }

    private static int flag(boolean value) {
        return value ? 1 : 0;
    }

    private static ToDoubleFunction<AgentStatus> of(IpFamily family, ToDoubleFunction<FamilyStatus> value) {
        return status -> {
            FamilyStatus one = status.families().get(family);
            return one == null ? 0 : value.applyAsDouble(one);
        };
    }

    private static double rules(AgentStatus status, IpFamily family, String action) {
        FamilyRules rules = status.node().ruleset().families().get(family);
        return rules == null
                ? 0
                : rules.ordered().stream()
                        .filter(rule -> rule.action().equals(action))
                        .count();
    }

    private double count(AgentStatus status, IpFamily family, Listed listed, ToLongFunction<Counters> value) {
        FamilyState shown = counters.lastKnown(status, family, SCRAPE_AGE).orElse(null);
        if (!(shown instanceof FamilyState.Present present)) {
            return 0;
        }
        FamilyRules rules = status.node().ruleset().families().get(family);
        ObservedChain chain = rules == null ? present.chain() : present.chain().attributed(rules);
        return chain.lines().stream()
                .filter(line -> line.rule()
                        .filter(rule -> rule.list().equals(listed.list()))
                        .isPresent())
                .mapToLong(line -> value.applyAsLong(line.counters()))
                .sum();
    }
}
