package net.ipmasq.dataplane.iptables;

import java.util.Optional;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.net.IpFamily;
import net.ipmasq.text.Counted;

/**
 * Finds out which variant this node uses, without changing it: the hints that kubelet leaves in table mangle, then who
 * holds rules, then nft. A legacy tool is only asked about tables that the kernel already lists.
 */
final class VariantDetector {
    private final Tools tools;
    private final NodeFiles files;

    /** The answer, with the reason for people. */
    record Choice(Variant variant, String reason) {}

    VariantDetector(Tools tools, NodeFiles files) {
        this.tools = tools;
        this.files = files;
    }

    /** Changes whenever legacy tables come or go, which can change the answer; costs no process. */
    String signal() {
        StringBuilder signal = new StringBuilder();
        for (IpFamily family : IpFamily.values()) {
            signal.append(legacyTables(family)).append('/');
        }
        return signal.toString();
    }

    boolean legacyInUse() {
        return !signal().equals("//");
    }

    /** Whether the legacy variant can hold rules in this table without being asked. */
    boolean legacyLists(IpFamily family, String table) {
        return legacyTables(family).lines().anyMatch(table::equals);
    }

    private String legacyTables(IpFamily family) {
        return files.read(Variant.tableNames(family)).orElse("").strip();
    }

    Choice detect() {
        boolean nft = tools.has(IpFamily.IPV4, Variant.NFT) || tools.has(IpFamily.IPV6, Variant.NFT);
        boolean legacy = tools.has(IpFamily.IPV4, Variant.LEGACY) || tools.has(IpFamily.IPV6, Variant.LEGACY);
        if (!legacy) {
            return new Choice(Variant.NFT, nft ? "only the nft variant is installed" : "no iptables tool found");
        }
        if (!nft) {
            return new Choice(Variant.LEGACY, "only the legacy variant is installed");
        }
        if (!legacyInUse()) {
            return new Choice(Variant.NFT, "no legacy table is in use");
        }
        return byHint().orElseGet(this::byRules);
    }

    private Optional<Choice> byHint() {
        for (Variant variant : Variant.values()) {
            for (IpFamily family : IpFamily.values()) {
                String text = save(family, variant, "mangle");
                for (String hint : new String[] {"KUBE-IPTABLES-HINT", "KUBE-KUBELET-CANARY"}) {
                    if (text.contains(":" + hint + " ")) {
                        return Optional.of(new Choice(variant, "kubelet's chain " + hint + " is in table mangle"));
                    }
                }
            }
        }
        return Optional.empty();
    }

    private Choice byRules() {
        long nft = rules(Variant.NFT);
        long legacy = rules(Variant.LEGACY);
        String counts = "nat holds " + Counted.of(nft, "rule") + " in nft and " + legacy + " in legacy";
        return new Choice(legacy > nft ? Variant.LEGACY : Variant.NFT, counts);
    }

    private long rules(Variant variant) {
        long count = 0;
        for (IpFamily family : IpFamily.values()) {
            count += save(family, variant, "nat")
                    .lines()
                    .filter(line -> line.startsWith("-A "))
                    .count();
        }
        return count;
    }

    private String save(IpFamily family, Variant variant, String table) {
        boolean wouldCreate = variant == Variant.LEGACY && !legacyLists(family, table);
        if (wouldCreate || !tools.has(family, variant)) {
            return "";
        }
        return tools.save(family, variant, table, false) instanceof Exited exited ? exited.stdout() : "";
    }
}
