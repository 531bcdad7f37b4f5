package net.ipmasq.observe;

import static net.ipmasq.json.JsonText.object;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.AgentStatus.FamilyStatus;
import net.ipmasq.agent.DesiredState;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problem;
import net.ipmasq.config.Problems;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.net.GoDuration;
import net.ipmasq.net.IpFamily;
import net.ipmasq.policy.PodNetwork;
import org.jspecify.annotations.Nullable;

/** {@code /status}: the status as a document. */
public final class StatusDocument {
    private StatusDocument() {}

    /** The document of a node about whose pods nothing is known. */
    public static Map<String, Object> of(AgentStatus status, Observed counters) {
        return of(status, counters, PodNetwork.UNKNOWN, time -> time);
    }

    /**
     * The document of an agent that has run for long.
     *
     * @param counters what the kernel shows with counters; families that it lacks are shown without rules
     * @param pods what the findings for this node go by
     * @param shown makes times of day of the status' times
     */
    public static Map<String, Object> of(
            AgentStatus status, Observed counters, PodNetwork pods, UnaryOperator<Instant> shown) {
        Map<String, Object> document = new LinkedHashMap<>();
        document.put("version", status.version());
        document.put("running", true);
        document.put("profile", status.config().profile());
        document.put("started", shown.apply(status.started()).toString());
        document.put(
                "rulesInPlaceMillis",
                status.node().rulesInPlace().map(Duration::toMillis).orElse(-1L));
        document.put("inSync", status.inSync());
        document.put("backend", backend(status.node().backend(), status.node().backendReason()));
        document.put("config", config(status, pods));
        Map<String, Object> families = new LinkedHashMap<>();
        for (IpFamily family : IpFamily.values()) {
            FamilyStatus one = status.families().get(family);
            if (one != null) {
                families.put(family.key(), family(one, counters.families().get(family), shown));
            }
        }
        document.put("families", families);
        document.put("passes", passes(status.passes(), shown));
        status.node().lastHeal().ifPresent(heal -> document.put("lastHeal", heal(heal, shown)));
        document.put("failures", new TreeMap<>(status.node().failureTotals()));
        document.put(
                "conditions",
                Conditions.of(status).stream()
                        .map(condition -> object(
                                "type", condition.type(),
                                "status", condition.status() ? "True" : "False",
                                "reason", condition.reason(),
                                "message", condition.message()))
                        .toList());
        return document;
    }

    private static Map<String, Object> config(AgentStatus status, PodNetwork pods) {
        Problems found = status.config().findings();
        List<Problem> problems = status.config()
                .inForce()
                .map(inForce -> PodFindings.judge(found.shown(), inForce, status.managed(), pods))
                .orElse(found.shown());
        Map<String, Object> config = object(
                "source", status.config().source(),
                "state", state(status.config().outcome()),
                "inForce", status.config().inForce().map(DesiredState::origin),
                "revision", status.node().ruleset().revision(),
                "chain", status.node().ruleset().chain(),
                "problems", JsonDocuments.problems(problems),
                "omitted", JsonDocuments.omitted(found));
        putWhy(config, status.config().outcome());
        if (status.config().inForce().orElse(null) instanceof DesiredState.Configured configured) {
            config.put("effective", JsonDocuments.effective(configured.config()));
        }
        return config;
    }

    static Map<String, Object> backend(Backend backend, String reason) {
        return object("name", backend.key(), "reason", reason);
    }

    /** {@code unknown}, {@code absent}, {@code loaded} or {@code invalid}. */
    static String state(ConfigOutcome outcome) {
        return switch (outcome) {
            case ConfigOutcome.Unknown unknown -> "unknown";
            case ConfigOutcome.Absent absent -> "absent";
            case ConfigOutcome.Loaded loaded -> "loaded";
            case ConfigOutcome.Invalid invalid -> "invalid";
        };
    }

    /** The reason why the configuration is unknown, if it is. */
    static void putWhy(Map<String, Object> config, ConfigOutcome outcome) {
        if (outcome instanceof ConfigOutcome.Unknown unknown) {
            config.put("why", unknown.why());
        }
    }

    private static Map<String, Object> family(
            FamilyStatus status, @Nullable FamilyState kernel, UnaryOperator<Instant> shown) {
        Map<String, Long> totals = new TreeMap<>();
        status.driftTotals().forEach((kind, count) -> totals.put(kind.key(), count));
        return object(
                "managed", status.managed(),
                "why", status.why().isEmpty() ? null : status.why(),
                "inSync", status.managed() ? status.inSync() : null,
                "lastInSync", status.lastInSync().map(shown),
                "lastChange", status.lastChange().map(shown),
                "driftTotals", totals,
                "failure", status.failure().map(StatusDocument::failure),
                "shadows", JsonDocuments.shadows(status.shadows()),
                "rules", rules(kernel));
    }

    static Map<String, Object> failure(Failure failure) {
        return object(
                "code", failure.code().key(),
                "message", failure.message(),
                "fix", failure.fix());
    }

    /** The rules of our chain with their counters; null where the kernel shows none. */
    static @Nullable List<Map<String, Object>> rules(@Nullable FamilyState kernel) {
        if (!(kernel instanceof FamilyState.Present present)) {
            return null;
        }
        return present.chain().lines().stream()
                .map(line -> object(
                        "rule", line.text(),
                        "packets", line.counters().packets(),
                        "bytes", line.counters().bytes()))
                .toList();
    }

    /** {@code millis} is left out for damage that a pass found without an event from the kernel. */
    private static Map<String, Object> heal(AgentStatus.Heal heal, UnaryOperator<Instant> shown) {
        return object(
                "at", shown.apply(heal.at()).toString(),
                "millis", heal.took().map(Duration::toMillis),
                "by",
                        heal.by().stream()
                                .map(author -> object("process", author.process(), "pid", author.pid()))
                                .toList());
    }

    private static Map<String, Object> passes(AgentStatus.Passes passes, UnaryOperator<Instant> shown) {
        Map<String, Long> triggers = new TreeMap<>();
        passes.byTrigger().forEach((trigger, count) -> triggers.put(trigger.key(), count));
        return object(
                "count", passes.count(),
                "byTrigger", triggers,
                "interval", GoDuration.format(passes.interval()),
                "last", passes.last().map(shown),
                "lastSuccess", passes.lastSuccess().map(shown),
                "lastDurationMillis", passes.lastDuration().toMillis(),
                "failuresInARow", passes.failuresInARow());
    }
}
