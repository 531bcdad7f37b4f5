package net.ipmasq.agent;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Ruleset;

/**
 * Removes what we used before: rules under another chain name, in another backend, or of a family that is now
 * switched off. Runs after a success only, so that new rules are always there before old ones go.
 */
final class StaleRules {
    private final Dataplane dataplane;
    private final StateStore store;
    private String cleared = "";
    private Optional<String> issue = Optional.empty();
    private Optional<String> oldChain = Optional.empty();
    private Optional<String> oldBackend = Optional.empty();

    StaleRules(Dataplane dataplane, StateStore store) {
        this.dataplane = dataplane;
        this.store = store;
    }

    /** Clears once per chain, backend and set of switched-off families; tries again in the next pass if it failed. */
    void clear(Ruleset desired, String backend, Set<IpFamily> switchedOff) {
        String state = desired.chain() + " " + backend + " " + switchedOff;
        if (state.equals(cleared)) {
            return;
        }
        Optional<StateStore.LastGood> last = store.load();
        List<String> failures = new ArrayList<>();
        List<String> elsewhere = elsewhere(desired.chain(), backend, last);
        List<String> ofOld = new ArrayList<>();
        Optional<String> old = last.map(StateStore.LastGood::chain).filter(chain -> !chain.equals(desired.chain()));
        old.ifPresent(chain -> {
            note(dataplane.remove(chain, Set.of(IpFamily.values())), ofOld);
            ofOld.addAll(elsewhere(chain, backend, last));
        });
        if (!switchedOff.isEmpty()) {
            note(dataplane.remove(desired.chain(), switchedOff), failures);
        }
        oldChain = ofOld.isEmpty() ? Optional.empty() : old;
        oldBackend = elsewhere.isEmpty() && ofOld.isEmpty() ? Optional.empty() : last.map(StateStore.LastGood::backend);
        failures.addAll(elsewhere);
        failures.addAll(ofOld);
        issue = failures.isEmpty()
                ? Optional.empty()
                : Optional.of("rules of an earlier setting could not be removed: " + String.join("; ", failures));
        cleared = failures.isEmpty() ? state : "";
    }

    /** Without a usable configuration nothing is removed; reports what stays because of that. */
    void hold(String backend) {
        issue = store.load()
                .map(StateStore.LastGood::backend)
                .filter(before -> !before.equals(backend))
                .map(before -> "the rules of the backend " + before + " stay beside those of " + backend
                        + " until the configuration is valid: correct it");
    }

    /** Looks again in the next pass that ends well: whatever removed our rules may have put some elsewhere. */
    void forget() {
        cleared = "";
    }

    /** A table there that cannot be read is of interest only if we are known to have used that backend. */
    private List<String> elsewhere(String chain, String backend, Optional<StateStore.LastGood> last) {
        boolean used = last.isPresent() && !last.get().backend().equals(backend);
        Map<IpFamily, ApplyOutcome> outcomes = new EnumMap<>(IpFamily.class);
        outcomes.putAll(dataplane.removeElsewhere(chain));
        outcomes.values()
                .removeIf(outcome -> !used
                        && outcome instanceof ApplyOutcome.Failed(Failure failure)
                        && failure.code() == FailureCode.UNREADABLE);
        List<String> failures = new ArrayList<>();
        note(outcomes, failures);
        return failures;
    }

    /** An earlier chain name whose rules are still there, to be stored until they are gone. */
    Optional<String> oldChain() {
        return oldChain;
    }

    /** The same for an earlier backend. */
    Optional<String> oldBackend() {
        return oldBackend;
    }

    private static void note(Map<IpFamily, ApplyOutcome> outcomes, List<String> failures) {
        outcomes.forEach((family, outcome) -> {
            // a table that cannot exist holds no rules of ours; one that we are not permitted to read can
            if (outcome instanceof ApplyOutcome.Failed(Failure failure)
                    && (!failure.code().isLasting() || failure.code() == FailureCode.NOT_PERMITTED)) {
                failures.add(family.label() + ": " + failure.message());
            }
        });
    }

    Optional<String> issue() {
        return issue;
    }
}
