package net.ipmasq.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import net.ipmasq.lab.TraceRule.Action;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;

/** Reads one {@code -A} line of {@code iptables-save}. */
final class SaveRule {
    /** Options of targets that do not change whether the source address changes. */
    private static final Set<String> TARGET_FLAGS = Set.of("--random-fully", "--random");

    private SaveRule() {}

    static TraceRule parse(String line, IpFamily family) {
        Words words = new Words(split(line), line);
        words.expect("-A");
        String chain = words.next();
        List<TraceRule.Condition> conditions = new ArrayList<>();
        while (words.more()) {
            String word = words.next();
            if (word.equals("-j") || word.equals("-g")) {
                String target = words.next();
                skipTargetOptions(words);
                return rule(chain, conditions, target, word.equals("-j"));
            }
            boolean not = word.equals("!");
            condition(not ? words.next() : word, not, words, family, conditions);
        }
        return new TraceRule(chain, conditions, Action.NOTHING, "");
    }

    private static TraceRule rule(String chain, List<TraceRule.Condition> conditions, String target, boolean jumps) {
        return switch (target) {
            case "ACCEPT" -> new TraceRule(chain, conditions, Action.ACCEPT, "");
            case "RETURN" -> new TraceRule(chain, conditions, Action.RETURN, "");
            case "MASQUERADE" -> new TraceRule(chain, conditions, Action.MASQUERADE, "");
            default -> new TraceRule(chain, conditions, jumps ? Action.JUMP : Action.GOTO, target);
        };
    }

    private static void condition(
            String option, boolean not, Words words, IpFamily family, List<TraceRule.Condition> conditions) {
        switch (option) {
            case "-m" -> words.oneOf("addrtype", "comment", "statistic", "tcp", "udp", "sctp");
            case "--comment" -> words.next();
            case "-d" -> {
                Cidr cidr = cidr(words.next(), family);
                conditions.add(packet -> TraceRule.of(cidr.contains(packet.destination()) != not));
            }
            case "-p" -> {
                String protocol = words.next();
                conditions.add(
                        packet -> TraceRule.of(protocol.equals(packet.protocol().key()) != not));
            }
            case "--dst-type" -> {
                words.oneOf("LOCAL");
                conditions.add(packet -> TraceRule.of(packet.local() != not));
            }
            case "--mode" -> words.oneOf("random");
            case "--probability" -> {
                words.next();
                conditions.add(TraceRule.Condition.CHANCE);
            }
            default -> throw words.notUnderstood(option);
        }
    }

    private static void skipTargetOptions(Words words) {
        while (words.more()) {
            String option = words.next();
            if (option.equals("--to-ports")) {
                words.next();
            } else if (!TARGET_FLAGS.contains(option)) {
                throw words.notUnderstood(option);
            }
        }
    }

    private static Cidr cidr(String text, IpFamily family) {
        return Cidr.of(text.indexOf('/') < 0 ? text + "/" + family.bits() : text);
    }

    /** Words as iptables-save writes them: white space parts them, double quotes keep it, backslash escapes in them. */
    private static List<String> split(String line) {
        List<String> words = new ArrayList<>();
        StringBuilder word = new StringBuilder();
        boolean quoted = false;
        boolean started = false;
        for (int i = 0; i < line.length(); i++) {
            char c = line.charAt(i);
            if (quoted && c == '\\' && i + 1 < line.length()) {
                word.append(line.charAt(++i));
            } else if (c == '"') {
                quoted = !quoted;
                started = true;
            } else if (c == ' ' && !quoted) {
                if (started) {
                    words.add(word.toString());
                }
                word.setLength(0);
                started = false;
            } else {
                word.append(c);
                started = true;
            }
        }
        if (started) {
            words.add(word.toString());
        }
        return words;
    }

    /** Reads the words of a line one after the other. */
    private static final class Words {
        private final List<String> words;
        private final String line;
        private int at;

        Words(List<String> words, String line) {
            this.words = words;
            this.line = line;
        }

        boolean more() {
            return at < words.size();
        }

        String next() {
            if (!more()) {
                throw notUnderstood("the end");
            }
            return words.get(at++);
        }

        void expect(String word) {
            oneOf(word);
        }

        void oneOf(String... known) {
            String word = next();
            if (!List.of(known).contains(word)) {
                throw notUnderstood(word);
            }
        }

        IllegalArgumentException notUnderstood(String word) {
            return new IllegalArgumentException("'" + word + "' is not understood in: " + line);
        }
    }
}
