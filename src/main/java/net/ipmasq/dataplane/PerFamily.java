package net.ipmasq.dataplane;

import java.util.EnumMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import net.ipmasq.net.IpFamily;

/** Runs the same work for several families side by side; a slow family does not hold up the other. */
public final class PerFamily {
    private PerFamily() {}

    /** The results by family. {@code work} must not throw for what a node does. */
    public static <T> Map<IpFamily, T> map(Set<IpFamily> families, Function<IpFamily, T> work) {
        Map<IpFamily, CompletableFuture<T>> running = new EnumMap<>(IpFamily.class);
        Map<IpFamily, T> results = new EnumMap<>(IpFamily.class);
        IpFamily mine = null;
        for (IpFamily family : IpFamily.values()) {
            if (families.contains(family)) {
                if (mine == null) {
                    mine = family;
                } else {
                    running.put(family, start(family, work));
                }
            }
        }
        if (mine != null) {
            results.put(mine, work.apply(mine));
        }
        running.forEach((family, result) -> results.put(family, result.join()));
        return results;
    }

    private static <T> CompletableFuture<T> start(IpFamily family, Function<IpFamily, T> work) {
        return CompletableFuture.supplyAsync(
                () -> work.apply(family), Thread.ofPlatform().daemon().name("family-" + family.key())::start);
    }
}
