package net.ipmasq.lab;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.ipmasq.net.IpFamily;

/**
 * Walks what {@code iptables-save -t nat} prints, from POSTROUTING, as the kernel would. An oracle for tests: it is
 * written from the manual of iptables and shares no code with the agent but addresses and prefixes.
 */
public final class SaveTrace implements NatTrace {
    private static final String BASE = "POSTROUTING";

    /** No chain of a sane table is deeper; the kernel refuses loops itself. */
    private static final int DEEPEST = 32;

    /** How the walk through a chain can end. */
    private enum End {
        ACCEPTED,
        MASQUERADED,
        RETURNED
    }

    private final Map<String, List<SaveRule>> chains;

    private SaveTrace(Map<String, List<SaveRule>> chains) {
        this.chains = chains;
    }

    /**
     * Reads a listing; one without any table is an empty table.
     *
     * @throws IllegalArgumentException if the listing is cut off or has a line that is not understood
     */
    public static SaveTrace of(String save, IpFamily family) {
        Map<String, List<SaveRule>> chains = new HashMap<>();
        chains.put(BASE, new ArrayList<>());
        boolean open = false;
        for (String line : save.lines().toList()) {
            if (line.equals("*nat")) {
                open = true;
            } else if (line.equals("COMMIT")) {
                open = false;
            } else if (line.startsWith(":")) {
                chain(line, chains);
            } else if (line.startsWith("-A ")) {
                add(SaveRule.parse(line, family), chains);
            } else if (!line.isBlank() && !isRemark(line)) {
                throw new IllegalArgumentException("not understood: " + line);
            }
        }
        if (open) {
            throw new IllegalArgumentException("the listing has no COMMIT");
        }
        return new SaveTrace(chains);
    }

    private static boolean isRemark(String line) {
        // "# Table `nat' is incompatible" hides every rule, so it is no mere remark
        return line.startsWith("#") && !line.contains("incompatible");
    }

    private static void chain(String line, Map<String, List<SaveRule>> chains) {
        String[] words = line.substring(1).split(" ");
        if (words[0].equals(BASE) && !words[1].equals("ACCEPT")) {
            throw new IllegalArgumentException("not understood: " + line);
        }
        chains.putIfAbsent(words[0], new ArrayList<>());
    }

    private static void add(SaveRule rule, Map<String, List<SaveRule>> chains) {
        List<SaveRule> rules = chains.get(rule.chain());
        if (rules == null) {
            throw new IllegalArgumentException("a rule for the chain " + rule.chain() + ", which is not declared");
        }
        rules.add(rule);
    }

    @Override
    public Verdict verdict(Packet packet) {
        Set<End> ends = walk(BASE, packet, 0);
        boolean masqueraded = ends.remove(End.MASQUERADED);
        if (masqueraded && !ends.isEmpty()) {
            throw new IllegalStateException("chance decides about " + packet);
        }
        return masqueraded ? Verdict.MASQUERADE : Verdict.KEEP;
    }

    /** Every way in which the walk through a chain can end; more than one where chance decides. */
    private Set<End> walk(String chain, Packet packet, int depth) {
        if (depth > DEEPEST) {
            throw new IllegalArgumentException("chains go round at " + chain);
        }
        Set<End> ends = EnumSet.noneOf(End.class);
        for (SaveRule rule : rules(chain)) {
            SaveRule.Match match = rule.match(packet);
            if (match != SaveRule.Match.NO && !goesOn(rule, packet, depth, ends) && match == SaveRule.Match.YES) {
                return ends;
            }
        }
        ends.add(End.RETURNED);
        return ends;
    }

    /** Takes the rule's target, adds the ends it leads to, and says whether the next rule can be reached past it. */
    private boolean goesOn(SaveRule rule, Packet packet, int depth, Set<End> ends) {
        switch (rule.target()) {
            case "" -> {
                return true;
            }
            case "ACCEPT" -> ends.add(End.ACCEPTED);
            case "RETURN" -> ends.add(End.RETURNED);
            case "MASQUERADE" -> ends.add(End.MASQUERADED);
            default -> {
                Set<End> inner = walk(rule.target(), packet, depth + 1);
                // whoever was sent with -g comes back to the caller of this chain, with -j to the next rule
                boolean back = rule.jumps() && inner.remove(End.RETURNED);
                ends.addAll(inner);
                return back;
            }
        }
        return false;
    }

    private List<SaveRule> rules(String chain) {
        List<SaveRule> rules = chains.get(chain);
        if (rules == null) {
            throw new IllegalArgumentException("a jump to " + chain + ", which is not declared");
        }
        return rules;
    }
}
