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
import java.util.function.ToDoubleFunction;
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
import net.ipmasq.rules.Rule;

/** {@code /q/metrics}: everything is read from the status, packet counters from the kernel at scrape. */
@Singleton
public class AgentMeters implements MeterBinder {
    private static final Duration SCRAPE_AGE = Duration.ofSeconds(15);
    private static final String PREFIX = "ip.masq.agent.";

    private static final Duration[] BUCKETS = {
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10)
    };

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

    @Inject
    AgentMeters(AgentLoop loop, KernelCounters counters, SteadyClock clock) {
        this.loop = loop;
        this.counters = counters;
        this.clock = clock;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        passes(registry);
        heals(registry);
        gauge(registry, "config.valid", Tags.empty(), AgentMeters::valid, "1 unless the configuration is invalid");
        gauge(
                registry,
                "degraded",
                Tags.empty(),
                status -> Conditions.degraded(status).status() ? 1 : 0,
                "1 while the agent is Degraded");
        for (FailureCode code : FailureCode.values()) {
            counter(
                    registry,
                    "sync.failures",
                    Tags.of("code", code.key()),
                    status -> status.node().failureTotals().getOrDefault(code.key(), 0L),
                    "Failed passes of a family by cause");
        }
        for (IpFamily family : IpFamily.values()) {
            family(registry, family);
        }
        info(registry);
    }

    private void passes(MeterRegistry registry) {
        Timer timer = Timer.builder(PREFIX + "sync.duration")
                .description("Time of a pass")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
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
            counter(
                    registry,
                    "passes",
                    Tags.of("trigger", trigger.key()),
                    status -> status.passes().byTrigger().getOrDefault(trigger, 0L),
                    "Passes by what brought them about");
        }
        gauge(
                registry,
                "last.success.timestamp.seconds",
                Tags.empty(),
                status -> status.passes()
                        .lastSuccess()
                        .map(at -> clock.shown(at).toEpochMilli() / 1000.0)
                        .orElse(0.0),
                "When all managed families were last in sync, in seconds since 1970");
        gauge(
                registry,
                "rules.in.place.seconds",
                Tags.empty(),
                status -> status.node()
                        .rulesInPlace()
                        .map(took -> took.toMillis() / 1000.0)
                        .orElse(-1.0),
                "Time from process start until the kernel first held the rules; -1 before");
    }

    private void heals(MeterRegistry registry) {
        Timer timer = Timer.builder(PREFIX + "heal.duration")
                .description("Time from word of a change by others until it was put right")
                .serviceLevelObjectives(BUCKETS)
                .register(registry);
        loop.onPass((before, after) -> {
            if (!after.node()
                    .lastHeal()
                    .equals(before.flatMap(status -> status.node().lastHeal()))) {
                after.node().lastHeal().flatMap(AgentStatus.Heal::took).ifPresent(timer::record);
            }
        });
    }

    private void family(MeterRegistry registry, IpFamily family) {
        Tags tags = Tags.of("family", family.key());
        gauge(registry, "managed", tags, status -> flag(status, family, FamilyStatus::managed), "1 if rules are kept");
        gauge(registry, "in.sync", tags, status -> flag(status, family, FamilyStatus::inSync), "1 if rules are right");
        for (Drift.Kind kind : Drift.Kind.values()) {
            counter(
                    registry,
                    "drift",
                    tags.and("kind", kind.key()),
                    status -> of(status, family, one -> one.driftTotals().getOrDefault(kind, 0L)),
                    "Differences made by others that were healed");
        }
        for (String kind : List.of("shadowed-by", "may-shadow")) {
            gauge(
                    registry,
                    "shadowed.by",
                    tags.and("kind", kind),
                    status -> of(
                            status,
                            family,
                            one -> one.shadows().stream()
                                    .filter(shadow -> shadow.kind().equals(kind))
                                    .mapToLong(Shadow::count)
                                    .sum()),
                    "Rules of others that can overrule ours");
        }
        for (String action : List.of("keep", "masquerade")) {
            gauge(
                    registry,
                    "rules",
                    tags.and("action", action),
                    status -> rules(status, family, action),
                    "Rules in force");
        }
        for (Listed listed : LISTS) {
            Tags listTags = tags.and("list", listed.list(), "action", listed.action());
            counter(registry, "packets", listTags, status -> count(status, family, listed, false), "Packets matched");
            counter(registry, "bytes", listTags, status -> count(status, family, listed, true), "Bytes matched");
        }
    }

    private void info(MeterRegistry registry) {
        MultiGauge info = MultiGauge.builder(PREFIX + "info")
                .description("Always 1; labels say what is in force")
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

    private static double valid(AgentStatus status) {
        return status.config().outcome() instanceof ConfigOutcome.Invalid ? 0 : 1;
    }

    private static double flag(
            AgentStatus status, IpFamily family, java.util.function.Predicate<FamilyStatus> predicate) {
        return of(status, family, one -> predicate.test(one) ? 1 : 0);
    }

    private static double of(AgentStatus status, IpFamily family, ToDoubleFunction<FamilyStatus> value) {
        FamilyStatus one = status.families().get(family);
        return one == null ? 0 : value.applyAsDouble(one);
    }

    private static double rules(AgentStatus status, IpFamily family, String action) {
        var rules = status.node().ruleset().families().get(family);
        return rules == null
                ? 0
                : rules.ordered().stream()
                        .filter(rule -> rule.action().equals(action))
                        .count();
    }

    private double count(AgentStatus status, IpFamily family, Listed listed, boolean bytes) {
        FamilyState shown = counters.lastKnown(status, family, SCRAPE_AGE).orElse(null);
        if (!(shown instanceof FamilyState.Present present)) {
            return 0;
        }
        FamilyRules rules = status.node().ruleset().families().get(family);
        double sum = 0;
        for (ObservedChain.Line line :
                (rules == null ? present.chain() : present.chain().attributed(rules)).lines()) {
            Rule rule = line.rule().orElse(null);
            if (rule != null && rule.list().equals(listed.list())) {
                sum += bytes ? line.counters().bytes() : line.counters().packets();
            }
        }
        return sum;
    }

    private void gauge(
            MeterRegistry registry, String name, Tags tags, ToDoubleFunction<AgentStatus> value, String description) {
        Gauge.builder(PREFIX + name, loop, source -> now(source, value))
                .tags(tags)
                .description(description)
                .register(registry);
    }

    private void counter(
            MeterRegistry registry, String name, Tags tags, ToDoubleFunction<AgentStatus> value, String description) {
        FunctionCounter.builder(PREFIX + name, loop, source -> now(source, value))
                .tags(tags)
                .description(description)
                .register(registry);
    }

    private static double now(AgentLoop loop, ToDoubleFunction<AgentStatus> value) {
        return loop.status().map(value::applyAsDouble).orElse(0.0);
    }
}
