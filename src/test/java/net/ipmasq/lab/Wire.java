package net.ipmasq.lab;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;

/** Lines over sockets, as the lab's processes speak them. */
final class Wire {
    private Wire() {}

    static ByteBuffer line(String text) {
        return ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8));
    }

    /** {@code ADDRESS PORT}; never a name, which would mean a look-up. */
    static String endpoint(InetSocketAddress address) {
        String host = address.getAddress().getHostAddress();
        int zone = host.indexOf('%');
        return (zone < 0 ? host : host.substring(0, zone)) + " " + address.getPort();
    }

    /** The text up to the first line end or the end of the stream; lines here are short. */
    static String readLine(SocketChannel channel) throws IOException {
        ByteBuffer buffer = ByteBuffer.allocate(256);
        while (buffer.hasRemaining() && channel.read(buffer) >= 0) {
            if (buffer.position() > 0 && buffer.get(buffer.position() - 1) == '\n') {
                break;
            }
        }
        return StandardCharsets.UTF_8.decode(buffer.flip()).toString().strip();
    }
}
