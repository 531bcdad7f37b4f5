package net.ipmasq.dataplane.nftables;

import java.io.IOException;
import java.io.StringReader;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.NetNsFiles;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.lab.OwnedTable;
import net.ipmasq.net.IpFamily;

/** A node of its own for the nftables backend: a fresh namespace, for the agent and for a test's own hand. */
public final class NftNode implements AutoCloseable {
    public static final String CHAIN = "IP-MASQ-AGENT";

    private final NetNs ns;
    private final boolean borrowed;
    private final NetNsRunner runner;
    private final NetNsFiles files;
    private final NftablesDataplane dataplane;
    private final Map<IpFamily, OwnedTable> owned = new ConcurrentHashMap<>();

    public NftNode() {
        this(NetNs.create(), false);
    }

    private NftNode(NetNs ns, boolean borrowed) {
        this.ns = ns;
        this.borrowed = borrowed;
        this.runner = new NetNsRunner(ns);
        this.files = new NetNsFiles(ns);
        this.dataplane = new NftablesDataplane(runner, files);
    }

    /** A node in a namespace that somebody else deletes. */
    public static NftNode in(NetNs ns) {
        return new NftNode(ns, true);
    }

    public NetNs ns() {
        return ns;
    }

    public NetNsRunner runner() {
        return runner;
    }

    public NetNsFiles files() {
        return files;
    }

    public NftablesDataplane dataplane() {
        return dataplane;
    }

    /** {@code ip ip-masq-agent} or {@code ip6 ip-masq-agent}. */
    public static String table(IpFamily family) {
        return NftNames.table(family);
    }

    /** Runs nft by hand. */
    public String nft(String command) {
        return ns.runWith(command + "\n", "nft", "-f", "-");
    }

    /** Our table as the tool's JSON. */
    public String json(IpFamily family) {
        return ns.run("nft", "-j", "-s", "list", "table", NftNames.family(family), NftNames.TABLE);
    }

    /** Handles of the rules of a chain in our table, in order. */
    public List<Long> handles(IpFamily family, String chain) {
        return ruleTexts(ns.run("nft", "-a", "list", "table", NftNames.family(family), NftNames.TABLE), chain)
                .map(RuleTexts.RuleText::handle)
                .toList();
    }

    /** Texts of the rules of a chain in our table, in order. */
    public List<String> rules(IpFamily family, String chain) {
        return ruleTexts(ns.run("nft", "-a", "-s", "list", "table", NftNames.family(family), NftNames.TABLE), chain)
                .map(RuleTexts.RuleText::text)
                .toList();
    }

    private static Stream<RuleTexts.RuleText> ruleTexts(String listing, String chain) {
        List<RuleTexts.RuleText> rules = new ArrayList<>();
        try {
            RuleTexts.read(new StringReader(listing), flags -> {}, rules::add);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return rules.stream().filter(rule -> rule.chain().equals(chain));
    }

    /** Transactions written through the dataplane. */
    public List<NetNsRunner.Call> writes() {
        return runner.calls(call -> call.argv().contains("-f"));
    }

    /** Puts a table of our name there that belongs to a running program, as the kernel lets any program do. */
    public void spoil(IpFamily family) {
        mend(family);
        // only a new table can have an owner
        nft("add table " + table(family) + "\ndelete table " + table(family));
        owned.put(family, OwnedTable.create(ns, NftNames.table(family)));
    }

    public void mend(IpFamily family) {
        OwnedTable table = owned.remove(family);
        if (table != null) {
            table.close();
        }
    }

    @Override
    public void close() {
        owned.values().forEach(OwnedTable::close);
        if (!borrowed) {
            ns.close();
        }
    }
}
