package net.ipmasq.dataplane;

import java.util.ArrayList;
import java.util.List;
import net.ipmasq.dataplane.nftables.NftNode;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain.Jump;

/** Works with plain nft in our own table, and puts strangers into tables of theirs. */
final class NftHand implements Hand {
    private static final String BASE = "postrouting";

    private final NftNode node;

    NftHand(NftNode node) {
        this.node = node;
    }

    private static String table(IpFamily family) {
        return NftNode.table(family);
    }

    @Override
    public void addJump(IpFamily family, Jump.Kind kind) {
        String rule = switch (kind) {
            case CANONICAL ->
                "fib daddr type != local jump " + CHAIN + " comment \"ip-masq-agent: non-local destinations go through "
                        + CHAIN + ", revision 0123456789ab\"";
            case VARIANT -> "fib daddr type != local counter jump " + CHAIN;
            case FOREIGN -> "oifname \"eth9\" jump " + CHAIN;
        };
        // one transaction; a node that has no table of ours yet gets one, as somebody could make it
        node.nft("add table " + table(family) + "\nadd chain " + table(family) + " " + CHAIN + "\nadd chain "
                + table(family) + " " + BASE + " { type nat hook postrouting priority srcnat + 5; policy accept; }\n"
                + "add rule " + table(family) + " " + BASE + " " + rule);
    }

    @Override
    public void removeJumps(IpFamily family) {
        node.nft("flush chain " + table(family) + " " + BASE);
    }

    @Override
    public void flush(IpFamily family) {
        node.nft("flush chain " + table(family) + " " + CHAIN);
    }

    @Override
    public void wipe(IpFamily family) {
        node.nft("delete table " + table(family));
    }

    @Override
    public void removeRule(IpFamily family, int index) {
        node.nft(deletion(family, index));
    }

    private String deletion(IpFamily family, int index) {
        long handle =
                node.handles(family, CHAIN).stream().skip(index).findFirst().orElseThrow();
        return "delete rule " + table(family) + " " + CHAIN + " handle " + handle;
    }

    @Override
    public void addStrangeRule(IpFamily family) {
        node.nft("add rule " + table(family) + " " + CHAIN + " tcp dport 25 accept");
    }

    @Override
    public void firstToEnd(IpFamily family) {
        String first = node.rules(family, CHAIN).getFirst();
        node.nft(deletion(family, 0) + "\nadd rule " + table(family) + " " + CHAIN + " " + first);
    }

    private static String theirs(IpFamily family) {
        return (family == IpFamily.IPV4 ? "ip" : "ip6") + " theirs";
    }

    @Override
    public void addStrangers(IpFamily family) {
        String source = family == IpFamily.IPV4 ? "ip saddr 172.17.0.0/16" : "ip6 saddr fd17::/64";
        node.nft("""
                table %1$s {
                  chain DOCKER {
                    iifname "docker0" return comment "it's theirs"
                  }
                  chain post {
                    type nat hook postrouting priority srcnat; policy accept;
                    %2$s oifname != "docker0" masquerade
                  }
                }""".formatted(theirs(family), source));
    }

    @Override
    public List<String> strangers(IpFamily family) {
        List<String> lines = new ArrayList<>();
        boolean there = node.ns().run("nft", "list", "tables").contains("table " + theirs(family));
        if (there) {
            String[] words = theirs(family).split(" ");
            node.ns()
                    .run("nft", "-a", "list", "table", words[0], words[1])
                    .lines()
                    .forEach(lines::add);
        }
        return lines;
    }

    @Override
    public void refer(IpFamily family) {
        node.nft("add chain " + table(family) + " THEIRS");
        node.nft("add rule " + table(family) + " THEIRS jump " + CHAIN);
    }

    @Override
    public void unrefer(IpFamily family) {
        node.nft("flush chain " + table(family) + " THEIRS");
    }

    @Override
    public void spoil(IpFamily family) {
        node.spoil(family);
    }

    @Override
    public void mend(IpFamily family) {
        node.mend(family);
    }

    @Override
    public int writes() {
        return node.writes().size();
    }
}
