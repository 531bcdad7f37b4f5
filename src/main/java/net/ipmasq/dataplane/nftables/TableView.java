package net.ipmasq.dataplane.nftables;

import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.SetForm;

/**
 * Our table as the kernel shows it.
 *
 * @param canonicalJump handle of the jump that is as we write it, of the first if there are several
 * @param surplusJumps handles of all other jumps of ours to the chain
 * @param unflagged whether the table has no flags, as ours has none: it could be dormant, or owned by a program
 * @param usableBase whether the base chain is there and hooked where ours is, in a table without flags
 * @param shared whether the table holds anything but this chain, its jumps and our sets
 * @param strangers whether some of that is not ours under another chain's name
 * @param shadows rules of others in our base chain
 */
record TableView(
        ObservedChain chain,
        OptionalLong canonicalJump,
        List<Long> surplusJumps,
        boolean unflagged,
        boolean usableBase,
        boolean shared,
        boolean strangers,
        List<Shadow> shadows) {

    TableView {
        surplusJumps = List.copyOf(surplusJumps);
        shadows = List.copyOf(shadows);
    }

    /** A dormant table, which the kernel does not evaluate: treated as absent, except for what others have in it. */
    static TableView asleep(String chain, boolean strangers) {
        return new TableView(
                ObservedChain.absent(chain),
                OptionalLong.empty(),
                List.of(),
                false,
                false,
                strangers,
                strangers,
                List.of());
    }

    /** Whether a rule of others leads to the chain. */
    boolean referred() {
        return !chain.othersRules().isEmpty();
    }

    /** The rules in set form, if the whole chain is as we write it; then lists can be edited where they stand. */
    Optional<SetForm> form() {
        boolean whole = chain.present() && usableBase && canonicalJump.isPresent() && surplusJumps.isEmpty();
        if (!whole || chain.lines().stream().anyMatch(line -> line.rule().isEmpty())) {
            return Optional.empty();
        }
        List<Rule> rules = chain.lines().stream()
                .map(ObservedChain.Line::rule)
                .flatMap(Optional::stream)
                .toList();
        SetForm form = SetForm.of(rules);
        return form.rules().equals(rules) ? Optional.of(form) : Optional.empty();
    }
}
