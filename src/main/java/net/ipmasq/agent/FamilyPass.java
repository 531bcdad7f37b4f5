package net.ipmasq.agent;

import java.util.List;
import java.util.Optional;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;

/**
 * What one pass found and did for one family.
 *
 * @param differences what the kernel lacked before writing; empty means in sync
 * @param written bytes given to the tool; 0 for nothing
 * @param inSync whether the kernel holds the desired rules now
 */
public record FamilyPass(
        List<Drift.Difference> differences,
        int written,
        boolean inSync,
        Optional<Failure> failure,
        List<FamilyState.Shadow> shadows) {

    static FamilyPass failed(Failure failure) {
        return new FamilyPass(List.of(), 0, false, Optional.of(failure), List.of());
    }

    static FamilyPass compare(FamilyRules desired, FamilyState state) {
        return switch (state) {
            case FamilyState.Unreadable unreadable -> failed(unreadable.failure());
            case FamilyState.Absent absent -> {
                List<Drift.Difference> all = Drift.between(desired, ObservedChain.absent(desired.chain()));
                yield new FamilyPass(all, 0, false, Optional.empty(), absent.shadows());
            }
            case FamilyState.Present present -> {
                List<Drift.Difference> all = Drift.between(desired, present.chain());
                yield new FamilyPass(all, 0, all.isEmpty(), Optional.empty(), present.shadows());
            }
        };
    }

    /** Whether our chain was not there before writing. */
    boolean lackedTheChain() {
        return differences.stream().anyMatch(difference -> difference.kind() == Drift.Kind.CHAIN_MISSING);
    }

    FamilyPass withFailure(Failure found) {
        return new FamilyPass(differences, written, false, Optional.of(found), shadows);
    }

    FamilyPass withWritten(int bytes) {
        return new FamilyPass(differences, bytes, inSync, failure, shadows);
    }

    /** This result after the kernel was read again. */
    FamilyPass verified(FamilyPass after) {
        Optional<Failure> found = after.failure();
        if (found.isEmpty() && !after.inSync()) {
            Drift.Difference first = after.differences().getFirst();
            found = Optional.of(new Failure(
                    FailureCode.NOT_VERIFIED,
                    "after writing, the kernel still differs: " + first.kind().key() + " " + first.text(),
                    "look for another program that changes the same chain; the next pass tries again"));
        }
        List<FamilyState.Shadow> seen = after.failure().isPresent() ? shadows : after.shadows();
        return new FamilyPass(differences, written, after.inSync(), found, seen);
    }
}
