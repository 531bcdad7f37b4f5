package net.ipmasq.bundle.archive;

import static net.ipmasq.json.JsonText.object;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What an upgrade does to the rules of a cluster where nobody edits anything.
 *
 * @param name of the case
 * @param fromChain the chain before
 * @param toChain the chain afterwards
 * @param removed rules as iptables shows them
 * @param added rules as iptables shows them
 */
public record RuleChange(String name, String fromChain, String toChain, List<String> removed, List<String> added) {
    private static final String REORDERED = "the same rules in another order";

    static Optional<RuleChange> between(String name, CompiledRules.Good before, CompiledRules.Good after) {
        if (before.ruleset().equals(after.ruleset())) {
            return Optional.empty();
        }
        String from = before.ruleset().chain();
        String to = after.ruleset().chain();
        // under one name, so that a new chain does not look like new rules
        List<String> old = before.lines(from);
        List<String> now = after.lines(from);
        List<String> added = now.stream().filter(line -> !old.contains(line)).toList();
        List<String> removed = old.stream().filter(line -> !now.contains(line)).toList();
        boolean reordered = added.isEmpty() && removed.isEmpty() && !old.equals(now);
        return Optional.of(new RuleChange(name, from, to, removed, reordered ? List.of(REORDERED) : added));
    }

    boolean changesChain() {
        return !fromChain.equals(toChain);
    }

    boolean changesRules() {
        return !removed.isEmpty() || !added.isEmpty();
    }

    Map<String, Object> document() {
        return object(
                "case", name, "chain", object("from", fromChain, "to", toChain), "removed", removed, "added", added);
    }
}
