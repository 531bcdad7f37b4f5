package net.ipmasq.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.BindException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.NetworkChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The pod, a process of its own: for each line {@code udp|echo|tcp ID ADDRESS} opens a new flow from a new source port
 * and, where a reply belongs to it, answers {@code reply ID SOURCE PORT} with what the far end saw. Arguments: its own
 * IPv4 and IPv6 address. Ends with its standard input.
 */
final class PodClient {
    private static final PrintStream OUT = System.out;
    private static final int FIRST_PORT = 10_000;
    private static final int PORTS = 50_000;

    private final InetAddress v4;
    private final InetAddress v6;

    /** In sequence, so that a port comes back only after all others and never meets the flow it had before. */
    private final AtomicInteger nextPort = new AtomicInteger();

    private PodClient(InetAddress v4, InetAddress v6) {
        this.v4 = v4;
        this.v6 = v6;
    }

    public static void main(String[] args) throws IOException {
        PodClient client = new PodClient(InetAddress.getByName(args[0]), InetAddress.getByName(args[1]));
        OUT.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] words = line.split(" ");
            InetAddress destination = InetAddress.getByName(words[2]);
            switch (words[0]) {
                case "udp" -> client.attempt(words[1], () -> client.udp(words[1], destination));
                case "echo" ->
                    Thread.ofPlatform()
                            .daemon()
                            .start(() -> client.attempt(words[1], () -> client.echo(words[1], destination)));
                case "tcp" ->
                    Thread.ofVirtual().start(() -> client.attempt(words[1], () -> client.tcp(words[1], destination)));
                default -> throw new IllegalArgumentException(line);
            }
        }
    }

    private interface Flow {
        void run() throws IOException;
    }

    private void attempt(String id, Flow flow) {
        try {
            flow.run();
        } catch (IOException e) {
            OUT.println("failed " + id + " " + e);
        }
    }

    private void udp(String id, InetAddress destination) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open(family(destination))) {
            bind(channel, destination);
            channel.send(Wire.line(id), new InetSocketAddress(destination, WorldServer.PORT));
        }
    }

    /** Connected, so that an answer from any other address than the one asked would not be taken. */
    private void echo(String id, InetAddress destination) throws IOException {
        try (DatagramChannel channel = DatagramChannel.open(family(destination))) {
            bind(channel, destination);
            channel.connect(new InetSocketAddress(destination, WorldServer.ECHO_PORT));
            channel.write(Wire.line(id));
            ByteBuffer answer = ByteBuffer.allocate(256);
            channel.read(answer);
            reply(id, StandardCharsets.UTF_8.decode(answer.flip()).toString());
        }
    }

    private void tcp(String id, InetAddress destination) throws IOException {
        try (SocketChannel channel = SocketChannel.open(family(destination))) {
            bind(channel, destination);
            // closing resets: no TIME_WAIT that would keep the port
            channel.setOption(StandardSocketOptions.SO_LINGER, 0);
            channel.connect(new InetSocketAddress(destination, WorldServer.PORT));
            channel.write(Wire.line(id));
            reply(id, Wire.readLine(channel));
        }
    }

    private static void reply(String id, String endpoint) {
        OUT.println("reply " + id + " " + endpoint.strip());
    }

    private static StandardProtocolFamily family(InetAddress address) {
        return address instanceof Inet4Address ? StandardProtocolFamily.INET : StandardProtocolFamily.INET6;
    }

    private void bind(NetworkChannel channel, InetAddress destination) throws IOException {
        InetAddress own = destination instanceof Inet4Address ? v4 : v6;
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = FIRST_PORT + Math.floorMod(nextPort.getAndIncrement(), PORTS);
            try {
                channel.bind(new InetSocketAddress(own, port));
                return;
            } catch (BindException e) {
                if (attempt == 99) {
                    throw e;
                }
            }
        }
    }
}
