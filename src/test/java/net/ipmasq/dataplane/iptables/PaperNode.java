package net.ipmasq.dataplane.iptables;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.lab.TextRunner;
import net.ipmasq.net.IpFamily;

/** A node on paper: which programs there are, what they print, and what /proc says. */
final class PaperNode implements TextRunner, NodeFiles {
    static final String CAPABLE = "Name:\tjava\nCapEff:\t0000000000001000\n";

    private final Set<String> programs = new HashSet<>();
    private final Map<String, Outcome> answers = new HashMap<>();
    private final Map<String, String> texts = new HashMap<>();
    private final List<String> calls = new ArrayList<>();

    PaperNode() {
        file("/proc/self/status", CAPABLE);
        file("/proc/net/if_inet6", "");
    }

    /** Both variants under their own names. */
    static PaperNode withBoth() {
        PaperNode node = new PaperNode();
        for (IpFamily family : IpFamily.values()) {
            for (Variant variant : Variant.values()) {
                node.programs(variant.tool(family, "-save"), variant.tool(family, "-restore"));
            }
        }
        return node;
    }

    PaperNode programs(String... names) {
        programs.addAll(List.of(names));
        return this;
    }

    PaperNode file(String path, String text) {
        texts.put(path, text);
        return this;
    }

    PaperNode noFile(String path) {
        texts.remove(path);
        return this;
    }

    /** What a command line prints. */
    PaperNode answers(String argv, String stdout) {
        return answers(argv, new Exited(0, stdout, ""));
    }

    PaperNode answers(String argv, Outcome outcome) {
        answers.put(argv, outcome);
        return this;
    }

    /** A table of a variant with this many rules and these chains. */
    PaperNode table(IpFamily family, Variant variant, String table, int rules, String... chains) {
        if (variant == Variant.LEGACY) {
            String path = Variant.tableNames(family);
            texts.merge(path, table + "\n", String::concat);
        }
        StringBuilder text = new StringBuilder("*" + table + "\n");
        for (String chain : chains) {
            text.append(':').append(chain).append(" - [0:0]\n");
        }
        text.append("-A POSTROUTING -j ACCEPT\n".repeat(rules)).append("COMMIT\n");
        return answers(variant.tool(family, "-save") + " -t " + table, text.toString());
    }

    List<String> calls() {
        return List.copyOf(calls);
    }

    void forget() {
        calls.clear();
    }

    @Override
    public Outcome run(List<String> argv, String stdin, Duration limit) {
        String line = String.join(" ", argv);
        calls.add(line);
        return answers.getOrDefault(line, new Exited(0, "*nat\nCOMMIT\n", ""));
    }

    @Override
    public boolean has(String program) {
        return programs.contains(program);
    }

    @Override
    public Optional<String> read(String path) {
        return Optional.ofNullable(texts.get(path));
    }
}
