package net.ipmasq.dataplane.iptables;

import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import net.ipmasq.rules.ObservedChain.Counters;

/**
 * The nat table as {@code iptables-save} prints it, passed on line by line; nothing is kept or interpreted,
 * since on a node with many services nearly all lines are kube-proxy's.
 */
final class SaveText {
    private static final int MOST_SHOWN = 200;

    private final Receiver receiver;
    private boolean inNat;
    private boolean committed;
    private Optional<String> wrong = Optional.empty();

    interface Receiver {
        /** A chain that is there, with or without rules. */
        void chain(String name);

        void rule(RawRule rule);
    }

    /**
     * One rule line.
     *
     * @param text {@code -A CHAIN} and all that follows
     */
    record RawRule(String chain, String text, Counters counters) {
        /** What follows the chain, without a leading space; empty for a rule without any match or target. */
        String spec() {
            int at = "-A ".length() + chain.length() + 1;
            return text.length() < at ? "" : text.substring(at);
        }
    }

    private SaveText(Receiver receiver) {
        this.receiver = receiver;
    }

    /** Reads to the end and returns why the text is not a table; empty if it is complete. */
    static Optional<String> read(Reader save, Receiver receiver) throws IOException {
        SaveText text = new SaveText(receiver);
        Optional<String> tooLong = SaveLines.read(save, text::line);
        return tooLong.or(() -> text.wrong)
                .or(() -> text.committed ? Optional.empty() : Optional.of("the table nat has no COMMIT line"));
    }

    private void line(String line) {
        if (wrong.isPresent()) {
            return;
        }
        if (line.startsWith("#")) {
            // iptables 1.8.9 prints this as a comment, no rules, and exits with 0
            if (isIncompatible(line)) {
                wrong = Optional.of(line.substring(1).strip());
            }
        } else if (line.startsWith("*")) {
            inNat = line.equals("*nat");
        } else if (inNat && line.equals("COMMIT")) {
            committed = true;
            inNat = false;
        } else if (inNat && line.startsWith(":")) {
            int end = line.indexOf(' ');
            receiver.chain(line.substring(1, end < 0 ? line.length() : end));
        } else if (inNat && !line.isBlank()) {
            rule(line);
        }
    }

    /** Whether this is the line by which the nft variant reports a table with rules that it cannot show. */
    static boolean isIncompatible(String line) {
        return line.startsWith("#") && saysIncompatible(line);
    }

    static boolean saysIncompatible(String words) {
        return words.contains("is incompatible");
    }

    private void rule(String line) {
        RawRule rule = parsed(line);
        if (rule == null) {
            String shown = line.length() > MOST_SHOWN ? line.substring(0, MOST_SHOWN) + "..." : line;
            wrong = Optional.of("a line is no rule: " + shown);
        } else {
            receiver.rule(rule);
        }
    }

    private static @org.jspecify.annotations.Nullable RawRule parsed(String line) {
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
        return new RawRule(chain, rest, counters);
    }
}
