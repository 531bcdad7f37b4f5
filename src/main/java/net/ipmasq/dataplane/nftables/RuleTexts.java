package net.ipmasq.dataplane.nftables;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Takes the rules out of what {@code nft -a list} prints as text. */
final class RuleTexts {
    private static final String LEAD = "\t\t";
    private static final Pattern HANDLE = Pattern.compile("^(.*) # handle (\\d+)$", Pattern.DOTALL);

    private RuleTexts() {}

    /** One rule; {@code text} is on one line, without the handle. */
    record RuleText(String chain, long handle, String text) {}

    /** All rules of the chains in the listing, in order. */
    static List<RuleText> of(String listing) {
        List<RuleText> rules = new ArrayList<>();
        String chain = "";
        StringBuilder open = new StringBuilder();
        for (String line : listing.split("\n")) {
            if (line.startsWith("\tchain ")) {
                chain = line.strip().split(" ")[1];
            } else if (line.startsWith("\t}")) {
                chain = "";
            } else if (!chain.isEmpty() && line.startsWith(LEAD)) {
                if (open.isEmpty() && line.strip().startsWith("comment \"")) {
                    // the chain's own
                    continue;
                }
                // an anonymous set may go over several lines; the handle ends the rule
                open.append(open.isEmpty() ? "" : " ").append(line.strip());
                Matcher rule = HANDLE.matcher(open);
                if (rule.matches()) {
                    rules.add(new RuleText(chain, Long.parseLong(rule.group(2)), rule.group(1)));
                    open.setLength(0);
                } else if (open.toString().startsWith("type ")) {
                    open.setLength(0);
                }
            }
        }
        return rules;
    }
}
