package net.ipmasq.netlink;

import java.io.IOException;
import java.lang.ref.Reference;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The order in which the kernel goes through the devices of the namespace of this thread: the loopback first, then by the
 * time at which each was added. Netlink gives them by number instead, which differs for a device that was moved here.
 */
public final class DeviceOrder {
    private static final int AF_INET = 2;
    private static final int SOCK_DGRAM_CLOEXEC = 2 | 0x80000;
    private static final long SIOCGIFCONF = 0x8912;
    private static final int IFCONF = 16;
    private static final int POINTER = 8;
    private static final int IFREQ = 40;
    private static final int NAME = 16;
    private static final int SOCKADDR_ADDRESS = 20;

    /** Devices that come or go between the question for the size and the one for the list. */
    private static final int MARGIN = 32 * IFREQ;

    private static final Path MEMBERSHIPS = Path.of("/proc/thread-self/net/igmp6");

    private DeviceOrder() {}

    /** An IPv4 address and its label. */
    public record Labelled(String label, InetAddress address) {}

    /**
     * All IPv4 addresses, device by device.
     *
     * @throws IOException if the kernel does not answer
     */
    public static List<Labelled> v4() throws IOException {
        try {
            int fd = Libc.socket(AF_INET, SOCK_DGRAM_CLOEXEC, 0);
            try {
                ByteBuffer question = NetlinkSocket.direct(IFCONF);
                Libc.ioctl(fd, SIOCGIFCONF, question);
                int room = question.getInt(0) + MARGIN;
                ByteBuffer list = NetlinkSocket.direct(room);
                question.putInt(0, room).putLong(POINTER, Libc.address(list));
                try {
                    Libc.ioctl(fd, SIOCGIFCONF, question);
                } finally {
                    Reference.reachabilityFence(list); // the question only has its address
                }
                return read(list, question.getInt(0));
            } finally {
                Libc.close(fd);
            }
        } catch (IllegalCallerException | UnsupportedOperationException | Error e) {
            throw new IOException("the C library cannot be called: " + e, e);
        }
    }

    private static List<Labelled> read(ByteBuffer list, int length) throws IOException {
        List<Labelled> all = new ArrayList<>();
        for (int at = 0; at + IFREQ <= length; at += IFREQ) {
            byte[] name = new byte[NAME];
            list.get(at, name);
            byte[] address = new byte[4];
            list.get(at + SOCKADDR_ADDRESS, address);
            all.add(new Labelled(Messages.text(name), InetAddress.getByAddress(address)));
        }
        return all;
    }

    /**
     * Numbers of the devices with IPv6, from the list of the multicast groups that each of them is in.
     *
     * @throws IOException if the kernel does not answer
     */
    public static List<Integer> v6() throws IOException {
        // a name is bytes without a charset
        try (Stream<String> lines = Files.lines(MEMBERSHIPS, StandardCharsets.ISO_8859_1)) {
            return lines.map(line -> line.strip().split("\\s+", 2)[0])
                    .filter(number -> number.matches("\\d{1,9}"))
                    .map(Integer::valueOf)
                    .distinct()
                    .toList();
        } catch (java.io.UncheckedIOException e) {
            throw new IOException(e);
        }
    }
}
