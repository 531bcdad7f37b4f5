package net.ipmasq.dataplane.nftables;

import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.CidrSet;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Rule.MasqueradeRest;
import net.ipmasq.rules.Rule.PortShare;
import net.ipmasq.rules.Ruleset;
import net.ipmasq.rules.SetForm;
import org.jspecify.annotations.Nullable;

/** Writes what {@code nft -f -} takes. Pure. */
public final class NftRenderer {
    private final IpFamily family;
    private final String chain;
    private final StringBuilder text = new StringBuilder(1024);

    private NftRenderer(IpFamily family, String chain) {
        this.family = family;
        this.chain = chain;
    }

    /** One transaction that makes our table of one family anew, whatever was in it. */
    public static String render(FamilyRules desired, IpFamily family) {
        return new NftRenderer(family, desired.chain()).whole(desired.setForm());
    }

    /** 12 hex digits that change with what the table of this family means. */
    public static String revision(FamilyRules desired, IpFamily family) {
        return new NftRenderer(family, desired.chain()).revision(desired.setForm());
    }

    /** The jump as we write it, without its place. */
    public static String jump(FamilyRules desired, IpFamily family) {
        return new NftRenderer(family, desired.chain()).jump(desired.setForm());
    }

    /** One rule as it would stand without sets: for people. */
    public static String line(Rule rule, IpFamily family) {
        NftRenderer renderer = new NftRenderer(family, "");
        switch (rule) {
            case Rule.LinkLocal linkLocal ->
                renderer.destination(linkLocal.cidr().toString()).verdict("return");
            case Rule.Exempt exempt ->
                renderer.destination(exempt.cidr().toString()).verdict("return");
            case Rule.MasqueradeTo to ->
                renderer.destination(to.cidr().toString()).verdict(masquerade(null, to.randomFully()));
            case MasqueradeRest rest -> renderer.rest(rest);
        }
        return renderer.text.toString().strip();
    }

    /** Adds and removes entries of the lists, and writes the new revision into the comment of the jump. */
    static String edit(FamilyRules desired, IpFamily family, SetForm before, long jumpHandle) {
        return new NftRenderer(family, desired.chain()).edit(before, desired.setForm(), jumpHandle);
    }

    /** Rewrites what is ours in a table that also holds something of others, which a new table would lose. */
    static String inPlace(FamilyRules desired, IpFamily family, TableView before) {
        return new NftRenderer(family, desired.chain()).inPlace(desired.setForm(), before);
    }

    /** Removes the table, or only what is ours in it when it also holds something of others. */
    static String removal(String chain, IpFamily family, TableView before) {
        return new NftRenderer(family, chain).removal(before);
    }

    private String whole(SetForm form) {
        // deleting what is not there would fail; adding what is there does not
        text.append("table ").append(NftNames.table(family)).append('\n');
        text.append("delete table ").append(NftNames.table(family)).append('\n');
        text.append("table ").append(NftNames.table(family)).append(" {\n");
        set(NftNames.MASQUERADE_SET, form.masquerade());
        set(NftNames.KEEP_SET, form.keep());
        text.append("  chain ").append(chain).append(" {\n");
        ownRules(form, "    ");
        text.append("  }\n  chain ").append(NftNames.BASE).append(" {\n    ");
        text.append(hook()).append("\n    ").append(jump(form)).append("\n  }\n}\n");
        return text.toString();
    }

    private static String hook() {
        return "type nat hook postrouting priority " + NftNames.PRIORITY_TEXT + "; policy accept;";
    }

    // no auto-merge: it would hide which entries there are
    private String setHead() {
        return "type " + NftNames.addressType(family) + "; flags interval; counter;";
    }

    private void set(String name, CidrSet entries) {
        text.append("  set ").append(name).append(" {\n    ").append(setHead()).append('\n');
        if (!entries.isEmpty()) {
            text.append("    elements = {\n      ").append(list(entries.prefixes(), ",\n      "));
            text.append("\n    }\n");
        }
        text.append("  }\n");
    }

    private static String list(List<Cidr> entries, String separator) {
        return entries.stream().map(Cidr::toString).collect(Collectors.joining(separator));
    }

    private void ownRules(SetForm form, String lead) {
        if (!form.masquerade().isEmpty()) {
            Rule any = new Rule.MasqueradeTo(form.masquerade().prefixes().getFirst(), form.randomFully());
            text.append(lead);
            destination("@" + NftNames.MASQUERADE_SET).verdict(masquerade(null, form.randomFully()));
            comment(any);
        }
        form.linkLocal().ifPresent(rule -> {
            text.append(lead);
            destination(rule.cidr().toString()).counter().verdict("return");
            comment(rule);
        });
        if (!form.keep().isEmpty()) {
            text.append(lead);
            destination("@" + NftNames.KEEP_SET).verdict("return");
            comment(new Rule.Exempt(form.keep().prefixes().getFirst()));
        }
        for (MasqueradeRest rest : form.rest()) {
            text.append(lead);
            rest(rest);
            comment(rest);
        }
    }

    private NftRenderer destination(String value) {
        text.append(NftNames.family(family)).append(" daddr ").append(value).append(' ');
        return this;
    }

    private NftRenderer counter() {
        text.append("counter ");
        return this;
    }

    private void verdict(String words) {
        text.append(words);
    }

    private void comment(Rule rule) {
        text.append(" comment \"").append(NftNames.comment(rule, family)).append("\"\n");
    }

    private void rest(MasqueradeRest rest) {
        PortShare share = rest.ports().orElse(null);
        if (share != null) {
            text.append("meta l4proto ").append(share.transport().key()).append(' ');
            // the kernel's own unit, so that both backends spread alike
            share.probability()
                    .ifPresent(units -> text.append("numgen random mod 2147483648 < ")
                            .append(units)
                            .append(' '));
        }
        counter().verdict(masquerade(share, rest.randomFully()));
    }

    private static String masquerade(@Nullable PortShare share, boolean randomFully) {
        return "masquerade" + (share == null ? "" : " to :" + share.range()) + (randomFully ? " fully-random" : "");
    }

    private String jump(SetForm form) {
        return "fib daddr type != local jump " + chain + " comment \"" + NftNames.jump(chain, revision(form)) + "\"";
    }

    private String revision(SetForm form) {
        return Ruleset.of(chain, Map.of(family, new FamilyRules.Listed(chain, form.rules())))
                .revision();
    }

    private String edit(SetForm before, SetForm after, long jumpHandle) {
        elements("delete", NftNames.MASQUERADE_SET, before.masquerade().notIn(after.masquerade()));
        elements("delete", NftNames.KEEP_SET, before.keep().notIn(after.keep()));
        elements("add", NftNames.MASQUERADE_SET, after.masquerade().notIn(before.masquerade()));
        elements("add", NftNames.KEEP_SET, after.keep().notIn(before.keep()));
        text.append("replace rule ").append(NftNames.table(family)).append(' ').append(NftNames.BASE);
        text.append(" handle ")
                .append(jumpHandle)
                .append(' ')
                .append(jump(after))
                .append('\n');
        return text.toString();
    }

    private void elements(String verb, String set, List<Cidr> entries) {
        if (!entries.isEmpty()) {
            text.append(verb)
                    .append(" element ")
                    .append(NftNames.table(family))
                    .append(' ')
                    .append(set);
            text.append(" { ").append(list(entries, ", ")).append(" }\n");
        }
    }

    private String inPlace(SetForm form, TableView before) {
        command("add chain", chain, "");
        command("flush chain", chain, "");
        refill(NftNames.MASQUERADE_SET, form.masquerade());
        refill(NftNames.KEEP_SET, form.keep());
        ownRules(form, "add rule " + NftNames.table(family) + " " + chain + " ");
        command("add chain", NftNames.BASE, " { " + hook() + " }");
        before.surplusJumps().forEach(handle -> command("delete rule", NftNames.BASE, " handle " + handle));
        if (before.canonicalJump().isEmpty()) {
            command("add rule", NftNames.BASE, " " + jump(form));
        } else {
            // where it stands, for its comment
            command(
                    "replace rule",
                    NftNames.BASE,
                    " handle " + before.canonicalJump().getAsLong() + " " + jump(form));
        }
        return text.toString();
    }

    private void refill(String set, CidrSet entries) {
        command("add set", set, " { " + setHead() + " }");
        command("flush set", set, "");
        elements("add", set, entries.prefixes());
    }

    private String removal(TableView before) {
        if (!before.shared()) {
            return "delete table " + NftNames.table(family) + "\n";
        }
        boolean present = before.chain().present();
        if (present) {
            command("flush chain", chain, "");
        }
        before.canonicalJump().ifPresent(handle -> command("delete rule", NftNames.BASE, " handle " + handle));
        before.surplusJumps().forEach(handle -> command("delete rule", NftNames.BASE, " handle " + handle));
        if (present && !before.referred()) {
            command("delete chain", chain, "");
        }
        return text.toString();
    }

    private void command(String verb, String name, String rest) {
        text.append(verb).append(' ').append(NftNames.table(family)).append(' ');
        text.append(name).append(rest).append('\n');
    }
}
