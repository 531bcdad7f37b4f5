package net.ipmasq.lab;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import net.ipmasq.dataplane.CommandRunner.Exited;
import net.ipmasq.dataplane.NodeFiles;

/** Files as seen in a namespace: /proc/net and /proc/sys/net depend on the namespace of the reader. */
public final class NetNsFiles implements NodeFiles {
    private final NetNs ns;

    public NetNsFiles(NetNs ns) {
        this.ns = ns;
    }

    @Override
    public Optional<String> read(String path) {
        return ns.tryRun(List.of("cat", path), "") instanceof Exited exited && exited.code() == 0
                ? Optional.of(exited.stdout())
                : Optional.empty();
    }

    @Override
    public boolean any(String directory, Set<String> but, String file, Predicate<String> text) {
        String names = ns.run("ls", "-1", directory);
        return names.lines()
                .filter(name -> !but.contains(name))
                .anyMatch(name ->
                        read(directory + "/" + name + "/" + file).filter(text).isPresent());
    }
}
