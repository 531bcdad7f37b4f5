package net.ipmasq.lab;

import static java.lang.foreign.ValueLayout.ADDRESS;
import static java.lang.foreign.ValueLayout.JAVA_INT;

import java.lang.foreign.Arena;
import java.lang.foreign.FunctionDescriptor;
import java.lang.foreign.Linker;
import java.lang.foreign.MemorySegment;
import java.lang.invoke.MethodHandle;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;

/**
 * Runs Java code on a thread that is in a namespace. A socket opened there stays there, whichever thread uses it; the
 * thread itself ends, so that nothing else gets into the namespace by mistake.
 */
public final class InNetNs {
    private static final int O_RDONLY_CLOEXEC = 0x80000;
    private static final int CLONE_NEWNET = 0x40000000;

    private InNetNs() {}

    /** What {@code work} returns when it runs in the namespace; what it throws is an error of the test. */
    public static <T> T call(NetNs ns, Callable<T> work) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread.ofPlatform().name("in-" + ns.name()).start(() -> {
            try {
                enter(ns);
                result.complete(work.call());
            } catch (Throwable e) {
                result.completeExceptionally(e);
            }
        });
        return result.join();
    }

    private static void enter(NetNs ns) throws Throwable {
        Linker linker = Linker.nativeLinker();
        MethodHandle open = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("open"),
                FunctionDescriptor.of(JAVA_INT, ADDRESS, JAVA_INT),
                Linker.Option.firstVariadicArg(2));
        MethodHandle setns = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("setns"), FunctionDescriptor.of(JAVA_INT, JAVA_INT, JAVA_INT));
        MethodHandle close = linker.downcallHandle(
                linker.defaultLookup().findOrThrow("close"), FunctionDescriptor.of(JAVA_INT, JAVA_INT));
        try (Arena arena = Arena.ofConfined()) {
            MemorySegment path = arena.allocateFrom("/run/netns/" + ns.name());
            int fd = (int) open.invokeExact(path, O_RDONLY_CLOEXEC);
            int entered = fd < 0 ? -1 : (int) setns.invokeExact(fd, CLONE_NEWNET);
            if (entered != 0) {
                throw new IllegalStateException("cannot enter " + ns.name());
            }
            int closed = (int) close.invokeExact(fd);
            assert closed == 0;
        }
    }
}
