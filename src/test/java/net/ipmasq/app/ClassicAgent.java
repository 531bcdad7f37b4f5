package net.ipmasq.app;

import java.util.ArrayList;
import java.util.List;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.iptables.NodeKernel;
import net.ipmasq.dataplane.iptables.Variant;
import net.ipmasq.lab.NetNs;
import net.ipmasq.net.IpFamily;

/** The classic agents' three calls for a family: make the chain, make sure of the jump, rewrite the chain whole. */
final class ClassicAgent implements AutoCloseable {
    private static final String CHAIN = "IP-MASQ-AGENT";
    private static final String WORDS =
            "ip-masq-agent: ensure nat POSTROUTING directs all non-LOCAL destination traffic to"
                    + " our custom IP-MASQ-AGENT chain";

    private final NetNs node;
    private final NodeKernel kernel;
    private final String comment;
    private final Thread thread =
            Thread.ofPlatform().daemon().name("classic-agent").unstarted(this::loop);
    private volatile boolean running = true;
    private volatile int rounds;
    private volatile int jumpsMade;

    /**
     * One that runs nothing by itself.
     *
     * @param quotes whether its comment has quotes that are part of the text, as those of some versions have
     */
    ClassicAgent(NetNs node, Variant variant, boolean quotes) {
        this.node = node;
        this.kernel = NodeKernel.in(node, variant);
        this.comment = quotes ? '"' + WORDS + '"' : WORDS;
    }

    /** Goes on with its calls without a pause, until {@link #close}. */
    ClassicAgent start() {
        thread.start();
        return this;
    }

    /** How often it has been through both families. */
    int rounds() {
        return rounds;
    }

    /** How often it did not find its jump. */
    int jumpsMade() {
        return jumpsMade;
    }

    private void loop() {
        while (running) {
            sync();
        }
    }

    /** One round; true when each call went well. */
    boolean sync() {
        boolean good = true;
        for (IpFamily family : IpFamily.values()) {
            good &= sync(family);
        }
        rounds = rounds + 1;
        return good;
    }

    private boolean sync(IpFamily family) {
        int made = call(family, "", "-N", CHAIN);
        String[] jump = {
            "POSTROUTING",
            "-m",
            "comment",
            "--comment",
            comment,
            "-m",
            "addrtype",
            "!",
            "--dst-type",
            "LOCAL",
            "-j",
            CHAIN
        };
        boolean jumps = call(family, "-C", jump) == 0;
        if (!jumps) {
            jumpsMade = jumpsMade + 1;
            jumps = call(family, "-A", jump) == 0;
        }
        // 1: the chain is there already
        return made <= 1 && jumps && restore(family);
    }

    private int call(IpFamily family, String verb, String... words) {
        List<String> argv = new ArrayList<>(List.of(kernel.tool(family, ""), "-w", "5", "-t", "nat"));
        if (!verb.isEmpty()) {
            argv.add(verb);
        }
        argv.addAll(List.of(words));
        return code(argv, "");
    }

    private boolean restore(IpFamily family) {
        String cidr = family == IpFamily.IPV4 ? "10.0.0.0/8" : "fc00::/7";
        String local =
                " -m comment --comment \"ip-masq-agent: local traffic is not subject to MASQUERADE\" -j RETURN\n";
        String text = "*nat\n:" + CHAIN + " - [0:0]\n"
                + "-A " + CHAIN + " -d " + family.linkLocal() + local
                + "-A " + CHAIN + " -d " + cidr + local
                + "-A " + CHAIN
                + " -m comment --comment \"ip-masq-agent: outbound traffic is subject to MASQUERADE (must be"
                + " last in chain)\" -j MASQUERADE\nCOMMIT\n";
        return code(List.of(kernel.tool(family, "-restore"), "-w", "5", "--noflush"), text) == 0;
    }

    private int code(List<String> argv, String stdin) {
        return node.tryRun(argv, stdin) instanceof Exited exited ? exited.code() : -1;
    }

    @Override
    public void close() {
        running = false;
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
