package net.ipmasq.lab;

import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import net.ipmasq.net.IpAddress;
import net.ipmasq.net.IpFamily;

/**
 * New flows in great number, IPv4: a pod sends by way of a node, and the world counts by source address and drops, with
 * no process that would share the time. {@link PacketLab} is for looking at single packets, this one for timing.
 */
public final class FlowLab implements AutoCloseable {
    private static final Pattern COUNTER = Pattern.compile("counter (pod|node) \\{\\s+packets (\\d+)");
    private static final long DEADLINE_SECONDS = 120;

    /**
     * Where flows go: {@code spread} addresses (a power of two) from {@code first} on, {@code step} apart; as many ports
     * as the number of flows needs.
     */
    public record Targets(IpAddress first, int step, int spread) {}

    /**
     * What became of the flows.
     *
     * @param asNode how many arrived with the node's address
     * @param asPod how many arrived with the pod's
     * @param micros median time of one flow's way through the node, with the sender's own system call
     */
    public record Round(int flows, long asNode, long asPod, double micros) {}

    private final LabNetwork network;
    private final BlockingQueue<String> answers = new LinkedBlockingQueue<>();
    private final LabProcess sender;

    private FlowLab(LabNetwork network) {
        this.network = network;
        this.sender = LabProcess.start(
                network.pod,
                FlowSender.class,
                answers::add,
                LabNetwork.pod(IpFamily.IPV4).toString());
    }

    /** Makes namespaces and the sender; ready when it returns. */
    public static FlowLab create() {
        FlowLab lab = new FlowLab(LabNetwork.create());
        try {
            lab.world();
            lab.sender.awaitReady();
            return lab;
        } catch (RuntimeException e) {
            lab.close();
            throw e;
        }
    }

    /** Before routing and connection tracking, so that the world costs next to nothing. */
    private void world() {
        network.world.runWith(
                """
                table ip seen {
                  counter pod { }
                  counter node { }
                  chain in {
                    type filter hook prerouting priority raw; policy accept;
                    ip saddr %s udp dport >= 5000 counter name pod drop
                    ip saddr %s udp dport >= 5000 counter name node drop
                  }
                }
                """.formatted(LabNetwork.pod(IpFamily.IPV4), LabNetwork.node(IpFamily.IPV4)), "nft", "-f", "-");
    }

    /** The namespace whose rules are measured. */
    public NetNs node() {
        return network.node;
    }

    /** What the sender's core does between two flows. */
    public enum Pace {
        /** Nothing: rules and sets stay in the core's cache. */
        HOT,
        /** It writes to so much other memory that they do not. */
        COLD
    }

    /** Opens so many flows, new ones all of them, one after the other. */
    public Round send(int flows, Targets to, Pace pace) {
        network.node.run("conntrack", "-F");
        network.world.run("nft", "reset", "counters");
        answers.clear();
        String how = pace == Pace.COLD ? "cold" : "hot";
        sender.send("%s %d %s %d %d\n".formatted(how, flows, to.first(), to.step(), to.spread()));
        double micros = micros();
        String counters = network.world.run("nft", "list", "counters");
        return new Round(flows, count("node", counters), count("pod", counters), micros);
    }

    private double micros() {
        try {
            String answer = answers.poll(DEADLINE_SECONDS, TimeUnit.SECONDS);
            if (answer == null || !answer.startsWith("sent ")) {
                throw new IllegalStateException("the sender does not answer: " + answer + " | " + sender.recent());
            }
            return Double.parseDouble(answer.substring("sent ".length()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    private static long count(String name, String counters) {
        Matcher found = COUNTER.matcher(counters);
        while (found.find()) {
            if (found.group(1).equals(name)) {
                return Long.parseLong(found.group(2));
            }
        }
        throw new IllegalStateException("no counter " + name + " in " + counters);
    }

    @Override
    public void close() {
        try {
            sender.close();
        } finally {
            network.close();
        }
    }
}
