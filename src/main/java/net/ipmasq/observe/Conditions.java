package net.ipmasq.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import net.ipmasq.agent.AgentStatus;
import net.ipmasq.agent.DesiredState;
import net.ipmasq.config.ConfigOutcome;
import net.ipmasq.config.Problem;

/** The state of the agent as conditions: Available, Degraded, Progressing, Configured. */
public final class Conditions {
    private Conditions() {}

    /**
     * One condition.
     *
     * @param type Available, Degraded, Progressing or Configured
     * @param reason machine-readable, in CamelCase
     * @param message for people
     */
    public record Condition(String type, boolean status, String reason, String message) {}

    /** All four, in that order. */
    public static List<Condition> of(AgentStatus status) {
        return List.of(available(status), degraded(status), progressing(status), configured(status));
    }

    /** The Degraded condition alone. */
    public static Condition degraded(AgentStatus status) {
        List<Condition> reasons = reasons(status);
        return reasons.isEmpty()
                ? new Condition("Degraded", false, "AsExpected", "nothing is wrong")
                : degraded(
                        reasons.getFirst().reason(),
                        reasons.stream().map(Condition::message).collect(Collectors.joining("; ")));
    }

    private static Condition degraded(String reason, String message) {
        return new Condition("Degraded", true, reason, message);
    }

    private static List<Condition> reasons(AgentStatus status) {
        List<Condition> reasons = new ArrayList<>();
        status.families()
                .forEach((family, one) -> one.failure()
                        .ifPresent(failure -> reasons.add(degraded(
                                camelCase(failure.code().key()),
                                family.label() + ": " + failure.message() + "; " + failure.fix()))));
        if (status.config().outcome() instanceof ConfigOutcome.Invalid invalid) {
            reasons.add(degraded("ConfigInvalid", invalidMessage(invalid, status)));
        }
        if (status.config().outcome() instanceof ConfigOutcome.Unknown unknown) {
            reasons.add(degraded("ConfigUnknown", unknown.why()));
        }
        status.issue().forEach((code, message) -> reasons.add(degraded(code, message)));
        return reasons;
    }

    private static String invalidMessage(ConfigOutcome.Invalid invalid, AgentStatus status) {
        List<Problem> errors =
                invalid.problems().stream().filter(Problem::isError).toList();
        int others = errors.size() - 1 + invalid.findings().omitted().count(Problem.Severity.ERROR);
        String more = others == 0 ? "" : " (and " + others + " more)";
        return "the configuration is not valid, " + inForce(status) + " stays in force: "
                + errors.getFirst().oneLine() + more;
    }

    private static String inForce(AgentStatus status) {
        return switch (status.config().inForce().map(DesiredState::origin).orElse("")) {
            case "config", "last-good" -> "the last good one";
            case "kernel" -> "what the kernel holds";
            default -> "the profile";
        };
    }

    private static Condition available(AgentStatus status) {
        if (status.managed().isEmpty()) {
            String why = status.families().entrySet().stream()
                    .map(entry ->
                            entry.getKey().label() + ": " + entry.getValue().why())
                    .collect(Collectors.joining("; "));
            return new Condition("Available", false, "NothingManaged", "no address family is managed: " + why);
        }
        List<String> missing = new ArrayList<>();
        status.families().forEach((family, one) -> {
            if (one.managed() && !one.inSync()) {
                missing.add(family.label());
            }
        });
        return missing.isEmpty()
                ? new Condition("Available", true, "InSync", "the kernel holds the rules in force")
                : new Condition("Available", false, "NotInSync", "the kernel does not hold the rules for " + missing);
    }

    private static Condition progressing(AgentStatus status) {
        boolean retrying = status.passes().failuresInARow() > 0;
        return retrying
                ? new Condition("Progressing", true, "Retrying", "the last pass failed; another follows")
                : new Condition("Progressing", false, "Settled", "nothing is under way");
    }

    private static Condition configured(AgentStatus status) {
        return switch (status.config().outcome()) {
            case ConfigOutcome.Loaded loaded ->
                loaded.config().isEmpty()
                        ? new Condition("Configured", true, "Empty", "no configuration; profile in use")
                        : new Condition("Configured", true, "Loaded", "the configuration is in force");
            case ConfigOutcome.Absent absent ->
                new Condition("Configured", true, "Absent", "no configuration; profile in use");
            case ConfigOutcome.Invalid invalid ->
                new Condition("Configured", false, "Invalid", invalidMessage(invalid, status));
            case ConfigOutcome.Unknown unknown -> new Condition("Configured", false, "Unknown", unknown.why());
        };
    }

    private static String camelCase(String key) {
        StringBuilder text = new StringBuilder();
        for (String word : key.split("-")) {
            text.append(Character.toUpperCase(word.charAt(0))).append(word.substring(1));
        }
        return text.toString();
    }

    /** Whether the agent is Degraded, with the message. */
    public static Optional<String> whyDegraded(AgentStatus status) {
        Condition degraded = degraded(status);
        return degraded.status() ? Optional.of(degraded.message()) : Optional.empty();
    }
}
