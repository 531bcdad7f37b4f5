package net.ipmasq.dataplane.iptables;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One rule's matches and target, split into options. Options that our rules never use stay in {@code others}, each with
 * its values, so that no rule of others is mistaken for ours.
 */
final class RuleSpec {
    @Nullable
    String destination;

    @Nullable
    String protocol;

    @Nullable
    String comment;

    @Nullable
    String probability;

    @Nullable
    String jump;

    @Nullable
    String toPorts;

    boolean isGoto;
    boolean notLocalDestination;
    boolean randomFully;
    final List<Option> others = new ArrayList<>();

    /**
     * An option that our rules do not use.
     *
     * @param name with its dashes; negated ones have {@code "! "} in front
     */
    record Option(String name, List<String> values) {}

    private RuleSpec() {}

    static RuleSpec parse(String spec) {
        RuleSpec rule = new RuleSpec();
        Deque<String> tokens = new ArrayDeque<>(tokens(spec));
        while (!tokens.isEmpty()) {
            String name = tokens.removeFirst();
            if (name.equals("!") && !tokens.isEmpty()) {
                name = "! " + tokens.removeFirst();
            }
            List<String> values = new ArrayList<>();
            while (!tokens.isEmpty() && !isOption(tokens.getFirst())) {
                values.add(tokens.removeFirst());
            }
            rule.take(name, values);
        }
        return rule;
    }

    // a quoted value keeps its quote as a first character until here, so that a comment "-j" is no option
    private static boolean isOption(String token) {
        return token.equals("!") || token.length() > 1 && token.charAt(0) == '-';
    }

    private void take(String name, List<String> quoted) {
        List<String> values = quoted.stream()
                .map(value -> value.startsWith("\"") ? value.substring(1) : value)
                .toList();
        String value = values.size() == 1 ? values.getFirst() : "";
        switch (name) {
            case "-d" -> destination = value;
            case "-p" -> protocol = value;
            case "--comment" -> comment = value;
            case "-j" -> jump = value;
            case "-g" -> {
                jump = value;
                isGoto = true;
            }
            case "--to-ports" -> toPorts = value;
            case "--probability" -> probability = value;
            case "--random-fully" -> randomFully = true;
            case "! --dst-type" -> {
                if (value.equals("LOCAL")) {
                    notLocalDestination = true;
                } else {
                    others.add(new Option(name, values));
                }
            }
            // loading a match module has no effect by itself
            case "-m" -> {
                if (!List.of("comment", "addrtype", "statistic", "tcp", "udp", "sctp")
                        .contains(value)) {
                    others.add(new Option(name, values));
                }
            }
            case "--mode" -> {
                if (!value.equals("random")) {
                    others.add(new Option(name, values));
                }
            }
            default -> others.add(new Option(name, values));
        }
    }

    /** Splits at spaces; double quotes group, a backslash in them takes the next character as it is. */
    static List<String> tokens(String spec) {
        List<String> tokens = new ArrayList<>();
        StringBuilder token = new StringBuilder();
        boolean quoted = false;
        boolean open = false;
        for (int i = 0; i < spec.length(); i++) {
            char c = spec.charAt(i);
            if (quoted && c == '\\' && i + 1 < spec.length()) {
                token.append(spec.charAt(++i));
            } else if (c == '"') {
                quoted = !quoted;
                if (quoted && !open) {
                    token.append('"');
                }
                open = true;
            } else if (c == ' ' && !quoted) {
                if (open) {
                    tokens.add(token.toString());
                    token.setLength(0);
                }
                open = false;
            } else {
                token.append(c);
                open = true;
            }
        }
        if (open) {
            tokens.add(token.toString());
        }
        return tokens;
    }
}
