package net.ipmasq.dataplane;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import net.ipmasq.dataplane.FamilyState.Shadow;
import net.ipmasq.dataplane.JumpGraph.Ways;

/**
 * Rules of others in one base chain, as they are read: where each leads, and the texts of as many as can be shown. Which of
 * them can shadow ours is only known when all chains are read.
 */
public final class BaseRules {
    /** Texts of rules that only jump: most of them lead to nothing that matters. */
    private static final int MOST_TEXTS = 1_000;

    private static final int NARROWED = 1;
    private static final int BEFORE = 2;

    private final String chain;
    private final JumpGraph graph;
    private final Map<Integer, String> texts = new HashMap<>();
    private int[] positions = new int[64];
    private int[] targets = new int[64];
    private byte[] flags = new byte[64];
    private int count;
    private int ends;

    public BaseRules(String chain, JumpGraph graph) {
        this.chain = chain;
        this.graph = graph;
    }

    /**
     * A rule; one with several targets is passed several times in a row.
     *
     * @param position 1-based
     * @param before whether a packet meets it before our rules
     */
    public void add(int position, int target, boolean narrowed, boolean before, Supplier<String> text) {
        if (count == positions.length) {
            positions = Arrays.copyOf(positions, 2 * count);
            targets = Arrays.copyOf(targets, 2 * count);
            flags = Arrays.copyOf(flags, 2 * count);
        }
        boolean isEnd = target <= JumpGraph.OURS;
        if (isEnd ? ends < ShadowList.MOST : texts.size() - Math.min(ends, ShadowList.MOST) < MOST_TEXTS) {
            texts.put(count, JumpGraph.shortened(text.get()));
        }
        if (isEnd) {
            ends++;
        } else {
            graph.reach(target);
        }
        positions[count] = position;
        targets[count] = target;
        flags[count++] = (byte) ((narrowed ? NARROWED : 0) | (before ? BEFORE : 0));
    }

    /**
     * Those that can give a packet another source address than our rules would.
     *
     * @param acceptDecides whether a packet that is accepted before our rules never meets them
     */
    public List<Shadow> shadows(boolean acceptDecides) {
        ShadowList found = new ShadowList();
        Ways after = graph.ways(false);
        Ways before = acceptDecides && (flags(BEFORE) > 0) ? graph.ways(true) : after;
        for (int i = 0; i < count; i = next(i)) {
            Ways ways = (flags[i] & BEFORE) != 0 ? before : after;
            int widest = widest(i, ways);
            if (widest >= 0) {
                boolean narrowed = isNarrowed(widest, ways);
                found.add(narrowed, (flags[i] & BEFORE) != 0, positions[i], () -> way(widest, ways));
            }
        }
        return found.list();
    }

    private int flags(int flag) {
        int found = 0;
        for (int i = 0; i < count; i++) {
            found += (flags[i] & flag) != 0 ? 1 : 0;
        }
        return found;
    }

    private int next(int index) {
        int next = index + 1;
        while (next < count && positions[next] == positions[index]) {
            next++;
        }
        return next;
    }

    private boolean isNarrowed(int index, Ways ways) {
        return (flags[index] & NARROWED) != 0 || ways.narrowed(targets[index]);
    }

    /** Of the targets of one rule the one that sees most packets; -1 if none decides anything. */
    private int widest(int index, Ways ways) {
        int widest = -1;
        // once: a rule with a map of verdicts can have thousands of targets
        int next = next(index);
        for (int i = index; i < next; i++) {
            boolean decides = ways.decides(targets[i]);
            if (decides && (widest < 0 || isNarrowed(widest, ways) && !isNarrowed(i, ways))) {
                widest = i;
            }
        }
        return widest;
    }

    private String way(int index, Ways ways) {
        List<String> way = new ArrayList<>(List.of(texts.getOrDefault(index, untold(index))));
        way.addAll(ways.path(targets[index]));
        return String.join(" => ", way);
    }

    private String untold(int index) {
        return "(rule " + positions[index] + " of " + chain + ", which leads to " + graph.name(targets[index]) + ")";
    }
}
