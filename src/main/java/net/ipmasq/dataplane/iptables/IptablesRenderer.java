package net.ipmasq.dataplane.iptables;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import net.ipmasq.net.Cidr;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.ObservedChain;
import net.ipmasq.rules.ObservedChain.Jump;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Rule.MasqueradeRest;
import net.ipmasq.rules.Rule.PortShare;

/** Writes what {@code iptables-restore --noflush} takes. Pure. */
public final class IptablesRenderer {
    private IptablesRenderer() {}

    /** The whole of one family as if nothing were there: chain, jump and rules. */
    public static String render(FamilyRules desired) {
        return restore(desired, ObservedChain.absent(desired.chain()));
    }

    /**
     * One transaction that turns {@code before} into {@code desired}: only the rules that differ are replaced where they
     * stand together, else the chain is rewritten; the jump only if it is not there exactly once.
     */
    public static String restore(FamilyRules desired, ObservedChain before) {
        List<Rule> rules = desired.ordered();
        StringBuilder text = new StringBuilder(256 + 128 * rules.size()).append("*nat\n");
        Optional<ChainEdit> edit = before.present() ? ChainEdit.between(before.lines(), rules) : Optional.empty();
        if (edit.isEmpty()) {
            // with --noflush, declaring a user chain creates it or empties it
            text.append(':').append(desired.chain()).append(" - [0:0]\n");
        }
        jumps(desired.chain(), before, text);
        if (edit.isPresent()) {
            edit.get().render(desired.chain(), text);
        } else {
            for (Rule rule : rules) {
                text.append(line(desired.chain(), rule)).append('\n');
            }
        }
        return text.append("COMMIT\n").toString();
    }

    private static void jumps(String chain, ObservedChain before, StringBuilder text) {
        List<Jump> canonical = before.jumps(Jump.Kind.CANONICAL);
        if (canonical.isEmpty()) {
            text.append(jump(chain)).append('\n');
        }
        before.jumps(Jump.Kind.VARIANT)
                .forEach(jump -> text.append(deletion(jump)).append('\n'));
        canonical.stream().skip(1).forEach(jump -> text.append(deletion(jump)).append('\n'));
    }

    // by text, never by number: a number may mean somebody else's rule by the time it arrives
    private static String deletion(Jump jump) {
        return "-D" + jump.text().substring("-A".length());
    }

    /** One transaction that removes our jumps and rules, and the chain itself unless others still refer to it. */
    public static String removal(ObservedChain before) {
        StringBuilder text = new StringBuilder("*nat\n");
        if (before.present()) {
            text.append(':').append(before.chain()).append(" - [0:0]\n");
        }
        for (Jump jump : before.jumps()) {
            if (jump.kind() != Jump.Kind.FOREIGN) {
                text.append(deletion(jump)).append('\n');
            }
        }
        if (before.present() && before.othersRules().isEmpty()) {
            text.append("-X ").append(before.chain()).append('\n');
        }
        return text.append("COMMIT\n").toString();
    }

    /** The jump as we write it. */
    public static String jump(String chain) {
        return "-A " + IptablesNames.BASE_CHAIN + " -m comment --comment \"" + IptablesNames.jump(chain)
                + "\" -m addrtype ! --dst-type LOCAL -j " + chain;
    }

    /** One rule as we write it, which is also how the kernel shows it, but for {@code -d 0.0.0.0/0}. */
    public static String line(String chain, Rule rule) {
        StringBuilder text = new StringBuilder(128).append("-A ").append(chain);
        switch (rule) {
            case Rule.LinkLocal linkLocal -> keep(rule, linkLocal.cidr(), text);
            case Rule.Exempt exempt -> keep(rule, exempt.cidr(), text);
            case Rule.MasqueradeTo to -> {
                destination(to.cidr(), text);
                comment(rule, text).append(" -j MASQUERADE");
                randomFully(to.randomFully(), text);
            }
            case MasqueradeRest rest -> rest(rest, text);
        }
        return text.toString();
    }

    private static void keep(Rule rule, Cidr cidr, StringBuilder text) {
        destination(cidr, text);
        comment(rule, text).append(" -j RETURN");
    }

    private static void rest(MasqueradeRest rest, StringBuilder text) {
        PortShare share = rest.ports().orElse(null);
        if (share != null) {
            text.append(" -p ").append(share.transport().key());
        }
        comment(rest, text);
        if (share != null && share.probability().isPresent()) {
            text.append(" -m statistic --mode random --probability ")
                    .append(probability(share.probability().getAsInt()));
        }
        text.append(" -j MASQUERADE");
        if (share != null) {
            text.append(" --to-ports ").append(share.range());
        }
        randomFully(rest.randomFully(), text);
    }

    /** As {@code iptables-save} prints it: 11 decimals, enough to tell all 2³¹ values apart. */
    static String probability(int units) {
        return String.format(Locale.ROOT, "%.11f", units / (double) 0x8000_0000L);
    }

    private static void destination(Cidr cidr, StringBuilder text) {
        if (cidr.prefixLength() > 0) {
            text.append(" -d ").append(cidr);
        }
    }

    private static StringBuilder comment(Rule rule, StringBuilder text) {
        return text.append(" -m comment --comment \"")
                .append(IptablesNames.comment(rule))
                .append('"');
    }

    private static void randomFully(boolean on, StringBuilder text) {
        if (on) {
            text.append(" --random-fully");
        }
    }
}
