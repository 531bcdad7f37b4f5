package net.ipmasq.lab;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.ipmasq.net.IpFamily;

/**
 * Walks what {@code iptables-save -t nat} prints, from POSTROUTING, as the kernel would. An oracle for tests: it is
 * written from the manual of iptables and shares no code with the agent but addresses and prefixes.
 */
public final class SaveTrace implements NatTrace {
    private static final String BASE = "POSTROUTING";

    private final ChainWalk walk;

    private SaveTrace(Map<String, List<TraceRule>> chains) {
        this.walk = new ChainWalk(chains);
    }

    /**
     * Reads a listing; one without any table is an empty table.
     *
     * @throws IllegalArgumentException if the listing is cut off or has a line that is not understood
     */
    public static SaveTrace of(String save, IpFamily family) {
        Map<String, List<TraceRule>> chains = new HashMap<>();
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
        // "# Table `nat' is incompatible" hides every rule, so it is not just a comment
        return line.startsWith("#") && !line.contains("incompatible");
    }

    private static void chain(String line, Map<String, List<TraceRule>> chains) {
        String[] words = line.substring(1).split(" ");
        if (words[0].equals(BASE) && !words[1].equals("ACCEPT")) {
            throw new IllegalArgumentException("not understood: " + line);
        }
        chains.putIfAbsent(words[0], new ArrayList<>());
    }

    private static void add(TraceRule rule, Map<String, List<TraceRule>> chains) {
        List<TraceRule> rules = chains.get(rule.chain());
        if (rules == null) {
            throw new IllegalArgumentException("a rule for the chain " + rule.chain() + ", which is not declared");
        }
        rules.add(rule);
    }

    @Override
    public Verdict verdict(Packet packet) {
        return walk.verdict(List.of(BASE), packet);
    }
}
