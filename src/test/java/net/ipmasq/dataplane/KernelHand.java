package net.ipmasq.dataplane;

import java.util.List;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.net.IpFamily;
import net.ipmasq.rules.ObservedChain.Jump;

/** Works with the plain tools. */
public final class KernelHand implements Hand {
    private static final String CANONICAL =
            "-m comment --comment 'ip-masq-agent: ensure nat POSTROUTING directs all non-LOCAL destination traffic to"
                    + " our custom " + CHAIN + " chain' -m addrtype ! --dst-type LOCAL";

    private final NodeKernel node;

    public KernelHand(NodeKernel node) {
        this.node = node;
    }

    @Override
    public void addJump(IpFamily family, Jump.Kind kind) {
        String matches = switch (kind) {
            case CANONICAL -> CANONICAL;
            case VARIANT -> "-m addrtype ! --dst-type LOCAL";
            case FOREIGN -> "-o eth9";
        };
        node.hand(family, "-A POSTROUTING " + matches + " -j " + CHAIN);
    }

    @Override
    public void removeJumps(IpFamily family) {
        node.nat(family).stream()
                .filter(line -> line.startsWith("-A POSTROUTING ") && line.endsWith("-j " + CHAIN))
                .forEach(line -> node.load(family, line.replaceFirst("-A", "-D")));
    }

    @Override
    public void flush(IpFamily family) {
        node.hand(family, "-F " + CHAIN);
    }

    @Override
    public void wipe(IpFamily family) {
        node.hand(family, "-F");
        node.hand(family, "-X");
    }

    @Override
    public void removeRule(IpFamily family, int index) {
        node.hand(family, "-D " + CHAIN + " " + (index + 1));
    }

    @Override
    public void addStrangeRule(IpFamily family) {
        node.hand(family, "-A " + CHAIN + " -p tcp --dport 25 -j ACCEPT");
    }

    @Override
    public void firstToEnd(IpFamily family) {
        String first = node.nat(family).stream()
                .filter(line -> line.startsWith("-A " + CHAIN + " "))
                .findFirst()
                .orElseThrow();
        node.load(family, first.replaceFirst("-A", "-D"), first);
    }

    @Override
    public void addStrangers(IpFamily family) {
        String source = family == IpFamily.IPV4 ? "172.17.0.0/16" : "fd17::/64";
        node.load(
                family,
                ":DOCKER - [0:0]",
                "-I POSTROUTING -s " + source + " ! -o docker0 -j MASQUERADE",
                "-A DOCKER -i docker0 -m comment --comment \"it's \\\"theirs\\\"\" -j RETURN");
    }

    @Override
    public List<String> strangers(IpFamily family) {
        return node.strangers(family);
    }

    @Override
    public void refer(IpFamily family) {
        node.load(family, ":THEIRS - [0:0]", "-A THEIRS -j " + CHAIN);
    }

    @Override
    public void unrefer(IpFamily family) {
        node.hand(family, "-F THEIRS");
    }

    /** A native rule; the legacy kernel interface knows none, so there the tool is taken away. */
    @Override
    public void spoil(IpFamily family) {
        if (node.variant() == Variant.NFT) {
            node.spoil(family);
        } else {
            node.hand(family, "-S > /dev/null");
            node.runner().hide(node.tool(family, "-save"));
        }
    }

    @Override
    public void mend(IpFamily family) {
        if (node.variant() == Variant.NFT) {
            node.mend(family);
        } else {
            node.runner().show(node.tool(family, "-save"));
        }
    }

    @Override
    public int writes() {
        return node.runner().restores().size();
    }
}
