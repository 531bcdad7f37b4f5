package net.ipmasq.dataplane.iptables;

import java.io.IOException;
import java.io.Reader;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import net.ipmasq.dataplane.CommandRunner;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.CommandRunner.Streamed;
import net.ipmasq.dataplane.Failure;
import net.ipmasq.dataplane.NodeFiles;
import net.ipmasq.net.IpFamily;
import net.ipmasq.text.Counted;

/**
 * Finds out which variant this node uses, without changing it: the hints that kubelet leaves in table mangle, then who
 * holds rules, then nft. A legacy tool is only asked about tables that the kernel already lists.
 */
final class VariantDetector {
    private static final List<String> HINTS = List.of("KUBE-IPTABLES-HINT", "KUBE-KUBELET-CANARY");

    private final IptablesTools tools;
    private final NodeFiles files;
    private Optional<Failure> doubt = Optional.empty();

    /**
     * The answer, with the reason for people.
     *
     * @param doubt why a look failed that could have changed the answer, if that can pass by itself
     */
    record Choice(Variant variant, String reason, Optional<Failure> doubt) {
        Choice(Variant variant, String reason) {
            this(variant, reason, Optional.empty());
        }
    }

    VariantDetector(IptablesTools tools, NodeFiles files) {
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

    synchronized Choice detect() {
        doubt = Optional.empty();
        Choice choice = choice();
        return new Choice(choice.variant(), choice.reason(), doubt);
    }

    private Choice choice() {
        for (IpFamily family : IpFamily.values()) {
            for (Variant variant : Variant.values()) {
                doubt = doubt.or(() -> tools.doubt(family, variant));
            }
        }
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
                Optional<String> hint = look(family, variant, "mangle", VariantDetector::hint);
                if (hint.isPresent()) {
                    return Optional.of(new Choice(variant, "kubelet's chain " + hint.get() + " is in table mangle"));
                }
            }
        }
        return Optional.empty();
    }

    private static String hint(Reader save) throws IOException {
        Set<String> found = new HashSet<>();
        SaveLines.read(
                save,
                line -> HINTS.stream()
                        .filter(hint -> line.startsWith(":" + hint + " "))
                        .forEach(found::add));
        return HINTS.stream().filter(found::contains).findFirst().orElse("");
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
            count += look(family, variant, "nat", VariantDetector::count)
                    .map(Long::parseLong)
                    .orElse(0L);
        }
        return count;
    }

    private static String count(Reader save) throws IOException {
        AtomicLong rules = new AtomicLong();
        SaveLines.read(save, line -> rules.addAndGet(line.startsWith("-A ") ? 1 : 0));
        return rules.toString();
    }

    private Optional<String> look(
            IpFamily family, Variant variant, String table, CommandRunner.Reading<String> reading) {
        boolean wouldCreate = variant == Variant.LEGACY && !legacyLists(family, table);
        if (wouldCreate || !tools.has(family, variant)) {
            return Optional.empty();
        }
        Streamed<String> read = tools.save(family, variant, table, false, reading);
        if (!(read.outcome() instanceof Exited)) {
            doubt = doubt.or(() -> IptablesFailures.of(read.outcome(), family, tools.program(family, variant, "-save"))
                    .filter(failure -> !failure.code().isLasting()));
        }
        return read.value().filter(text -> !text.isEmpty());
    }
}
