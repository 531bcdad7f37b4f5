package net.ipmasq.dataplane.iptables;

import java.util.List;
import java.util.Optional;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.Rule;

/**
 * The smallest run of rules that has to be replaced: what differs between the common beginning and the common end. An
 * edited list mostly changes in one place, so that a few lines replace the whole chain, and all other rules keep
 * their counters.
 *
 * @param at rules before the run, the same in both
 * @param removed rules of the run that the kernel holds
 * @param inserted rules of the run that it must hold
 * @param atEnd whether no common rule follows
 */
record ChainEdit(int at, int removed, List<Rule> inserted, boolean atEnd) {
    /** A longer run is cheaper to write as a whole chain: each line makes the tool walk to its position. */
    private static final int MOST_LINES = 64;

    /** The edit; empty when writing the whole chain is the better way. */
    static Optional<ChainEdit> between(List<ObservedChain.Line> held, List<Rule> desired) {
        int shorter = Math.min(held.size(), desired.size());
        int head = 0;
        while (head < shorter && same(held.get(head), desired.get(head))) {
            head++;
        }
        int tail = 0;
        while (tail < shorter - head
                && same(held.get(held.size() - 1 - tail), desired.get(desired.size() - 1 - tail))) {
            tail++;
        }
        int removed = held.size() - head - tail;
        List<Rule> inserted = desired.subList(head, desired.size() - tail);
        int lines = removed + inserted.size();
        return lines > MOST_LINES || lines > desired.size()
                ? Optional.empty()
                : Optional.of(new ChainEdit(head, removed, inserted, tail == 0));
    }

    private static boolean same(ObservedChain.Line held, Rule wanted) {
        // the kernel does not hold where a rule comes from
        return held.rule().isPresent()
                && wanted.withoutOrigin().equals(held.rule().get().withoutOrigin());
    }

    /**
     * The lines of the transaction. Numbers are safe here, other than in the base chain: this chain is ours alone, and
     * a change by others meanwhile shows when it is read back.
     */
    void render(String chain, StringBuilder text) {
        for (int number = at + removed; number > at; number--) {
            text.append("-D ").append(chain).append(' ').append(number).append('\n');
        }
        for (int i = 0; i < inserted.size(); i++) {
            String line = IptablesRenderer.line(chain, inserted.get(i));
            String spec = line.substring("-A ".length() + chain.length());
            if (atEnd) {
                text.append(line);
            } else {
                text.append("-I ").append(chain).append(' ').append(at + i + 1).append(spec);
            }
            text.append('\n');
        }
    }
}
