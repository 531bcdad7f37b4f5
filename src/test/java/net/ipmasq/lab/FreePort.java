package net.ipmasq.lab;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * A port of the loopback on which nothing listens, and which the kernel gives to nobody else while this is open. A server
 * of the test may listen on it: Linux lets a socket bind to a port that another one is bound to when both have
 * SO_REUSEADDR, as servers have, and that other one does not listen.
 */
public final class FreePort implements AutoCloseable {
    private final Socket bound = new Socket();

    private FreePort() {}

    public static FreePort reserve() {
        FreePort port = new FreePort();
        try {
            port.bound.setReuseAddress(true);
            port.bound.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return port;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public int number() {
        return bound.getLocalPort();
    }

    @Override
    public void close() {
        try {
            bound.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
