package net.ipmasq.netlink;

import java.util.Set;

/** The kernel's report of a change of nf_tables, in which iptables' nft variant keeps its rules too. */
public sealed interface RulesetEvent {

    /**
     * One transaction has been committed.
     *
     * @param generation the ruleset's generation after it, 1 to 4294967295
     * @param pid the process that did it, as numbered in the first pid namespace; 0 if unknown
     * @param process its name, at most 15 characters; empty if unknown
     * @param places what it touched; empty if that is not known
     */
    record Change(long generation, int pid, String process, Set<Place> places) implements RulesetEvent {
        public Change {
            places = Set.copyOf(places);
        }
    }

    /** Anything may have changed: events were lost, or not understood. */
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
