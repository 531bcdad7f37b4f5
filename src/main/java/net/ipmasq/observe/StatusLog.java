package net.ipmasq.observe;

import static net.ipmasq.json.JsonText.object;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.AgentStatus.FamilyStatus;
import net.ipmasq.agent.DesiredState;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problem;
import net.ipmasq.config.Problems;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;

/** Logs what changed between two statuses: one line per change, none for a pass that found everything in order. */
public final class StatusLog implements BiConsumer<Optional<AgentStatus>, AgentStatus> {
    private final LineLog log;
    private final ForeignRulesLog others;

    public StatusLog(LineLog log) {
        this.log = log;
        this.others = new ForeignRulesLog(log);
    }

    @Override
    public void accept(Optional<AgentStatus> before, AgentStatus after) {
        if (before.isEmpty()) {
            first(after);
        }
        boolean sameConfig = before.map(status -> status.config().outcome())
                .equals(Optional.of(after.config().outcome()));
        if (!sameConfig) {
            config(after);
        }
        boolean samePass = before.map(status -> status.passes().count())
                .equals(Optional.of(after.passes().count()));
        for (IpFamily family : IpFamily.values()) {
            FamilyStatus now = after.families().get(family);
            if (now != null && !samePass) {
                family(family, before.map(status -> status.families().get(family)), now, before.isEmpty(), after);
            }
        }
        issue(before.map(AgentStatus::issue).orElse(Map.of()), after.issue());
        if (before.isPresent() && before.get().node().backend() != after.node().backend()) {
            log.info("backend is now " + after.node().backend().key() + ": "
                    + after.node().backendReason());
        }
    }

    private void first(AgentStatus status) {
        String rules = status.node()
                .rulesInPlace()
                .map(took -> "rules in place " + took.toMillis() + " ms after process start")
                .orElse("rules are NOT in place");
        log.log(
                status.node().rulesInPlace().isPresent() ? LineLog.Level.INFO : LineLog.Level.ERROR,
                rules,
                object(
                        "version", status.version(),
                        "profile", status.config().profile(),
                        "backend", status.node().backend().key(),
                        "chain", status.node().ruleset().chain(),
                        "revision", status.node().ruleset().revision(),
                        "inForce",
                                status.config()
                                        .inForce()
                                        .map(DesiredState::origin)
                                        .orElse("none"),
                        "rules", counts(status)));
    }

    private static String counts(AgentStatus status) {
        Map<String, Integer> counts = new TreeMap<>();
        status.node()
                .ruleset()
                .families()
                .forEach((family, rules) ->
                        counts.put(family.key(), rules.ordered().size()));
        return counts.toString();
    }

    private void config(AgentStatus status) {
        Problems problems = status.config().findings();
        switch (status.config().outcome()) {
            case ConfigOutcome.Loaded loaded ->
                log.log(
                        LineLog.Level.INFO,
                        loaded.config().isEmpty()
                                ? "no configuration; profile in use"
                                : "configuration from " + status.config().source() + " is in force",
                        object("revision", status.node().ruleset().revision()));
            case ConfigOutcome.Absent absent -> log.info(status.config().source() + " does not exist: profile in use");
            case ConfigOutcome.Unknown unknown -> log.warn("configuration unknown, nothing changes: " + unknown.why());
            case ConfigOutcome.Invalid invalid ->
                log.error("configuration from " + status.config().source() + " is not valid and not used; in force: "
                        + status.config().inForce().map(DesiredState::origin).orElse("nothing"));
        }
        for (Problem problem : problems.shown()) {
            log.log(level(problem), problem.oneLine(), Map.of());
        }
        if (!problems.omitted().isEmpty()) {
            log.log(
                    problems.omitted().count(Problem.Severity.ERROR) > 0 ? LineLog.Level.ERROR : LineLog.Level.WARN,
                    problems.omitted().text(),
                    Map.of());
        }
    }

    private static LineLog.Level level(Problem problem) {
        return switch (problem.severity()) {
            case ERROR -> LineLog.Level.ERROR;
            case WARNING -> LineLog.Level.WARN;
            case NOTE -> LineLog.Level.INFO;
        };
    }

    private void family(
            IpFamily family, Optional<FamilyStatus> before, FamilyStatus now, boolean first, AgentStatus status) {
        if (now.written() > 0 && !now.drift().isEmpty()) {
            healed(family, now, status);
        } else if (now.written() > 0 && !first) {
            log.log(
                    LineLog.Level.INFO,
                    family.label() + " rules written",
                    object(
                            "bytes",
                            now.written(),
                            "revision",
                            status.node().ruleset().revision()));
        }
        Optional<Failure> failedBefore = before.flatMap(FamilyStatus::failure);
        if (now.failure().isPresent() && !now.failure().equals(failedBefore)) {
            log.error(family.label() + ": " + now.failure().get().oneLine());
        } else if (now.failure().isEmpty() && failedBefore.isPresent() && now.managed()) {
            log.info(family.label() + " is in order again");
        }
        boolean wasManaged = before.map(FamilyStatus::managed).orElse(true);
        if (!now.managed() && wasManaged) {
            log.info(family.label() + " is not managed: " + now.why());
        } else if (now.managed() && !wasManaged) {
            log.info(family.label() + " is managed again");
        }
        others.changed(family, before.map(FamilyStatus::shadows).orElse(List.of()), now.shadows());
    }

    private void healed(IpFamily family, FamilyStatus now, AgentStatus status) {
        Map<String, Integer> kinds = new TreeMap<>();
        for (Drift.Difference difference : now.drift()) {
            kinds.merge(difference.kind().key(), 1, Integer::sum);
        }
        log.log(
                now.inSync() ? LineLog.Level.WARN : LineLog.Level.ERROR,
                family.label() + " drift " + (now.inSync() ? "healed" : "found but not healed") + ": " + kinds
                        + status.healedNow().map(StatusLog::how).orElse(""),
                object("bytes", now.written()));
    }

    /** For example {@code , changed by iptables[4711], 40 ms ago}. */
    private static String how(AgentStatus.Heal heal) {
        String by = heal.by().stream().map(Object::toString).collect(Collectors.joining(", "));
        return (by.isEmpty() ? "" : ", changed by " + by)
                + heal.took().map(took -> ", " + took.toMillis() + " ms ago").orElse("");
    }

    private void issue(Map<String, String> before, Map<String, String> after) {
        after.forEach((code, message) -> {
            if (!message.equals(before.get(code))) {
                log.log(LineLog.Level.WARN, message, object("code", code));
            }
        });
        before.keySet().stream()
                .filter(code -> !after.containsKey(code))
                .forEach(code -> log.info("no longer: " + code));
    }
}
