package net.ipmasq.dataplane;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;

/**
 * Which chains of others lead to a rule that decides a packet's source address. Built while rules are read, in any order:
 * of a rule only where it leads is kept, once for each pair of chains and kind, and its text as long as there is room for it.
 */
public final class JumpGraph {
    /** Ends of ways: a rule that rewrites the source, one that accepts, a way into our own chain. */
    public static final int REWRITE = 0;

    public static final int ACCEPT = 1;
    public static final int OURS = 2;
    private static final int ENDS = 3;

    /** Texts of each kind: of chains that are known to be reached or not, of rules that lead to an end or to a chain. */
    private static final int MOST_TEXTS = 1_000;

    private static final int MOST_TEXT = 1_024;
    private static final int MOST_STEPS = 16;

    private final Map<String, Integer> ids = new HashMap<>();
    private final List<String> names = new ArrayList<>(List.of("a rewrite", "ACCEPT", "our chain"));
    private final BitSet closed = new BitSet();
    private final BitSet reached = new BitSet();
    private final Map<Integer, String> texts = new HashMap<>();
    private final int[] room = {MOST_TEXTS, MOST_TEXTS, MOST_TEXTS, MOST_TEXTS};
    private int[] widest = new int[64];
    private int[] narrowest = new int[64];
    private int[] from = new int[64];
    private int[] to = new int[64];
    private final BitSet narrow = new BitSet();
    private int edges;
    private long steps;

    /** The number of a chain, the same for the same name. */
    public int chain(String name) {
        Integer known = ids.get(name);
        if (known != null) {
            return known;
        }
        int id = names.size();
        ids.put(name, id);
        names.add(name);
        return id;
    }

    /** Notes that a packet can get to this chain, so that texts of its rules are worth keeping. */
    public void reach(int chain) {
        reached.set(chain);
    }

    /** What follows in this chain does not see every packet that gets there, so it no longer applies. */
    public void close(int chain) {
        closed.set(chain);
    }

    /**
     * A rule of one chain that leads to another chain or an end.
     *
     * @param narrowed whether it sees only some of the packets that come by
     */
    public void way(int chain, int target, boolean narrowed, Supplier<String> text) {
        if (closed.get(chain) || isKnown(chain, target, narrowed)) {
            return;
        }
        if (edges == from.length) {
            from = Arrays.copyOf(from, 2 * edges);
            to = Arrays.copyOf(to, 2 * edges);
        }
        from[edges] = chain;
        to[edges] = target;
        narrow.set(edges, narrowed);
        int kind = (reached.get(chain) ? 0 : 1) + (target < ENDS ? 0 : 2);
        if (room[kind] > 0) {
            room[kind]--;
            texts.put(edges, shortened(text.get()));
        }
        if (reached.get(chain) && target >= ENDS) {
            reached.set(target);
        }
        edges++;
    }

    /** Rules of a chain come one after the other, so the chain that led here last is all that has to be remembered. */
    private boolean isKnown(int chain, int target, boolean narrowed) {
        if (target >= widest.length) {
            int size = Math.max(2 * widest.length, target + 1);
            widest = Arrays.copyOf(widest, size);
            narrowest = Arrays.copyOf(narrowest, size);
        }
        if (widest[target] == chain || narrowed && narrowest[target] == chain) {
            return true;
        }
        (narrowed ? narrowest : widest)[target] = chain;
        return false;
    }

    static String shortened(String text) {
        return text.length() > MOST_TEXT ? text.substring(0, MOST_TEXT) + "..." : text;
    }

    String name(int chain) {
        return names.get(chain);
    }

    private String text(int edge) {
        String text = texts.get(edge);
        return text != null ? text : "(a rule of " + name(from[edge]) + " that leads to " + name(to[edge]) + ")";
    }

    /** Edges looked at so far: lets tests check that the work is linear in the rules. */
    public long steps() {
        return steps;
    }

    /**
     * Where all chains lead.
     *
     * @param acceptDecides whether to accept a packet decides as a rewrite does
     */
    public Ways ways(boolean acceptDecides) {
        return new Ways(acceptDecides);
    }

    /**
     * Where chains lead: walked backwards from the ends, first over what sees every packet, then over the rest, so that
     * each chain is met once and each way looked at twice.
     */
    public final class Ways {
        private final int[] starts = new int[names.size() + 1];
        private final int[] incoming = new int[edges];
        private final int[] by = new int[names.size()];
        private final BitSet wide = new BitSet();
        private final BitSet found = new BitSet();
        private final int[] queue = new int[names.size()];
        private int queued;

        private Ways(boolean acceptDecides) {
            sort();
            met(REWRITE);
            if (acceptDecides) {
                met(ACCEPT);
            }
            walk(true);
            wide.or(found);
            met(OURS);
            walk(false);
        }

        private void sort() {
            for (int edge = 0; edge < edges; edge++) {
                starts[to[edge] + 1]++;
            }
            for (int i = 1; i < starts.length; i++) {
                starts[i] += starts[i - 1];
            }
            int[] next = starts.clone();
            for (int edge = 0; edge < edges; edge++) {
                incoming[next[to[edge]]++] = edge;
            }
        }

        private void met(int chain) {
            found.set(chain);
            queue[queued++] = chain;
        }

        private void walk(boolean wideOnly) {
            for (int i = 0; i < queued; i++) {
                int chain = queue[i];
                for (int at = starts[chain]; at < starts[chain + 1]; at++) {
                    int edge = incoming[at];
                    steps++;
                    if (!found.get(from[edge]) && !(wideOnly && narrow.get(edge))) {
                        by[from[edge]] = edge;
                        met(from[edge]);
                    }
                }
            }
        }

        /** Whether a packet that gets to this chain can be decided about there. */
        public boolean decides(int chain) {
            return chain < found.length() && found.get(chain);
        }

        /** Whether only some packets are, if any. */
        public boolean narrowed(int chain) {
            return !wide.get(chain);
        }

        /** The rules on the shortest such way, in words; empty for an end. */
        List<String> path(int chain) {
            List<String> path = new ArrayList<>();
            int left = 0;
            for (int at = chain; at >= ENDS; at = to[by[at]]) {
                if (path.size() < MOST_STEPS || to[by[at]] < ENDS) {
                    if (left > 0) {
                        path.add("(" + left + " more)");
                    }
                    path.add(text(by[at]));
                } else {
                    left++;
                }
            }
            return path;
        }
    }
}
