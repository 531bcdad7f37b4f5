package net.ipmasq.dataplane.iptables;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.NetNsFiles;
import net.ipmasq.lab.NetNsRunner;
import net.ipmasq.net.IpFamily;

/** A node of its own: a fresh namespace and the tools of one variant, for the agent and for a test's own hand. */
public final class NodeKernel implements AutoCloseable {
    public static final String CHAIN = "IP-MASQ-AGENT";

    private final NetNs ns;
    private final boolean borrowed;
    private final NetNsRunner runner;
    private final NetNsFiles files;
    private final Variant variant;

    private NodeKernel(NetNs ns, boolean borrowed, Variant variant) {
        this.ns = ns;
        this.borrowed = borrowed;
        this.runner = new NetNsRunner(ns);
        this.files = new NetNsFiles(ns);
        this.variant = variant;
    }

    /** Makes a namespace; {@link #close} deletes it. */
    public static NodeKernel create(Variant variant) {
        return new NodeKernel(NetNs.create(), false, variant);
    }

    /** A node in a namespace that somebody else deletes. */
    public static NodeKernel in(NetNs ns, Variant variant) {
        return new NodeKernel(ns, true, variant);
    }

    public NetNs ns() {
        return ns;
    }

    /** What the agent runs its programs with: it records every call. */
    public NetNsRunner runner() {
        return runner;
    }

    public NetNsFiles files() {
        return files;
    }

    public Variant variant() {
        return variant;
    }

    /** A dataplane that is told its variant. */
    public IptablesDataplane dataplane() {
        return new IptablesDataplane(runner, files, Optional.of(variant));
    }

    public String tool(IpFamily family, String verb) {
        return variant.tool(family, verb);
    }

    /** Runs iptables by hand: shell words after {@code -t nat}. */
    public void hand(IpFamily family, String words) {
        ns.sh(tool(family, "") + " -w 5 -t nat " + words);
    }

    /** Loads rules by hand, in addition to what is there. */
    public void load(IpFamily family, String... lines) {
        ns.runWith(
                "*nat\n" + String.join("\n", lines) + "\nCOMMIT\n", tool(family, "-restore"), "--noflush", "-w", "5");
    }

    /** The table as the kernel shows it, without counters, remarks and the built-in chains' heads. */
    public List<String> nat(IpFamily family) {
        return lines(ns.run(tool(family, "-save"), "-t", "nat"));
    }

    static List<String> lines(String save) {
        List<String> lines = new ArrayList<>();
        for (String line : save.lines().toList()) {
            if (line.startsWith("-A ") || line.matches(":\\S+ - \\[.*")) {
                lines.add(line.replaceFirst(" \\[\\d+:\\d+]$", ""));
            }
        }
        return lines;
    }

    /** The lines that name our chain, its head left out. */
    public List<String> ours(IpFamily family) {
        return nat(family).stream()
                .filter(line -> line.startsWith("-A " + CHAIN + " ") || line.endsWith("-j " + CHAIN))
                .toList();
    }

    /** The lines that do not name our chain: somebody else's. */
    public List<String> strangers(IpFamily family) {
        return nat(family).stream().filter(line -> !line.contains(CHAIN)).toList();
    }

    /** Makes the nft table unreadable for iptables, as one native rule does. */
    public void spoil(IpFamily family) {
        String daddr =
                family == IpFamily.IPV4 ? "ip daddr { 1.2.3.4, 4.5.6.7 }" : "ip6 daddr { 2001:db8::1, 2001:db8::2 }";
        String table = family == IpFamily.IPV4 ? "ip nat" : "ip6 nat";
        ns.sh("""
                %2$s -t nat -S >/dev/null
                nft list chain %1$s POSTROUTING >/dev/null 2>&1 || %2$s -t nat -A POSTROUTING -d %4$s -j ACCEPT
                nft add rule %1$s POSTROUTING %3$s masquerade
                """.formatted(table, tool(family, ""), daddr, family == IpFamily.IPV4 ? "192.0.2.1" : "2001:db8::9"));
    }

    /** Takes the native rules away again. */
    public void mend(IpFamily family) {
        String table = family == IpFamily.IPV4 ? "ip nat" : "ip6 nat";
        ns.sh("""
                for handle in $(nft -a list chain %1$s POSTROUTING | sed -n 's/.*daddr {.*# handle //p'); do
                  nft delete rule %1$s POSTROUTING handle $handle
                done
                """.formatted(table));
    }

    @Override
    public void close() {
        if (!borrowed) {
            ns.close();
        }
    }
}
