package net.ipmasq.dataplane.nftables;

import java.io.IOException;
import java.io.Reader;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.dataplane.Lines;

/** Takes the rules out of what {@code nft -a list} prints as text, one at a time. */
final class RuleTexts {
    private static final String LEAD = "\t\t";
    private static final Pattern HANDLE = Pattern.compile("^(.*) ?# handle (\\d+)$", Pattern.DOTALL);

    private final Consumer<RuleText> rules;
    private final StringBuilder open = new StringBuilder();
    private String chain = "";
    private boolean flagged;

    private RuleTexts(Consumer<RuleText> rules) {
        this.rules = rules;
    }

    /** One rule; {@code text} is on one line, without the handle. */
    record RuleText(String chain, long handle, String text) {}

    /**
     * Hands over all rules while they are printed.
     *
     * @param flags takes the line of the table's flags, if it has any
     */
    static void read(Reader listing, Consumer<String> flags, Consumer<RuleText> rules) throws IOException {
        RuleTexts texts = new RuleTexts(rules);
        Lines.read(listing, line -> {
            texts.line(line);
            if (texts.chain.isEmpty() && !texts.flagged && line.strip().startsWith("flags ")) {
                texts.flagged = true;
                flags.accept(line.strip());
            }
        });
    }

    private void line(String line) {
        if (line.startsWith("\tchain ")) {
            chain = line.strip().split(" ")[1];
        } else if (line.startsWith("\t}")) {
            chain = "";
        } else if (!chain.isEmpty() && line.startsWith(LEAD)) {
            inChain(line.strip());
        }
    }

    /** An anonymous set may go over several lines; the handle ends the rule. */
    private void inChain(String line) {
        boolean first = open.isEmpty();
        boolean ofTheChain = line.startsWith("comment \"") || line.startsWith("type ");
        Matcher end = HANDLE.matcher(line);
        boolean ends = end.matches();
        if (first && ofTheChain && (!ends || line.startsWith("comment \""))) {
            return;
        }
        if (open.length() < Lines.MOST) {
            open.append(first ? "" : " ").append(ends ? end.group(1).stripTrailing() : line);
        }
        if (ends) {
            rules.accept(new RuleText(chain, Long.parseLong(end.group(2)), open.toString()));
            open.setLength(0);
        }
    }
}
