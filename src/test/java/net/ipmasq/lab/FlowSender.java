package net.ipmasq.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;

/**
 * A pod that opens flows as fast as it can, a process of its own. For each line {@code hot|cold FLOWS FIRST STEP SPREAD} it
 * sends as many UDP packets, each to another pair of address and port, and answers {@code sent MICROS}: the median time
 * of one send. Over veth a send returns when the packet has gone through the node, so that is the node's work for a new flow.
 * The argument is its own address. Ends with its standard input.
 */
final class FlowSender {
    private static final PrintStream OUT = System.out;
    private static final int FIRST_PORT = 5000;

    /** Odd, so that it permutes any power of two: neighbours in time are no neighbours in the list. */
    private static final long STRIDE = 40_503;

    /** Several times what a core caches for itself. */
    private static final byte[] OTHER_MEMORY = new byte[8 << 20];

    private static final int CACHE_LINE = 64;

    private FlowSender() {}

    public static void main(String[] args) throws IOException {
        InetAddress own = InetAddress.getByName(args[0]);
        OUT.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            InetSocketAddress[] targets = targets(
                    Integer.parseInt(words[1]),
                    ByteBuffer.wrap(InetAddress.getByName(words[2]).getAddress())
                            .getInt(),
                    Integer.parseInt(words[3]),
                    Integer.parseInt(words[4]));
            OUT.printf(Locale.ROOT, "sent %.3f%n", send(own, targets, words[0].equals("cold")));
        }
    }

    private static InetSocketAddress[] targets(int flows, int first, int step, int spread) throws IOException {
        InetSocketAddress[] targets = new InetSocketAddress[flows];
        for (int i = 0; i < flows; i++) {
            int address = first + step * (int) (i * STRIDE % spread);
            byte[] bytes = ByteBuffer.allocate(4).putInt(address).array();
            targets[i] = new InetSocketAddress(InetAddress.getByAddress(bytes), FIRST_PORT + i / spread);
        }
        return targets;
    }

    /** The median, since whatever else the machine does makes some sends long and none short. */
    private static double send(InetAddress own, InetSocketAddress[] targets, boolean cold) throws IOException {
        long[] nanos = new long[targets.length];
        ByteBuffer payload = ByteBuffer.allocateDirect(16);
        try (DatagramChannel channel = DatagramChannel.open(StandardProtocolFamily.INET)) {
            channel.bind(new InetSocketAddress(own, 0));
            for (int i = 0; i < targets.length; i++) {
                if (cold) {
                    otherWork();
                }
                payload.clear();
                long start = System.nanoTime();
                channel.send(payload, targets[i]);
                nanos[i] = System.nanoTime() - start;
            }
        }
        Arrays.sort(nanos);
        return nanos[nanos.length / 2] / 1e3;
    }

    /** What a busy node does between two flows, as far as the core's cache is concerned. */
    private static void otherWork() {
        for (int i = 0; i < OTHER_MEMORY.length; i += CACHE_LINE) {
            OTHER_MEMORY[i]++;
        }
    }
}
