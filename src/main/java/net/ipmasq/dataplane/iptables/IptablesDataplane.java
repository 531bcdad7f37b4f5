package net.ipmasq.dataplane.iptables;

import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import net.ipmasq.dataplane.ApplyOutcome;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.Dataplane;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.FailureCode;
import net.ipmasq.dataplane.FamilyState;
import net.ipmasq.dataplane.ForeignRuleProbe;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.dataplane.NodeLimits;
import net.ipmasq.dataplane.Observed;
import net.ipmasq.dataplane.PerFamily;
import net.ipmasq.dataplane.Probe;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.Drift;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.Ruleset;

/** Reads and writes the nat table through the iptables tools of the variant that the node uses. */
public final class IptablesDataplane implements Dataplane {
    /** With legacy tables the variant in use can change without a cheap sign of it, so it is detected again this often. */
    private static final int PROBES_BETWEEN_DETECTIONS = 10;

    private static final String UNREAD = "not yet read";

    private final IptablesTools tools;
    private final NodeLimits limits;
    private final VariantDetector detector;
    private final Optional<Variant> configured;
    private final ParseCache readings = new ParseCache();

    /** Where native rules keep the nft variant from working, as the last look at each family had it. */
    private final Map<IpFamily, Boolean> closed = new ConcurrentHashMap<>();

    private VariantDetector.Choice choice = new VariantDetector.Choice(Variant.NFT, "not yet detected");
    private String signal = UNREAD;
    private int probes;

    /**
     * @param configured the variant to use; empty for the one that the node uses
     */
    public IptablesDataplane(CommandRunner runner, NodeFiles files, Optional<Variant> configured) {
        this.tools = new IptablesTools(runner);
        this.limits = new NodeLimits(files);
        this.detector = new VariantDetector(tools, files);
        this.configured = configured;
    }

    @Override
    public synchronized Probe probe() {
        Map<IpFamily, Failure> impossible = new EnumMap<>(IpFamily.class);
        if (!limits.mayAdministrate()) {
            for (IpFamily family : IpFamily.values()) {
                impossible.put(family, NodeLimits.NOT_PERMITTED);
            }
            return new Probe(choice.variant().backend(), choice.reason(), impossible);
        }
        detect();
        for (IpFamily family : IpFamily.values()) {
            impossible(family).ifPresent(failure -> impossible.put(family, failure));
        }
        return new Probe(choice.variant().backend(), choice.reason(), impossible);
    }

    private void detect() {
        String now = detector.signal();
        boolean due = detector.legacyInUse() && ++probes % PROBES_BETWEEN_DETECTIONS == 0;
        if (now.equals(signal) && !due) {
            return;
        }
        VariantDetector.Choice found = configured
                .map(variant -> new VariantDetector.Choice(variant, "configured"))
                .orElseGet(detector::detect);
        if (found.doubt().isPresent() && !signal.equals(UNREAD)) {
            // a look that failed is no reason to move; the next pass looks again
            probes = -1;
            return;
        }
        // until one look succeeds, every probe looks again
        signal = found.doubt().isPresent() ? UNREAD : now;
        choice = found;
    }

    private Optional<Failure> impossible(IpFamily family) {
        Optional<Failure> doubt = choice.doubt().filter(failure -> failure.code() == FailureCode.TOOL_NOT_STARTED);
        if (doubt.isPresent()) {
            return doubt;
        }
        if (!tools.has(family, choice.variant())) {
            return Optional.of(
                    IptablesFailures.toolMissing(family, choice.variant().tool(family, "-save")));
        }
        if (choice.variant() == Variant.LEGACY && !limits.mayOpenRawSockets()) {
            return Optional.of(IptablesFailures.NO_RAW_SOCKET);
        }
        return family == IpFamily.IPV6 ? limits.ipv6Off() : Optional.empty();
    }

    @Override
    public Observed observe(String chain, Set<IpFamily> families) {
        return observe(chain, families, variant(), false);
    }

    @Override
    public Observed observeCounters(String chain, Set<IpFamily> families) {
        return observe(chain, families, variant(), true);
    }

    private Observed observe(String chain, Set<IpFamily> families, Variant variant, boolean counters) {
        return new Observed(PerFamily.map(families, family -> observe(chain, family, variant, counters)));
    }

    private FamilyState observe(String chain, IpFamily family, Variant variant, boolean counters) {
        if (variant == Variant.LEGACY && !detector.legacyLists(family, "nat")) {
            // asking would create the table; one that the kernel does not list holds nothing
            return new FamilyState.Absent(List.of());
        }
        Streamed<IptablesParser.Result> read =
                tools.save(family, variant, "nat", counters, save -> readings.parse(save, family, variant, chain));
        Optional<Failure> failure =
                IptablesFailures.of(read.outcome(), family, tools.program(family, variant, "-save"));
        if (failure.isPresent()) {
            return new FamilyState.Unreadable(failure.get());
        }
        IptablesParser.Result result = read.value().orElseThrow();
        if (variant == Variant.NFT) {
            closed.put(
                    family, result instanceof IptablesParser.NotUnderstood not && SaveText.saysIncompatible(not.why()));
        }
        return switch (result) {
            case IptablesParser.NotUnderstood not ->
                new FamilyState.Unreadable(IptablesFailures.unreadable(not.why(), family));
            case IptablesParser.Understood understood ->
                understood.chain().anythingOfOurs()
                        ? new FamilyState.Present(understood.chain(), understood.shadows())
                        : new FamilyState.Absent(understood.shadows());
        };
    }

    @Override
    public Map<IpFamily, ApplyOutcome> apply(Ruleset desired, Observed before) {
        Variant variant = variant();
        return PerFamily.map(
                desired.families().keySet(), family -> apply(desired.families().get(family), family, variant, before));
    }

    private ApplyOutcome apply(
            @org.jspecify.annotations.Nullable FamilyRules desired, IpFamily family, Variant variant, Observed before) {
        FamilyState state = before.families().get(family);
        if (desired == null || state == null) {
            return new ApplyOutcome.Unchanged();
        }
        return switch (state) {
            case FamilyState.Unreadable unreadable -> new ApplyOutcome.Failed(unreadable.failure());
            case FamilyState.Absent absent -> write(IptablesRenderer.render(desired), family, variant);
            case FamilyState.Present present ->
                Drift.between(desired, present.chain()).isEmpty()
                        ? new ApplyOutcome.Unchanged()
                        : write(IptablesRenderer.restore(desired, present.chain()), family, variant);
        };
    }

    private ApplyOutcome write(String payload, IpFamily family, Variant variant) {
        CommandRunner.Outcome outcome = tools.restore(family, variant, payload);
        return IptablesFailures.of(outcome, family, tools.program(family, variant, "-restore"))
                .<ApplyOutcome>map(ApplyOutcome.Failed::new)
                .orElseGet(() -> new ApplyOutcome.Applied(payload.getBytes(StandardCharsets.UTF_8).length));
    }

    @Override
    public Map<IpFamily, ApplyOutcome> remove(String chain, Set<IpFamily> families) {
        return PerFamily.map(families, family -> remove(chain, family, variant()));
    }

    @Override
    public Map<IpFamily, ApplyOutcome> removeElsewhere(String chain) {
        Variant other = variant().other();
        Set<IpFamily> families = java.util.EnumSet.noneOf(IpFamily.class);
        for (IpFamily family : IpFamily.values()) {
            boolean canHoldRules = other == Variant.NFT || detector.legacyLists(family, "nat");
            if (canHoldRules && tools.has(family, other)) {
                families.add(family);
            }
        }
        return PerFamily.map(families, family -> remove(chain, family, other));
    }

    private ApplyOutcome remove(String chain, IpFamily family, Variant variant) {
        return switch (observe(chain, family, variant, false)) {
            case FamilyState.Absent absent -> new ApplyOutcome.Unchanged();
            case FamilyState.Unreadable unreadable -> new ApplyOutcome.Failed(unreadable.failure());
            case FamilyState.Present present -> remove(present.chain(), family, variant);
        };
    }

    private ApplyOutcome remove(ObservedChain chain, IpFamily family, Variant variant) {
        List<String> references = chain.othersRules();
        boolean emptied = chain.lines().isEmpty()
                && chain.jumps().stream().allMatch(jump -> jump.kind() == ObservedChain.Jump.Kind.FOREIGN);
        ApplyOutcome outcome = emptied && !references.isEmpty()
                ? new ApplyOutcome.Unchanged()
                : write(IptablesRenderer.removal(chain), family, variant);
        if (!(outcome instanceof ApplyOutcome.Failed) && !references.isEmpty()) {
            return new ApplyOutcome.Failed(Failure.chainStays(chain.chain(), references.getFirst()));
        }
        return outcome;
    }

    /**
     * Why the nft variant cannot work with table nat of a family that this node has. Looks only where the last look
     * found that or there was none: what comes later shows in a pass.
     */
    public Optional<String> closed() {
        for (IpFamily family : IpFamily.values()) {
            boolean possible = family == IpFamily.IPV4 || limits.ipv6Off().isEmpty();
            if (possible && tools.has(family, Variant.NFT) && closed.getOrDefault(family, true)) {
                ForeignRuleProbe look = ForeignNatRules.look(tools, family, Variant.NFT);
                closed.put(family, look.closed());
                if (look.closed()) {
                    return Optional.of(family.label() + " " + look.issue().orElse(""));
                }
            }
        }
        return Optional.empty();
    }

    /**
     * The first nat rule of others, in either variant and family; looks only where that is safe. A place that the
     * tool cannot work with takes precedence over a rule in another one.
     */
    public ForeignRuleProbe othersInNat() {
        ForeignRuleProbe first = ForeignRuleProbe.NONE;
        for (Variant place : Variant.values()) {
            for (IpFamily family : IpFamily.values()) {
                boolean canHoldRules = place == Variant.NFT || detector.legacyLists(family, "nat");
                if (canHoldRules && tools.has(family, place)) {
                    ForeignRuleProbe found = ForeignNatRules.look(tools, family, place);
                    if (found.closed()) {
                        return found;
                    }
                    first = first.equals(ForeignRuleProbe.NONE) ? found : first;
                }
            }
        }
        return first;
    }

    @Override
    public boolean canRandomFully(IpFamily family) {
        return tools.hasRandomFully(family, variant());
    }

    private synchronized Variant variant() {
        if (signal.equals(UNREAD)) {
            detect();
        }
        return choice.variant();
    }
}
