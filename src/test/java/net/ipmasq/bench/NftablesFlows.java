package net.ipmasq.bench;

import java.util.List;
import java.util.stream.Collectors;
import net.ipmasq.lab.NetNs;
import net.ipmasq.rules.FamilyRules;
import net.ipmasq.rules.Rule;

/** Sets and chains of the same meaning in a table of nftables. */
record NftablesFlows(NetNs node) implements FlowBackend {
    private static final String TABLE = "ip ip-masq-agent";

    @Override
    public String name() {
        return "nftables";
    }

    @Override
    public void empty() {
        node.run("nft", "flush", "ruleset");
    }

    @Override
    public String load(FamilyRules rules) {
        List<String> exempt = exempt(rules);
        return """
                table %s {
                  set masquerade-cidrs { type ipv4_addr; flags interval; counter; }
                  set non-masquerade-cidrs { type ipv4_addr; flags interval; counter; %s }
                  chain %s {
                    ip daddr @masquerade-cidrs masquerade
                    ip daddr @non-masquerade-cidrs return
                    counter masquerade
                  }
                  chain postrouting {
                    type nat hook postrouting priority srcnat + 5; policy accept;
                    fib daddr type != local counter jump %s
                  }
                }
                """.formatted(
                        TABLE,
                        exempt.isEmpty() ? "" : "elements = { " + String.join(",\n", exempt) + " };",
                        rules.chain(),
                        rules.chain());
    }

    @Override
    public String update(FamilyRules loaded, FamilyRules desired) {
        List<String> before = exempt(loaded);
        return exempt(desired).stream()
                .filter(cidr -> !before.contains(cidr))
                .collect(Collectors.joining(", ", "add element " + TABLE + " non-masquerade-cidrs { ", " }\n"));
    }

    private static List<String> exempt(FamilyRules rules) {
        return rules.rules().stream()
                .filter(Rule.Exempt.class::isInstance)
                .map(rule -> ((Rule.Exempt) rule).cidr().toString())
                .toList();
    }

    @Override
    public void write(String text) {
        node.runWith(text, "nft", "-f", "-");
    }
}
