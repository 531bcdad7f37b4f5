package net.ipmasq.lab;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/**
 * The far end, a process of its own: takes packets for whatever address the namespace accepts and says which source it
 * saw, a line each: {@code seen ID SOURCE PORT}. Reads {@code echo ADDRESS}: from then on UDP to that address is
 * answered. Ends with its standard input.
 */
final class WorldServer {
    static final int PORT = 5000;
    static final int ECHO_PORT = 5001;

    private static final PrintStream OUT = System.out;

    private WorldServer() {}

    public static void main(String[] args) throws IOException {
        DatagramChannel udp = DatagramChannel.open();
        udp.setOption(StandardSocketOptions.SO_RCVBUF, 1 << 20);
        udp.bind(new InetSocketAddress(PORT));
        ServerSocketChannel tcp = ServerSocketChannel.open();
        tcp.bind(new InetSocketAddress(PORT), 1024);
        Thread.ofPlatform().daemon().start(() -> receive(udp, false));
        Thread.ofPlatform().daemon().start(() -> accept(tcp));
        OUT.println("ready");
        BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            echo(line.substring("echo ".length()));
        }
    }

    /** A socket bound to the very address, since a wildcard socket would answer from the interface's address. */
    private static void echo(String address) throws IOException {
        DatagramChannel bound = DatagramChannel.open();
        bound.bind(new InetSocketAddress(InetAddress.getByName(address), ECHO_PORT));
        Thread.ofPlatform().daemon().start(() -> receive(bound, true));
        OUT.println("echoing " + address);
    }

    private static void receive(DatagramChannel channel, boolean answer) {
        ByteBuffer buffer = ByteBuffer.allocate(2048);
        try {
            while (true) {
                InetSocketAddress source = (InetSocketAddress) channel.receive(buffer.clear());
                report(StandardCharsets.UTF_8.decode(buffer.flip()).toString(), source);
                if (answer) {
                    channel.send(Wire.line(Wire.endpoint(source)), source);
                }
            }
        } catch (IOException e) {
            OUT.println("error udp " + e);
        }
    }

    private static void accept(ServerSocketChannel server) {
        try {
            while (true) {
                SocketChannel connection = server.accept();
                Thread.ofVirtual().start(() -> serve(connection));
            }
        } catch (IOException e) {
            OUT.println("error tcp " + e);
        }
    }

    private static void serve(SocketChannel connection) {
        try (connection) {
            InetSocketAddress source = (InetSocketAddress) connection.getRemoteAddress();
            String id = Wire.readLine(connection);
            report(id, source);
            connection.write(Wire.line(Wire.endpoint(source)));
            // the client closes first, so that no TIME_WAIT holds its port here
            Wire.readLine(connection);
        } catch (IOException e) {
            OUT.println("note tcp " + e.getMessage());
        }
    }

    private static void report(String id, InetSocketAddress source) {
        OUT.println("seen " + id.strip() + " " + Wire.endpoint(source));
    }
}
