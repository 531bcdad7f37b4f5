package net.ipmasq.dataplane;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import net.ipmasq.lab.NeedsKernel;
import net.ipmasq.lab.NetNs;
import net.ipmasq.lab.NetNsFiles;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** When a node has no IPv6, and what it costs to know. */
class NodeLimitsTest {
    private static final String CONF = "/proc/sys/net/ipv6/conf";
    private static final String ADDRESS = "20010db8000000000000000000000001 02 40 00 80     %s\n";

    @TempDir
    private Path root;

    /** The node's files below a folder of the test's, with a count of what is read. */
    private final class Paper implements NodeFiles {
        private final SystemNodeFiles files = new SystemNodeFiles();
        private int reads;

        @Override
        public Optional<String> read(String path) {
            reads++;
            return files.read(root + path);
        }

        @Override
        public boolean exists(String path) {
            return files.exists(root + path);
        }

        @Override
        public boolean any(String directory, Set<String> but, String file, Predicate<String> text) {
            return files.any(root + directory, but, file, one -> {
                reads++;
                return text.test(one);
            });
        }
    }

    private final Paper files = new Paper();
    private final NodeLimits limits = new NodeLimits(files);

    private void addresses(String text) {
        write(root.resolve("proc/net/if_inet6"), text);
    }

    private void disabled(String device, String value) {
        write(root.resolve(CONF.substring(1)).resolve(device).resolve("disable_ipv6"), value + "\n");
    }

    private static void write(Path file, String text) {
        try {
            Files.createDirectories(file.getParent());
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void withoutTheListOfAddressesTheKernelHasNone() {
        disabled("all", "0");
        disabled("eth0", "0");
        assertThat(limits.ipv6Off().map(Failure::message).orElse("")).contains("/proc/net/if_inet6 is missing");
    }

    @Test
    void itIsOffOnlyIfItIsSoForEveryDevice() {
        addresses("");
        disabled("all", "1");
        disabled("default", "0");
        disabled("lo", "0");
        assertThat(limits.ipv6Off().map(Failure::message).orElse(""))
                .contains("net.ipv6.conf.all.disable_ipv6 is 1, and so is that of every device");
        disabled("eth0", "1");
        disabled("eth1", "1");
        assertThat(limits.ipv6Off()).isPresent();
        disabled("eth1", "0");
        assertThat(limits.ipv6Off()).isEmpty();
        disabled("eth1", "2");
        disabled("all", "2");
        assertThat(limits.ipv6Off()).as("any number but 0 is on").isPresent();
        disabled("all", "0");
        assertThat(limits.ipv6Off()).isEmpty();
    }

    @Test
    void anAddressOfADeviceIsEnough() {
        disabled("all", "1");
        for (int i = 0; i < 500; i++) {
            disabled("cali" + i, "1");
        }
        addresses("00000000000000000000000000000001 01 80 10 80       lo\n");
        assertThat(limits.ipv6Off()).isPresent();
        assertThat(files.reads).as("one for each device").isEqualTo(502);
        addresses(ADDRESS.formatted("lo") + ADDRESS.formatted("cali7"));
        files.reads = 0;
        assertThat(limits.ipv6Off()).isEmpty();
        assertThat(files.reads).isEqualTo(2);
        addresses("");
        disabled("cali499", "0");
        assertThat(limits.ipv6Off()).isEmpty();
        disabled("all", "0");
        files.reads = 0;
        assertThat(limits.ipv6Off()).isEmpty();
        assertThat(files.reads).isEqualTo(1);
    }

    /** The kernel takes all bytes but white space, the slash and the colon. */
    @Test
    void namesOfDevicesMayBeOdd() throws IOException {
        addresses("");
        disabled("all", "1");
        for (String name : new String[] {"eth0.100", "-", "..x", "%s", "å", "all.1", "lo0", "\"'$(x)"}) {
            disabled(name, "0");
            assertThat(limits.ipv6Off()).as(name).isEmpty();
            disabled(name, "1");
            assertThat(limits.ipv6Off()).as(name).isPresent();
        }
        // a folder without the file, as of a device that goes in this moment
        Files.createDirectories(root.resolve(CONF.substring(1)).resolve("gone"));
        assertThat(limits.ipv6Off()).isPresent();
    }

    @NeedsKernel(tools = "ip")
    @Test
    void asTheKernelSaysIt() {
        try (NetNs ns = NetNs.create()) {
            NodeLimits real = new NodeLimits(new NetNsFiles(ns));
            ns.sh("""
                    ip link add d0 type bridge; ip link set d0 up
                    echo 1 > /proc/sys/net/ipv6/conf/all/disable_ipv6
                    """);
            assertThat(real.ipv6Off()).isPresent();
            ns.sh(
                    "echo 0 > /proc/sys/net/ipv6/conf/lo/disable_ipv6; echo 0 > /proc/sys/net/ipv6/conf/default/disable_ipv6");
            assertThat(real.ipv6Off()).as("the loopback does not count").isPresent();
            ns.sh("echo 0 > /proc/sys/net/ipv6/conf/d0/disable_ipv6");
            assertThat(real.ipv6Off()).isEmpty();
            ns.sh("echo 1 > /proc/sys/net/ipv6/conf/d0/disable_ipv6; ip link add all type bridge 2>/dev/null || true");
            assertThat(real.ipv6Off()).as("no device of such a name has IPv6").isPresent();
            ns.sh("ip link add d1 type bridge");
            assertThat(real.ipv6Off()).as("a new device is as default says").isEmpty();
        }
    }

    /** In the charset of a container without a locale such a name cannot be written as text. */
    @Test
    void bytesThatAreNoTextAreNamesToo() throws IOException, InterruptedException {
        disabled("all", "1");
        Path conf = root.resolve(CONF.substring(1));
        Process shell = new ProcessBuilder(
                        "sh", "-ec", "d=$(printf 'a\\377b'); mkdir \"$d\"; echo 0 > \"$d/disable_ipv6\"")
                .directory(conf.toFile())
                .redirectErrorStream(true)
                .start();
        String said = new String(shell.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(shell.waitFor()).as(said).isZero();
        addresses("");
        assertThat(limits.ipv6Off()).isEmpty();
    }
}
