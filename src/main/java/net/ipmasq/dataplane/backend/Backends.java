package net.ipmasq.dataplane.backend;

import java.util.EnumMap;
import java.util.HashSet;
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
 * The backend in use and the other one. What is in use can change between two passes; the caller writes there first and
 * then asks to remove elsewhere, so that at no moment there are no rules.
 */
public final class Backends implements Dataplane {
    /** A node rarely changes its kube-proxy; looking costs a few calls. */
    private static final int PROBES_BETWEEN_SURVEYS = 10;

    private final Dataplane iptables;
    private final Dataplane nftables;
    private final Optional<Survey> survey;
    private boolean nftablesInUse;
    private String reason = "";
    private int probes;
    private boolean unsure;

    private Backends(Dataplane iptables, Dataplane nftables, boolean nftablesInUse, Optional<Survey> survey) {
        this.iptables = iptables;
        this.nftables = nftables;
        this.nftablesInUse = nftablesInUse;
        this.survey = survey;
    }

    /** What the setting asks for, on a node. */
    public static Backends of(BackendSetting setting, CommandRunner runner, NodeFiles files) {
        IptablesDataplane iptables =
                new IptablesDataplane(runner, files, setting.fixed().flatMap(Variant::of));
        NftablesDataplane nftables = new NftablesDataplane(runner, files);
        return setting.equals(BackendSetting.AUTO)
                ? automatic(iptables, nftables, new NodeSurvey(iptables, nftables, files))
                : configured(iptables, nftables, setting.fixed().equals(Optional.of(Backend.NFTABLES)));
    }

    /** How a backend writes rules. */
    public static RuleSyntax syntax(Backend backend) {
        return switch (backend) {
            case IPTABLES_NFT, IPTABLES_LEGACY -> new IptablesSyntax();
            case NFTABLES -> new NftSyntax();
        };
    }

    /** Uses one of the two, whatever the node does. */
    public static Backends configured(Dataplane iptables, Dataplane nftables, boolean useNftables) {
        return new Backends(iptables, nftables, useNftables, Optional.empty());
    }

    /** Uses what {@link BackendChoice} says, and asks again once in a while. */
    public static Backends automatic(Dataplane iptables, Dataplane nftables, Survey survey) {
        return new Backends(iptables, nftables, false, Optional.of(survey));
    }

    private synchronized Dataplane current() {
        if (reason.isEmpty()) {
            choose();
        }
        return nftablesInUse ? nftables : iptables;
    }

    private synchronized void choose() {
        if (survey.isPresent()) {
            BackendChoice choice = BackendChoice.decide(survey.get());
            unsure = !choice.firm();
            if (unsure && !reason.isEmpty()) {
                // a look that failed is no reason to move
                return;
            }
            nftablesInUse = choice.nftables();
            reason = choice.oneLine();
        } else {
            reason = "configured";
        }
    }

    private synchronized boolean isSurveyDue() {
        boolean inTurn = probes++ % PROBES_BETWEEN_SURVEYS == 0;
        return survey.isPresent() && (inTurn || unsure);
    }

    @Override
    public Probe probe() {
        if (isSurveyDue()) {
            choose();
        }
        Probe probe = current().probe();
        return survey.isEmpty() ? probe : new Probe(probe.backend(), why(probe), probe.impossible());
    }

    private synchronized String why(Probe probe) {
        // for iptables, its own reason says why that variant
        return nftablesInUse ? reason : reason + "; " + probe.reason();
    }

    @Override
    public Observed observe(String chain, Set<IpFamily> families) {
        Observed observed = current().observe(chain, families);
        noteUnreadable(observed);
        return observed;
    }

    /** Native rules that come into a table of iptables are a reason to choose anew in the next pass. */
    private synchronized void noteUnreadable(Observed observed) {
        unsure |= !nftablesInUse
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

    @SuppressWarnings("ReferenceEquality") // which of the two it is
    private Dataplane other() {
        return current() == nftables ? iptables : nftables;
    }

    @Override
    public Observed observeElsewhere(String chain, Set<IpFamily> families) {
        Dataplane other = other();
        Set<IpFamily> possible = new HashSet<>(families);
        possible.removeAll(other.probe().impossible().keySet());
        return other.observe(chain, possible);
    }

    @Override
    public Map<IpFamily, ApplyOutcome> removeElsewhere(String chain) {
        Dataplane current = current();
        Dataplane other = other();
        Map<IpFamily, ApplyOutcome> outcomes = new EnumMap<>(IpFamily.class);
        merge(current.removeElsewhere(chain), outcomes);
        merge(other.remove(chain, Set.of(IpFamily.values())), outcomes);
        merge(other.removeElsewhere(chain), outcomes);
        return outcomes;
    }

    /** What failed counts most, then what was removed. */
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
