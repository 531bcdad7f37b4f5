package net.ipmasq.dataplane.nftables;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.net.IpFamily;

/**
 * What matters to our rules of a rule that is not ours.
 *
 * @param rewrites whether it gives a packet its source address
 * @param targets the chains that it leads to; a verdict map has several
 * @param narrowed whether it sees only packets of some sources or interfaces
 */
record ForeignRule(boolean rewrites, List<String> targets, boolean narrowed) {
    private static final ForeignRule HARMLESS = new ForeignRule(false, List.of(), false);

    private static final Pattern REWRITE = Pattern.compile(
            "\\bmasquerade\\b|\\bsnat (ip6? )?(prefix )?to\\b|xt target \"?(MASQUERADE|SNAT|NETMAP)\\b");
    private static final Pattern JUMP = Pattern.compile("\\b(?:jump|goto) ([^\\s,}]+)");
    private static final Pattern MARK = Pattern.compile("\\b(meta|ct) mark\\b|xt match \"?(conn)?mark\\b");
    private static final Pattern IPV4_ONLY = Pattern.compile("\\bip [sd]addr\\b|\\bnfproto ipv4\\b");
    private static final Pattern IPV6_ONLY = Pattern.compile("\\bip6 [sd]addr\\b|\\bnfproto ipv6\\b");

    /** Names in quotes, such as those of interfaces, have no meaning here. */
    private static final Pattern QUOTED = Pattern.compile("(?<!xt target )(?<!xt match )\"[^\"]*\"");

    /** What does not narrow a rule down to some sources or interfaces, and the verdict itself. */
    private static final Pattern WIDE = Pattern.compile(
            "\\bcounter\\b|xt match \"?comment\"?|\\bip6? daddr (!= )?(\\{[^}]*}|\\S+)"
                    + "|\\bmeta (l4proto|nfproto) (!= )?(\\{[^}]*}|\\S+)|\\b(tcp|udp|sctp|th) dport (!= )?(\\{[^}]*}|\\S+)"
                    + "|\\bfib daddr type (!= )?\\S+|xt target \"?\\w+\"?|\\b(masquerade|snat)\\b.*$|\\b(jump|goto) \\S+");

    private static final Pattern COMMENT = Pattern.compile("comment \"[^\"]*\"");

    ForeignRule {
        targets = List.copyOf(targets);
    }

    /** Reads a rule as nft prints it, as far as it is about packets of this family. */
    static ForeignRule of(String text, IpFamily family) {
        if (!canLead(text)) {
            return HARMLESS;
        }
        String plain = plain(text);
        Pattern otherFamily = family == IpFamily.IPV4 ? IPV6_ONLY : IPV4_ONLY;
        if (MARK.matcher(plain).find() || otherFamily.matcher(plain).find()) {
            return HARMLESS;
        }
        boolean rewrites = REWRITE.matcher(plain).find();
        List<String> targets = rewrites ? List.of() : targets(plain);
        boolean matters = rewrites || !targets.isEmpty();
        return matters ? new ForeignRule(rewrites, targets, isNarrowed(plain)) : HARMLESS;
    }

    /** Most rules do not, which is seen at once. */
    private static boolean canLead(String text) {
        return text.contains("jump ")
                || text.contains("goto ")
                || text.contains("masquerade")
                || text.contains("snat ")
                || text.contains("xt target ");
    }

    private static List<String> targets(String plain) {
        List<String> targets = new ArrayList<>();
        for (Matcher jump = JUMP.matcher(plain); jump.find(); ) {
            targets.add(jump.group(1));
        }
        return targets;
    }

    private static boolean isNarrowed(String plain) {
        return !WIDE.matcher(plain).replaceAll("").isBlank();
    }

    /** Whether it sends all packets back that have no mark. */
    static boolean returnsWithoutMark(String text) {
        if (!text.contains("return")) {
            return false;
        }
        String plain = plain(text);
        return MARK.matcher(plain).find() && plain.contains("return");
    }

    private static String plain(String text) {
        return text.indexOf('"') < 0
                ? text
                : QUOTED.matcher(COMMENT.matcher(text).replaceAll("")).replaceAll("\"\"");
    }
}
