package net.ipmasq.netlink;

import java.util.Set;

/** Word from the kernel about nf_tables, in which iptables' nft variant keeps its rules too. */
public sealed interface RulesetEvent {

    /**
     * One transaction has been committed.
     *
     * @param generation what the ruleset's generation is since then, 1 to 4294967295
     * @param pid the process that did it, as the first pid namespace numbers it; 0 if the kernel does not say
     * @param process its name, at most 15 characters; empty if the kernel does not say
     * @param places what it touched; empty if that is not known
     */
    record Change(long generation, int pid, String process, Set<Place> places) implements RulesetEvent {
        public Change {
            places = Set.copyOf(places);
        }
    }

    /** Anything may have changed: events are lost, or not understood. */
    record Missed(String why) implements RulesetEvent {}

    /**
     * A place in the ruleset.
     *
     * @param family netfilter's number: 2 for ip, 10 for ip6
     * @param chain the chain whose rules were touched, or which is gone; empty if that is not all: for tables, sets and
     *     chains that are new, since a renamed chain comes under its new name only
     */
    record Place(int family, String table, String chain) {
        public static final int IP = 2;
        public static final int IP6 = 10;
    }
}
