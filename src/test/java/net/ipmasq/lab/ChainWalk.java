package net.ipmasq.lab;

import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The walk of a packet through chains of rules, which is the same in the kernel for iptables and nft. */
final class ChainWalk {
    /** No chain of a sane table is deeper; the kernel refuses loops itself. */
    private static final int DEEPEST = 32;

    /** How the walk through a chain can end. */
    private enum End {
        ACCEPTED,
        MASQUERADED,
        RETURNED
    }

    private final Map<String, List<TraceRule>> chains;

    ChainWalk(Map<String, List<TraceRule>> chains) {
        this.chains = chains;
    }

    /**
     * Through base chains, one after the other. An accept verdict ends one of them only; all have the policy accept.
     *
     * @throws IllegalStateException if chance decides between two verdicts
     */
    NatTrace.Verdict verdict(List<String> bases, NatTrace.Packet packet) {
        boolean masqueraded = false;
        boolean kept = true;
        for (String base : bases) {
            if (kept) {
                Set<End> ends = walk(base, packet, 0);
                masqueraded |= ends.remove(End.MASQUERADED);
                kept = !ends.isEmpty();
            }
        }
        if (masqueraded && kept) {
            throw new IllegalStateException("chance decides about " + packet);
        }
        return masqueraded ? NatTrace.Verdict.MASQUERADE : NatTrace.Verdict.KEEP;
    }

    /** Every way in which the walk through a chain can end; more than one where chance decides. */
    private Set<End> walk(String chain, NatTrace.Packet packet, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("chains go round at " + chain);
        }
        Set<End> ends = EnumSet.noneOf(End.class);
        for (TraceRule rule : rules(chain)) {
            TraceRule.Match match = rule.match(packet);
            if (match != TraceRule.Match.NO && !goesOn(rule, packet, depth, ends) && match == TraceRule.Match.YES) {
                return ends;
            }
        }
        ends.add(End.RETURNED);
        return ends;
    }

    /** Does what the rule says, adds the ends it leads to, and says whether the next rule can be reached past it. */
    private boolean goesOn(TraceRule rule, NatTrace.Packet packet, int depth, Set<End> ends) {
        switch (rule.action()) {
            case NOTHING -> {
                return true;
            }
            case ACCEPT -> ends.add(End.ACCEPTED);
            case RETURN -> ends.add(End.RETURNED);
            case MASQUERADE -> ends.add(End.MASQUERADED);
            case JUMP, GOTO -> {
                Set<End> inner = walk(rule.target(), packet, depth + 1);
                // after a goto the packet returns to the caller of this chain, after a jump to the next rule
                boolean back = rule.action() == TraceRule.Action.JUMP && inner.remove(End.RETURNED);
                ends.addAll(inner);
                return back;
            }
        }
        return false;
    }

    private List<TraceRule> rules(String chain) {
        List<TraceRule> rules = chains.get(chain);
        if (rules == null) {
            throw new IllegalArgumentException("a jump to " + chain + ", which is not declared");
        }
        return rules;
    }
}
