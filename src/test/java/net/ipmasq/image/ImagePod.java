package net.ipmasq.image;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * What a container runtime would make of the image and the chart's DaemonSet, without a runtime: its root read-only in
 * a mount namespace that ends with the process, the pod's volumes, user 0 with NET_ADMIN and NET_RAW, no new privileges.
 */
final class ImagePod {
    /**
     * In front: where root, configuration, state and lock are. The program that gives rights up must run inside, since
     * a chroot needs a right that the pod has not; so this machine's, with the libraries it needs, is under /tmp there.
     */
    private static final String MOUNTS = """
            root=$1 config=$2 state=$3 lock=$4
            shift 4
            mount --make-rprivate /
            mount --bind "$root" "$root"
            mount -t proc proc "$root/proc"
            mount --bind "$root/proc/sys" "$root/proc/sys"
            mount -o remount,bind,ro "$root/proc/sys"
            mount --rbind /sys "$root/sys"
            mount --rbind /dev "$root/dev"
            mount -t tmpfs tmpfs "$root/tmp"
            mount --bind "$config" "$root/etc/config"
            mount -o remount,bind,ro "$root/etc/config"
            mount --bind "$state" "$root/var/lib/ip-masq-agent"
            mount --bind "$lock" "$root/run/xtables.lock"
            mkdir "$root/tmp/host"
            mount --bind -o ro /usr "$root/tmp/host"
            mount -o remount,bind,ro "$root"
            exec env -i "$@"
            """;

    private final Path root;
    private final Map<String, String> environment;
    private final List<String> entrypoint;
    private final Path config;
    private final Path state;

    ImagePod(OciImage image, Path root, Path volumes) throws IOException {
        this.root = root;
        this.environment = new TreeMap<>(image.environment());
        this.entrypoint = image.entrypoint();
        this.config = Files.createDirectories(volumes.resolve("config"));
        this.state = Files.createDirectories(volumes.resolve("state"));
    }

    /** A directory that the agent sees as /etc/config, read-only. */
    Path config() {
        return config;
    }

    Path state() {
        return state;
    }

    ImagePod with(String variable, String value) {
        environment.put(variable, value);
        return this;
    }

    /** The command line, to be run in a network namespace; {@code flags} come right after the image's program. */
    List<String> command(Path lock, List<String> flags, String... args) {
        List<String> line = new ArrayList<>(List.of(entrypoint.getFirst()));
        line.addAll(flags);
        line.addAll(entrypoint.subList(1, entrypoint.size()));
        line.addAll(List.of(args));
        return commandOf(lock, line.toArray(String[]::new));
    }

    /** Any program of the image with its arguments. */
    List<String> commandOf(Path lock, String... line) {
        List<String> argv = new ArrayList<>(List.of("unshare", "--mount", "sh", "-ec", MOUNTS, "sh"));
        argv.addAll(List.of(root.toString(), config.toString(), state.toString(), lock.toString()));
        environment.forEach((name, value) -> argv.add(name + "=" + value));
        argv.addAll(List.of("chroot", root.toString()));
        argv.addAll(rights());
        argv.addAll(List.of(line));
        return argv;
    }

    private static List<String> rights() {
        Path loader = loader();
        return List.of(
                seen(loader),
                "--inhibit-cache",
                "--library-path",
                seen(loader.resolveSibling("")),
                "/tmp/host/bin/setpriv",
                "--reuid=0",
                "--regid=0",
                "--clear-groups",
                "--no-new-privs",
                "--inh-caps=-all",
                "--bounding-set=-all,+net_admin,+net_raw");
    }

    private static String seen(Path ofUsr) {
        return "/tmp/host/" + Path.of("/usr").relativize(ofUsr);
    }

    /** This machine's program loader, next to its C library. */
    private static Path loader() {
        try (Stream<Path> files = Files.find(
                Path.of("/usr/lib"),
                2,
                (file, attributes) -> file.getFileName().toString().matches("ld-linux.*\\.so\\.\\d+"))) {
            return files.filter(file -> file.getParent().toString().contains("-linux-"))
                    .findFirst()
                    .orElseThrow();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
