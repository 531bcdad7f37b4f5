package net.ipmasq.agent;

import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.net.IpFamily;
import net.ipmasq.netlink.RulesetEvent;
import net.ipmasq.netlink.RulesetEvent.Change;

/**
 * Where in nf_tables our rules live. Changes elsewhere, such as kube-proxy's in its own chains of the same table, cannot
 * damage them; what they mean for ours is found by the next scheduled pass.
 *
 * @param table in the table family of each managed family
 * @param chains of that table; empty for all of it
 * @param families the managed ones
 */
record RuleLocation(String table, Set<String> chains, Set<IpFamily> families) {

    /** Empty for a backend that keeps its rules elsewhere. */
    static Optional<RuleLocation> of(AgentStatus status) {
        return status.node()
                .backend()
                .table()
                .map(table -> new RuleLocation(
                        table.name(), table.chains(status.node().ruleset().chain()), status.managed()));
    }

    /** The families of ours that a change can have damaged. */
    Set<IpFamily> touchedBy(Change change) {
        if (change.places().isEmpty()) {
            return families;
        }
        Set<IpFamily> touched = EnumSet.noneOf(IpFamily.class);
        for (IpFamily family : families) {
            if (change.places().stream().anyMatch(place -> holds(place, family))) {
                touched.add(family);
            }
        }
        return touched;
    }

    private boolean holds(RulesetEvent.Place place, IpFamily family) {
        return place.family() == (family == IpFamily.IPV4 ? RulesetEvent.Place.IP : RulesetEvent.Place.IP6)
                && place.table().equals(table)
                && (chains.isEmpty() || place.chain().isEmpty() || chains.contains(place.chain()));
    }
}
