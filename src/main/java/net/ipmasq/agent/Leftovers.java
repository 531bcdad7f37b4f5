package net.ipmasq.agent;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Ruleset;

/**
 * Takes away what we used before: rules under another chain name, in another backend, or of a family that is now
 * switched off. Runs after a success only, so that new rules are always there before old ones go.
 */
final class Leftovers {
    private final Dataplane dataplane;
    private final StateStore store;
    private String cleared = "";
    private Optional<String> trouble = Optional.empty();
    private Optional<String> oldChain = Optional.empty();

    Leftovers(Dataplane dataplane, StateStore store) {
        this.dataplane = dataplane;
        this.store = store;
    }

    /** Clears once per chain, backend and set of switched-off families; tries again in the next pass if it failed. */
    void clear(Ruleset desired, String backend, Set<IpFamily> switchedOff) {
        String state = desired.chain() + " " + backend + " " + switchedOff;
        if (state.equals(cleared)) {
            return;
        }
        List<String> failures = new ArrayList<>();
        note(dataplane.removeElsewhere(desired.chain()), failures);
        Optional<String> old =
                store.load().map(StateStore.LastGood::chain).filter(chain -> !chain.equals(desired.chain()));
        List<String> ofOld = new ArrayList<>();
        old.ifPresent(chain -> {
            note(dataplane.remove(chain, Set.of(IpFamily.values())), ofOld);
            note(dataplane.removeElsewhere(chain), ofOld);
        });
        oldChain = ofOld.isEmpty() ? Optional.empty() : old;
        failures.addAll(ofOld);
        if (!switchedOff.isEmpty()) {
            note(dataplane.remove(desired.chain(), switchedOff), failures);
        }
        trouble = failures.isEmpty()
                ? Optional.empty()
                : Optional.of("rules of an earlier setting could not be removed: " + String.join("; ", failures));
        cleared = failures.isEmpty() ? state : "";
    }

    /** An earlier chain name whose rules are still there, to be stored until they are gone. */
    Optional<String> oldChain() {
        return oldChain;
    }

    private static void note(Map<IpFamily, ApplyOutcome> outcomes, List<String> failures) {
        outcomes.forEach((family, outcome) -> {
            // a place that cannot exist holds no rules of ours
            if (outcome instanceof ApplyOutcome.Failed(var failure)
                    && !failure.code().isLasting()) {
                failures.add(family.label() + ": " + failure.message());
            }
        });
    }

    Optional<String> trouble() {
        return trouble;
    }
}
