package net.ipmasq.dataplane.iptables;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import net.ipmasq.rules.ObservedChain.Counters;

/**
 * The nat table as {@code iptables-save} prints it, split into chains and rule lines; nothing is interpreted yet, since
 * on a node with many services nearly all lines are kube-proxy's.
 *
 * @param chains rule lines by chain, in order; chains without rules have an empty list
 */
record SaveText(Map<String, List<RawRule>> chains) {

    /**
     * One rule line.
     *
     * @param spec what follows {@code -A CHAIN}, without a leading space; empty for a rule without any match or target
     */
    record RawRule(String chain, String spec, Counters counters) {
        String text() {
            return spec.isEmpty() ? "-A " + chain : "-A " + chain + " " + spec;
        }
    }

    /** What a save text turned out to be. */
    sealed interface Parsed {}

    /** Complete and understood. */
    record Complete(SaveText table) implements Parsed {}

    /** Not to be taken for an empty table. */
    record Incomplete(String why) implements Parsed {}

    List<RawRule> rules(String chain) {
        return chains.getOrDefault(chain, List.of());
    }

    static Parsed parse(String save) {
        Map<String, List<RawRule>> chains = new LinkedHashMap<>();
        boolean inNat = false;
        boolean committed = false;
        for (String line : lines(save)) {
            if (line.startsWith("#")) {
                // iptables 1.8.9 prints this as a comment, no rules, and exits with 0
                if (line.contains("is incompatible")) {
                    return new Incomplete(line.substring(1).strip());
                }
            } else if (line.startsWith("*")) {
                inNat = line.equals("*nat");
            } else if (inNat && line.equals("COMMIT")) {
                committed = true;
                inNat = false;
            } else if (inNat && line.startsWith(":")) {
                int end = line.indexOf(' ');
                chains.computeIfAbsent(line.substring(1, end < 0 ? line.length() : end), name -> new ArrayList<>());
            } else if (inNat && !line.isBlank()) {
                RawRule rule = rule(line);
                if (rule == null) {
                    return new Incomplete("a line is no rule: " + line);
                }
                chains.computeIfAbsent(rule.chain(), name -> new ArrayList<>()).add(rule);
            }
        }
        return committed ? new Complete(new SaveText(chains)) : new Incomplete("the table nat has no COMMIT line");
    }

    /** A comment may hold line feeds, and the tools print them as they are; such a rule is one line here. */
    private static List<String> lines(String save) {
        List<String> lines = new ArrayList<>();
        StringBuilder open = new StringBuilder();
        for (String line : save.split("\n")) {
            boolean starts = open.isEmpty();
            if (starts && !line.startsWith("-A ") && !line.startsWith("[")) {
                lines.add(line);
            } else {
                open.append(starts ? "" : "\n").append(line);
                if (quotesClose(open)) {
                    lines.add(open.toString());
                    open.setLength(0);
                }
            }
        }
        if (!open.isEmpty()) {
            lines.add(open.toString());
        }
        return lines;
    }

    private static boolean quotesClose(CharSequence rule) {
        boolean quoted = false;
        for (int i = 0; i < rule.length(); i++) {
            char c = rule.charAt(i);
            if (quoted && c == '\\') {
                i++;
            } else if (c == '"') {
                quoted = !quoted;
            }
        }
        return !quoted;
    }

    private static @org.jspecify.annotations.Nullable RawRule rule(String line) {
        Counters counters = Counters.ZERO;
        String rest = line;
        if (line.startsWith("[")) {
            int end = line.indexOf("] ");
            int colon = line.indexOf(':');
            if (end < 0 || colon < 0 || colon > end) {
                return null;
            }
            try {
                counters = new Counters(
                        Long.parseUnsignedLong(line.substring(1, colon)),
                        Long.parseUnsignedLong(line.substring(colon + 1, end)));
            } catch (NumberFormatException e) {
                return null;
            }
            rest = line.substring(end + 2);
        }
        if (!rest.startsWith("-A ")) {
            return null;
        }
        int space = rest.indexOf(' ', 3);
        String chain = space < 0 ? rest.substring(3) : rest.substring(3, space);
        return new RawRule(chain, space < 0 ? "" : rest.substring(space + 1), counters);
    }
}
