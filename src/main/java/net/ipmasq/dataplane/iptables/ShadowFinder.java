package net.ipmasq.dataplane.iptables;

import java.util.List;
import java.util.Set;
import net.ipmasq.dataplane.BaseRules;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.JumpGraph;
import net.ipmasq.dataplane.iptables.SaveText.RawRule;

/**
 * Finds rules of others in the base chain that decide a packet's source address before ours do, or after our exemption.
 * RETURN in our chain goes on with the base chain, so a MASQUERADE behind our jump undoes an exemption.
 */
final class ShadowFinder {
    private static final Set<String> REWRITES = Set.of("MASQUERADE", "SNAT", "NETMAP");

    private final String ours;
    private final JumpGraph graph = new JumpGraph();
    private final BaseRules base = new BaseRules(IptablesNames.BASE_CHAIN, graph);
    private String current = "";
    private int currentId;

    ShadowFinder(String ours) {
        this.ours = ours;
    }

    /**
     * A rule of the base chain that is not our jump.
     *
     * @param before whether it comes before our first jump; true while there is none
     */
    void base(RawRule raw, RuleFacts facts, int position, boolean before) {
        if (facts.target().isEmpty() || facts.needsMark()) {
            return;
        }
        int target = before ? targetBefore(facts) : target(facts.target());
        // after our jump, ending the base chain changes nothing
        boolean harmless = !before && (target == JumpGraph.ACCEPT || isReturn(facts));
        if (!harmless) {
            // a jump of others into our chain is treated as one for some packets only
            base.add(position, target, facts.narrowed() || target == JumpGraph.OURS, before, raw::text);
        }
    }

    /**
     * Before our jump, a rule that ends the base chain keeps a packet from our rules, as a rewrite does. RETURN ends it
     * with the policy, which is ACCEPT; so does a goto, since RETURN and the end of that chain do not come back.
     */
    private int targetBefore(RuleFacts facts) {
        int target = target(facts.target());
        boolean ends = isReturn(facts) || facts.goesTo() && target != JumpGraph.OURS;
        return ends ? JumpGraph.ACCEPT : target;
    }

    private static boolean isReturn(RuleFacts facts) {
        return facts.target().equals("RETURN");
    }

    /** A rule of any other chain but ours. */
    void rule(RawRule raw, RuleFacts facts) {
        if (facts.returnsWithoutMark()) {
            // KUBE-POSTROUTING: what follows sees marked packets only
            graph.close(id(raw.chain()));
        } else if (!facts.target().isEmpty() && !facts.needsMark() && !isReturn(facts)) {
            graph.way(id(raw.chain()), target(facts.target()), facts.narrowed(), raw::text);
        }
    }

    private int id(String chain) {
        if (!chain.equals(current)) {
            current = chain;
            currentId = graph.chain(chain);
        }
        return currentId;
    }

    private int target(String name) {
        if (REWRITES.contains(name)) {
            return JumpGraph.REWRITE;
        }
        if (name.equals("ACCEPT")) {
            return JumpGraph.ACCEPT;
        }
        return name.equals(ours) ? JumpGraph.OURS : graph.chain(name);
    }

    List<Shadow> shadows() {
        return base.shadows(true);
    }

    /** Ways looked at so far: lets tests check that the work is linear in the rules. */
    long steps() {
        return graph.steps();
    }
}
