package net.ipmasq.lab;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import net.ipmasq.net.Cidr;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;
import net.ipmasq.rules.Rule.PortShare;

/** The agent's table as its backend for nft is to write it, until that backend is there. */
public final class NftText {
    private NftText() {}

    /** What {@code nft -f -} takes to make our table anew. */
    public static String render(FamilyRules desired, IpFamily family) {
        List<Cidr> masquerade = new ArrayList<>();
        List<Cidr> keep = new ArrayList<>();
        List<String> rules = new ArrayList<>();
        String daddr = (family == IpFamily.IPV4 ? "ip" : "ip6") + " daddr ";
        for (Rule rule : desired.rules()) {
            switch (rule) {
                case Rule.MasqueradeTo to -> {
                    if (masquerade.isEmpty()) {
                        rules.add(daddr + "@masquerade-cidrs masquerade" + flags(to.randomFully()));
                    }
                    masquerade.add(to.cidr());
                }
                case Rule.Exempt exempt
                when exempt.list().equals("linkLocal") -> rules.add(daddr + exempt.cidr() + " counter return");
                case Rule.Exempt exempt -> {
                    if (keep.isEmpty()) {
                        rules.add(daddr + "@non-masquerade-cidrs return");
                    }
                    keep.add(exempt.cidr());
                }
                case Rule.MasqueradeRest rest ->
                    rules.add(
                            rest.ports().map(NftText::share).orElse("counter masquerade") + flags(rest.randomFully()));
            }
        }
        return """
                table %1$s ip-masq-agent
                delete table %1$s ip-masq-agent
                table %1$s ip-masq-agent {
                %2$s%3$schain %4$s {
                %5$s
                }
                chain postrouting {
                type nat hook postrouting priority srcnat + 5; policy accept;
                fib daddr type != local counter jump %4$s
                }
                }
                """.formatted(
                        family == IpFamily.IPV4 ? "ip" : "ip6",
                        set("masquerade-cidrs", masquerade, family),
                        set("non-masquerade-cidrs", keep, family),
                        desired.chain(),
                        String.join("\n", rules));
    }

    private static String set(String name, List<Cidr> cidrs, IpFamily family) {
        String elements = cidrs.stream().map(Cidr::toString).distinct().collect(Collectors.joining(", "));
        return "set %s { type %s; flags interval; auto-merge; counter; %s }\n"
                .formatted(
                        name,
                        family == IpFamily.IPV4 ? "ipv4_addr" : "ipv6_addr",
                        cidrs.isEmpty() ? "" : "elements = { " + elements + " }");
    }

    private static String share(PortShare share) {
        String chance = share.probability().isPresent()
                ? " numgen random mod 2147483648 < " + share.probability().getAsInt()
                : "";
        return "meta l4proto " + share.transport().key() + chance + " counter masquerade to :" + share.range();
    }

    private static String flags(boolean randomFully) {
        return randomFully ? " fully-random" : "";
    }
}
