package net.ipmasq.lab;

import java.util.List;

/**
 * One rule of a tool's listing, as far as a {@link ChainWalk} needs it.
 *
 * @param chain the chain that it stands in
 * @param target the chain that a jump or goto leads to, else empty
 */
record TraceRule(String chain, List<Condition> conditions, Action action, String target) {

    /** Whether a condition holds: for sure, by chance, or not. */
    enum Match {
        NO,
        BY_CHANCE,
        YES
    }

    /** What the rule does with a packet that matches. */
    enum Action {
        NOTHING,
        ACCEPT,
        RETURN,
        MASQUERADE,
        JUMP,
        GOTO
    }

    /** One condition of a rule. */
    interface Condition {
        /** Holds or not, for what the walk knows of the packet. */
        Condition CHANCE = packet -> Match.BY_CHANCE;

        Match test(NatTrace.Packet packet);
    }

    static Match of(boolean holds) {
        return holds ? Match.YES : Match.NO;
    }

    Match match(NatTrace.Packet packet) {
        Match weakest = Match.YES;
        for (Condition condition : conditions) {
            Match match = condition.test(packet);
            if (match.compareTo(weakest) < 0) {
                weakest = match;
            }
        }
        return weakest;
    }
}
