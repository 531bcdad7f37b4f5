package net.ipmasq.dataplane.backend;

import java.util.EnumMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.Backend;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.dataplane.RuleSyntax;
import net.ipmasq.dataplane.iptables.IptablesDataplane;
import net.ipmasq.dataplane.iptables.IptablesSyntax;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.dataplane.nftables.NftSyntax;
import net.ipmasq.dataplane.nftables.NftablesDataplane;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Ruleset;

/**
 * The backend in use and all others. What is in use can change between two passes; the caller writes there first and then
 * asks to remove elsewhere, so that at no moment there are no rules.
 */
public final class Backends implements Dataplane {
    /** A node rarely changes its kube-proxy; looking costs a few calls. */
    private static final int PROBES_BETWEEN_SURVEYS = 10;

    private final List<Dataplane> all;
    private final Optional<Choice> choice;
    private Dataplane inUse;
    private String reason = "";
    private int probes;
    private boolean unsure;

    /** The two that {@code auto} chooses between, and the look at the node that decides. */
    private record Choice(Dataplane iptables, Dataplane nftables, Survey survey) {}

    private Backends(List<Dataplane> all, Dataplane inUse, Optional<Choice> choice) {
        this.all = List.copyOf(all);
        this.inUse = inUse;
        this.choice = choice;
    }

    /** What the setting asks for, on a node. */
    public static Backends of(BackendSetting setting, CommandRunner runner, NodeFiles files) {
        IptablesDataplane iptables =
                new IptablesDataplane(runner, files, setting.fixed().flatMap(Variant::of));
        NftablesDataplane nftables = new NftablesDataplane(runner, files);
        if (setting.equals(BackendSetting.AUTO)) {
            return automatic(iptables, nftables, new NodeSurvey(iptables, nftables, files));
        }
        Dataplane configured = switch (setting.shown()) {
            case IPTABLES_NFT, IPTABLES_LEGACY -> iptables;
            case NFTABLES -> nftables;
        };
        return configured(configured, List.of(iptables, nftables));
    }

    public static RuleSyntax syntax(Backend backend) {
        return switch (backend) {
            case IPTABLES_NFT, IPTABLES_LEGACY -> new IptablesSyntax();
            case NFTABLES -> new NftSyntax();
        };
    }

    /** Always uses the same one. */
    public static Backends configured(Dataplane inUse, List<Dataplane> all) {
        return new Backends(all, inUse, Optional.empty());
    }

    /** Uses what {@link BackendChoice} decides, and asks again once in a while. */
    static Backends automatic(Dataplane iptables, Dataplane nftables, Survey survey) {
        return new Backends(List.of(iptables, nftables), iptables, Optional.of(new Choice(iptables, nftables, survey)));
    }

    private synchronized Dataplane current() {
        if (reason.isEmpty()) {
            choose();
        }
        return inUse;
    }

    private synchronized void choose() {
        if (choice.isEmpty()) {
            reason = "configured";
            return;
        }
        Choice between = choice.get();
        BackendChoice chosen = BackendChoice.decide(between.survey());
        unsure = !chosen.firm();
        if (unsure && !reason.isEmpty()) {
            // a look that failed is no reason to move
            return;
        }
        inUse = chosen.nftables() ? between.nftables() : between.iptables();
        reason = chosen.oneLine();
    }

    private synchronized boolean isSurveyDue() {
        boolean inTurn = probes++ % PROBES_BETWEEN_SURVEYS == 0;
        return choice.isPresent() && (inTurn || unsure);
    }

    @Override
    public Probe probe() {
        if (isSurveyDue()) {
            choose();
        }
        Probe probe = current().probe();
        return choice.isEmpty() ? probe : new Probe(probe.backend(), why(probe), probe.impossible());
    }

    private synchronized String why(Probe probe) {
        // the reason of iptables tells which variant it is, and why
        return usesIptablesByChoice() ? reason + "; " + probe.reason() : reason;
    }

    @SuppressWarnings("ReferenceEquality") // which of them it is
    private synchronized boolean usesIptablesByChoice() {
        return choice.isPresent() && inUse == choice.get().iptables();
    }

    @Override
    public Observed observe(String chain, Set<IpFamily> families) {
        Observed observed = current().observe(chain, families);
        noteUnreadable(observed);
        return observed;
    }

    /** Native rules that come into a table of iptables are a reason to choose anew in the next pass. */
    private synchronized void noteUnreadable(Observed observed) {
        unsure |= usesIptablesByChoice()
                && observed.families().values().stream()
                        .anyMatch(state -> state instanceof FamilyState.Unreadable(Failure failure)
                                && failure.code() == FailureCode.UNREADABLE);
    }

    @Override
    public Observed observeCounters(String chain, Set<IpFamily> families) {
        return current().observeCounters(chain, families);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> apply(Ruleset desired, Observed before) {
        return current().apply(desired, before);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> remove(String chain, Set<IpFamily> families) {
        return current().remove(chain, families);
    }

    @SuppressWarnings("ReferenceEquality") // which of them it is
    private List<Dataplane> others() {
        Dataplane current = current();
        return all.stream().filter(dataplane -> dataplane != current).toList();
    }

    @Override
    public Observed observeElsewhere(String chain, Set<IpFamily> families) {
        Map<IpFamily, FamilyState> states = new EnumMap<>(IpFamily.class);
        for (Dataplane other : others()) {
            Set<IpFamily> possible = new HashSet<>(families);
            possible.removeAll(other.probe().impossible().keySet());
            other.observe(chain, possible)
                    .families()
                    .forEach((family, state) ->
                            states.merge(family, state, (one, two) -> one instanceof FamilyState.Present ? one : two));
        }
        return new Observed(states);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> removeElsewhere(String chain) {
        Map<IpFamily, ApplyOutcome> outcomes = new EnumMap<>(IpFamily.class);
        merge(current().removeElsewhere(chain), outcomes);
        for (Dataplane other : others()) {
            merge(other.remove(chain, Set.of(IpFamily.values())), outcomes);
            merge(other.removeElsewhere(chain), outcomes);
        }
        return outcomes;
    }

    /** A failure outranks everything else, then a removal. */
    private static void merge(Map<IpFamily, ApplyOutcome> some, Map<IpFamily, ApplyOutcome> all) {
        some.forEach(
                (family, outcome) -> all.merge(family, outcome, (one, two) -> weight(two) > weight(one) ? two : one));
    }

    private static int weight(ApplyOutcome outcome) {
        return switch (outcome) {
            case ApplyOutcome.Failed(var failure) when failure.code().isLasting() -> 0;
            // of a place where we may never have been, so that it must not hide a failure where we have
            case ApplyOutcome.Failed(var failure) when failure.code() == FailureCode.UNREADABLE -> 3;
            case ApplyOutcome.Failed failed -> 4;
            case ApplyOutcome.Applied applied -> 2;
            case ApplyOutcome.Unchanged unchanged -> 1;
        };
    }

    @Override
    public boolean canRandomFully(IpFamily family) {
        return current().canRandomFully(family);
    }
}
